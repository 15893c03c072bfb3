import type { Block, Row } from "./email-content.ts";

/** The next charge of a Subscription as a row, and a sentence: how to cancel, or why there is no further charge. */
export type NextCharge = { rows: Row[]; text: string };

export const nextChargeBlocks = ({ rows, text }: NextCharge): Block[] => [
  ...(rows.length === 0 ? [] : [{ rows }]),
  { text },
];
