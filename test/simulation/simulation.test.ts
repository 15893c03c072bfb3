import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { EXAMPLES } from "./examples.ts";
import { REGRESSIONS, REGRESSIONS_AT_STRIPE } from "./regressions.ts";
import { openInstallation, type Installation } from "./installation.ts";
import { planHistory } from "./plan.ts";
import { STRIPE } from "./reference-provider.ts";
import { playHistory } from "./run.ts";
import { shrink } from "./shrink.ts";
import { openStripeSide } from "./stripe-side.ts";
import { narrate } from "./narration.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The number of random histories that a run plays with the built-in provider. */
    seeds: number;
  }
}

const SIZE = { days: 120, customers: 4 };
const SEEDS = Array.from({ length: inject("seeds") }, (_, n) => n + 1);
const SEEDS_AT_STRIPE = SEEDS.slice(0, 4);

describe("Billow and the reference calculator agree to the cent", () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await openInstallation(inject("template"));
  });
  afterAll(() => installation.close());

  test.each(Object.entries({ ...REGRESSIONS, ...EXAMPLES }))("%s", async (_, history) => {
    const failure = await playHistory(installation.ctx, history);
    expect(failure, failure?.what).toBeNull();
  });

  // If a seed fails, `npm run simulate -- --seeds 1 --from <seed>` looks for a shorter history.
  test.each(SEEDS)("seed %i", async (seed) => {
    const history = planHistory(seed, SIZE);
    const failure = await playHistory(installation.ctx, history);
    expect(failure, failure ? `${failure.what}\n${narrate(history)}` : "").toBeNull();
  });

  test.each(Object.entries(REGRESSIONS_AT_STRIPE))("%s", async (_, history) => {
    const failure = await playHistory(installation.ctx, history, openStripeSide);
    expect(failure, failure?.what).toBeNull();
  });

  // The same with `--provider stripe`.
  test.each(SEEDS_AT_STRIPE)("seed %i at the local Stripe server", async (seed) => {
    const history = planHistory(seed, SIZE, STRIPE);
    const failure = await playHistory(installation.ctx, history, openStripeSide);
    expect(failure, failure ? `${failure.what}\n${narrate(history)}` : "").toBeNull();
  });
});

test("a seed is always the same history", () => {
  expect(planHistory(7, SIZE)).toEqual(planHistory(7, SIZE));
  expect(planHistory(7, SIZE)).not.toEqual(planHistory(8, SIZE));
});

test("a history that fails is shortened to the steps that it fails by", async () => {
  const history = planHistory(7, SIZE);
  const [early, late] = [history.steps.at(3)!, history.steps.at(-4)!];
  const short = await shrink(history, async ({ steps }) =>
    [early, late].every(({ at, do: name }) => steps.some((step) => step.at === at && step.do === name)),
  );
  expect(short.steps).toMatchObject([
    { at: early.at, do: early.do, stride: "jump", faults: { way: null, request: null } },
    { at: late.at, do: late.do, stride: "jump", faults: { way: null, request: null } },
  ]);
});
