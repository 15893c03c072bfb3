import { afterAll, beforeAll, expect, test } from "vitest";
import type { StripeServer } from "../payments/stripe/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { cutOverWithEnds, loadWithEnds, moveAccount } from "./import-move.ts";

/*
 * `MOVE_ACCOUNTS=1000 npx vitest run test/faults/import-move.test.ts` moves more accounts; `MOVE_FIRST` is the first
 * seed.
 */
const FIRST = Number(process.env["MOVE_FIRST"] ?? 1);
const ACCOUNTS = Number(process.env["MOVE_ACCOUNTS"] ?? 6);
/** With a stride of 1 a process ends at each operation, and not at one of so many. */
const STRIDE = ACCOUNTS > 100 ? 1 : 9;
const TIME = { timeout: 120_000 + ACCOUNTS * 20_000 };

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
// The end runs the rules of `billow verify` on each Organization.
afterAll(() => app.close());

test("accounts with every oddity move, and each buyer pays the same to the cent", TIME, async () => {
  const all = { accounts: 0, crashes: 0, faults: 0, charges: 0 };
  const states: Record<string, number> = {};
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + ACCOUNTS; seed += 1) {
    const moved = await moveAccount(app, seed);
    wrong.push(...moved.differences.map((each) => `seed ${seed}: ${each}`));
    all.accounts += 1;
    for (const name of ["crashes", "faults", "charges"] as const) all[name] += moved[name];
    for (const [state, count] of Object.entries(moved.states)) states[state] = (states[state] ?? 0) + count;
  }
  if (ACCOUNTS > 100) console.log(all, states);
  expect(wrong).toEqual([]);
  expect(states).not.toHaveProperty("stopping");
  expect(states["finished"]).toBeGreaterThan(ACCOUNTS);
  expect(all.crashes).toBeGreaterThan(ACCOUNTS);
});

test("a process of the import may end at each of its operations", TIME, async () => {
  const { differences, states, places } = await loadWithEnds(app);
  expect({ differences, states }).toEqual({ differences: [], states: { finished: 3 } });
  expect(places).toBeGreaterThan(30);
});

test("a process of the cut-over may end at its operations", TIME, async () => {
  const { differences, states, places } = await cutOverWithEnds(app, STRIDE);
  expect({ differences, states: Object.keys(states) }).toEqual({ differences: [], states: ["finished"] });
  if (STRIDE === 1) console.log(places);
  expect(Math.min(...Object.values(places))).toBeGreaterThan(4);
});

test.each<[name: string, meddle: (stripe: StripeServer) => void]>([
  [
    "charged twice, after a person has resumed a subscription at Stripe",
    ({ book }) => book.subscriptions.forEach((each) => void (each.pause_collection = null)),
  ],
  [
    "forgotten, after a person has paused the subscriptions that stay",
    ({ book }) =>
      book.subscriptions.forEach((each) => void (each.pause_collection ??= { behavior: "void", resumes_at: null })),
  ],
])("the comparison finds a buyer who is %s", TIME, async (_, meddle) => {
  const differences = [];
  for (const seed of [3, 4]) differences.push(...(await moveAccount(app, seed, meddle)).differences);
  expect(differences.length).toBeGreaterThan(0);
});
