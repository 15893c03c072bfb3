import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import { es } from "./es/index.ts";
import { fr } from "./fr/index.ts";
import { ja } from "./ja/index.ts";
import type { Language } from "../domain/locale.ts";
import type { Translation } from "./translation.ts";

export const catalogues: Record<Language, Translation> = { en, de, fr, es, ja };
