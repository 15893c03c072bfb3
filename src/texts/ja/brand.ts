import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "利用できるカード",
} as const satisfies Translation["brand"];
