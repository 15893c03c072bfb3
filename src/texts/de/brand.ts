import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Akzeptierte Karten",
} as const satisfies Translation["brand"];
