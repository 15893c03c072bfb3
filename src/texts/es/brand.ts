import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Tarjetas aceptadas",
} as const satisfies Translation["brand"];
