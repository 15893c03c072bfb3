import { ACCOUNTS } from "./accounts.ts";
import { BY_HAND } from "./by-hand.ts";
import { CHANGES } from "./changes.ts";
import { PRICES } from "./prices.ts";
import { SELLING } from "./selling.ts";
import { SILENCE } from "./silence.ts";
import { SOLD } from "./sold.ts";
import { TIME } from "./time.ts";
import type { Action } from "./world.ts";

/** The actions of docs/events.md, row by row. */
export const ACTIONS: Record<string, Action> = {
  ...SELLING,
  ...TIME,
  ...PRICES,
  ...CHANGES,
  ...BY_HAND,
  ...SOLD,
  ...ACCOUNTS,
  ...SILENCE,
};
