import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Cartes acceptées",
} as const satisfies Translation["brand"];
