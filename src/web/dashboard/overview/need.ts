import type { Html } from "../../layout.ts";
import type { Tone } from "../components/badge.ts";

/** A matter that waits for a person. `href`: the page with its rows; null: the text names the command. */
export type Need = { tone: Tone; label: string; text: Html | string; href: string | null; action: string };
