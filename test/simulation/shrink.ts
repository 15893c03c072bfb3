import { isDeepStrictEqual } from "node:util";
import type { History, Step } from "./history.ts";

/** True if a history still fails. */
export type Fails = (history: History) => Promise<boolean>;

/** Delta debugging: leaves out halves, quarters and smaller pieces as long as the rest still fails. */
async function without<T>(all: readonly T[], fails: (rest: T[]) => Promise<boolean>): Promise<T[]> {
  let kept = [...all];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const rest = kept.toSpliced(from, size);
      if (await fails(rest)) kept = rest;
      else from += size;
    }
  }
  return kept;
}

/** Simpler ways to do the same step. A step that is already that simple stays as it is. */
const SIMPLER: ((step: Step) => Step)[] = [
  (step) => ({ ...step, faults: { way: null, request: null } }),
  (step) => ({ ...step, faults: { ...step.faults, way: null } }),
  (step) => ({ ...step, faults: { ...step.faults, request: null } }),
  (step) => ({ ...step, stride: "jump" }),
  (step) => ({ ...step, repeat: false }),
  (step) => (step.do === "buy" ? { ...step, typed: false, discount: null } : step),
];

async function simplify(history: History, fails: Fails): Promise<History> {
  let best = history;
  for (const n of history.steps.keys()) {
    for (const simpler of SIMPLER) {
      const step = simpler(best.steps[n]!);
      const next = { ...best, steps: best.steps.with(n, step) };
      if (!isDeepStrictEqual(step, best.steps[n]) && (await fails(next))) best = next;
    }
  }
  return best;
}

/** Shortens a failing history: first it leaves out Customers, then steps, then it simplifies the steps. */
export async function shrink(history: History, fails: Fails): Promise<History> {
  const keep = (steps: Step[]): History => ({
    ...history,
    steps,
    end: Math.max(history.start, ...steps.map(({ at }) => at)),
  });
  // Mostly the failure shows by the last step. Otherwise the time from there to the history's end has to stay.
  const withEnd = (steps: Step[]) => ({ ...history, steps });
  const cut = (await fails(keep(history.steps))) ? keep : withEnd;
  const customers = [...new Set(history.steps.map(({ customer }) => customer))];
  const stepsOf = (some: number[]) => history.steps.filter((step) => some.includes(step.customer));
  const few = await without(customers, (some) => fails(cut(stepsOf(some))));
  const steps = await without(stepsOf(few), (some) => fails(cut(some)));
  return simplify(cut(steps), fails);
}
