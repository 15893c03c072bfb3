import { unavailable, type Mishap, type Turn } from "../support/faults.ts";

/** The ends of a step that goes wrong. */
export const MISHAPS: Record<string, Mishap> = {
  "the process dies before": (_go, die) => die(),
  "the process fails at": async () => {
    throw unavailable();
  },
  "the process is not told that it has done": async (go) => {
    await go();
    throw unavailable();
  },
};

/** Every step that leaves a trace: a transaction, or a call of the provider. */
export const isStep = (turn: Turn) => turn !== "read";
