import { cutOver, type CutOverOutcome } from "../../src/actions/import/cut-over.ts";
import type { CutOverWorld } from "../../src/actions/import/cut-over-world.ts";
import { mappingFor, prepareCatalogue, readUsedPrices } from "../../src/actions/import/catalogue.ts";
import { loadAccount } from "../../src/actions/import/load-account.ts";
import { refresh } from "../../src/actions/import/refresh.ts";
import { assess } from "../../src/actions/import/assess.ts";
import { beginReport } from "../../src/actions/import/report-run.ts";
import { disconnectAccount } from "../../src/actions/payment/disconnect.ts";
import type { Context } from "../../src/context.ts";
import { instant } from "../../src/domain/calendar.ts";
import type { CutOverGoal } from "../../src/domain/import/cut-over.ts";
import type { ImportRow } from "../../src/domain/import/import.ts";
import type { Connectable } from "../../src/payments/connectable-provider.ts";
import { openStripeReader } from "../../src/payments/stripe/import/reader.ts";
import { openStripeWriter } from "../../src/payments/stripe/import/writer.ts";
import { sql } from "../../src/store/driver/db.ts";
import { listImports } from "../../src/store/imports.ts";
import { createRandom } from "../crash/buyers.ts";
import { fillAccount } from "../payments/stripe-accounts.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { advanceSandbox, caller, type TestApp, type TestCall } from "../support/app.ts";
import { connectStripe, reachStripe } from "../support/stripe.ts";
import { doomedProcess, plantFault } from "./doomed-process.ts";

/*
 * The same account at Stripe twice: once as if no subscription had moved, and once through all steps of an import, with
 * processes that end at any place and answers that are lost. Both go through two renewals of a monthly price.
 */

const DAY = 86_400_000;
/** The stops of the clock in days. Periods end at the time of day of the beginning, so no work is due at a stop. */
const STOPS = [20.5, 32.5, 50.5, 65.5];

// A minute passes: the lease of a process that has ended is over.
const endLeases = sql("test.move_end_leases", "UPDATE imports SET lease_until = NULL WHERE organization_id = $1");

export type Moved = {
  states: Record<string, number>;
  /** Charges of both systems after the cut-over. */
  charges: number;
  crashes: number;
  faults: number;
  /** Customers whose money differs from that of the account in which no subscription moved. */
  differences: string[];
};

const quickPauses = () => {
  let now = 0;
  return { now: () => (now += 1000), sleep: async () => undefined };
};

/** The charges of a Customer by their number and sum, and the credit that the seller owes. */
type Money = { charges: number; charged: number; credit: number };

function moneyOf({ book }: StripeServer, customer: string): Money {
  const charges = [...book.charges.values()].filter((each) => each.customer === customer && each.paid);
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  return { charges: charges.length, charged, credit: -(book.customers.get(customer)?.balance ?? 0) };
}

type World = {
  app: TestApp;
  stripe: StripeServer;
  connectable: Connectable;
  organizationId: string;
  manage: TestCall;
  random: () => number;
  counts: { crashes: number; faults: number };
};

/** One command, or its part for one subscription. A repetition goes on. */
type Step<T> = { work: (ctx: Context) => Promise<T>; isDone: (result: T) => boolean };

/** Runs a step in a process that ends at its `left`-th operation. Null: the process ended, or the step is not done. */
async function runOnce<T>(world: World, left: number, step: Step<T>): Promise<{ result: T } | null> {
  const { app, stripe, organizationId, counts } = world;
  const { fetch: own } = globalThis;
  const doomed = doomedProcess(app.ctx, left);
  const hasDied = () => doomed.operations() >= left;
  globalThis.fetch = doomed.fetch;
  try {
    const result = await step.work(doomed.ctx);
    if (!hasDied() && step.isDone(result)) return { result };
  } catch (error) {
    if (!hasDied()) throw error;
  } finally {
    globalThis.fetch = own;
    stripe.clearFaults();
  }
  if (hasDied()) counts.crashes += 1;
  await app.ctx.db.tx((tx) => tx.query(endLeases, [organizationId]));
  return null;
}

/** Runs a step until a process lives to its end. */
async function untilDone<T>(world: World, step: Step<T>): Promise<T> {
  const { stripe, random, counts } = world;
  for (let run = 1; run <= 12; run += 1) {
    if (run < 9 && random() < 0.4) {
      plantFault(stripe, random);
      counts.faults += 1;
    }
    const done = await runOnce(world, run < 5 && random() < 0.5 ? 1 + Math.floor(random() * 24) : Infinity, step);
    if (done) return done.result;
  }
  throw new Error("a step does not end");
}

/**
 * Runs steps in processes that end at ever later operations, `stride` operations apart. `isFresh`: each step has a
 * subscription of its own, and is brought to its end before the next one. Answers the last place.
 */
async function atPlaces<T>(world: World, steps: readonly Step<T>[], stride: number, isFresh: boolean) {
  let place = 1 - stride;
  for (const step of steps) {
    place += stride;
    if (await runOnce(world, place, step)) return place - stride;
    if (isFresh) await untilDone({ ...world, random: () => 1 }, step);
  }
  throw new Error(`${steps.length} steps are too few for the places, ${stride} apart`);
}

const circumstancesOf = ({ connectable }: World) => ({
  now: instant(Date.now()),
  chargeable: (currency: string) => connectable.amounts(currency),
});

const readerOf = ({ stripe }: World) =>
  openStripeReader({ key: stripe.key, baseUrl: stripe.url, pauses: quickPauses() });
const fromOf = ({ connectable, organizationId, stripe }: World) => ({
  organizationId,
  connectable,
  account: stripe.accountId,
  externalId: { metadataKey: null },
});

async function load(world: World, ctx: Context): Promise<void> {
  const { organizationId, stripe } = world;
  const reader = readerOf(world);
  const circumstances = circumstancesOf(world);
  const nothing = { row: async () => undefined, customer: () => undefined };
  const sums = await assess(reader, circumstances, nothing);
  const mapping = await mappingFor(ctx, organizationId, stripe.accountId, sums);
  const used = await readUsedPrices(reader, circumstances, () => undefined);
  const catalogue = await prepareCatalogue(ctx, organizationId, mapping, used);
  if ("faults" in catalogue) throw new Error(`the mapping has faults: ${JSON.stringify(catalogue)}`);
  const account = { organizationId, source: "stripe", account: stripe.accountId } as const;
  const run = await beginReport(ctx, account, "import");
  const from = { ...fromOf(world), reader, circumstances, products: catalogue.products, run };
  await loadAccount(ctx, from, nothing);
  await run.finish({}, true);
}

function cutOverWorld(world: World, ctx: Context): CutOverWorld {
  const { stripe, connectable } = world;
  const from = { ctx, account: stripe.accountId, connectable, reader: readerOf(world), isAccepting: false };
  return {
    ctx,
    writer: openStripeWriter({ key: stripe.key, baseUrl: stripe.url, pauses: quickPauses() }),
    sleep: async () => undefined,
    refresh: (row) => refresh(from, row),
  };
}

async function rowsOf({ app, organizationId }: World): Promise<ImportRow[]> {
  return listImports(app.ctx.db.read, organizationId, { limit: 1000 });
}

const UNFINISHED = ["busy", "unanswered", "refused_there"];

function stepOf(world: World, row: ImportRow, goal: CutOverGoal): Step<CutOverOutcome> {
  return {
    work: (ctx) => cutOver(cutOverWorld(world, ctx), row, goal),
    isDone: ({ result }) => !UNFINISHED.includes(result.name),
  };
}

/** The steps of all subscriptions in these states. */
async function stepsOf(world: World, goal: CutOverGoal, states: readonly string[]) {
  const rows = await rowsOf(world);
  return rows.filter(({ state }) => states.includes(state)).map((row) => stepOf(world, row, goal));
}

async function drive(world: World, goal: CutOverGoal, states: readonly string[]): Promise<void> {
  for (const step of await stepsOf(world, goal, states)) await untilDone(world, step);
}

const loadStep = (world: World): Step<void> => ({ work: (ctx) => load(world, ctx), isDone: () => true });

async function creditHere({ manage }: World, customerId: string): Promise<number> {
  const { body } = await manage("GET", `/customers/${customerId}/balance`);
  return (body.data as { amount: number }[]).reduce((sum, { amount }) => sum + amount, 0);
}

type Accounts = { world: World; stays: StripeServer; begin: number; close(): Promise<void> };

/** The account twice, the second one connected to an Organization. */
async function openAccounts(app: TestApp, seed: number, fill: (stripe: StripeServer) => void): Promise<Accounts> {
  const begin = Math.floor(Date.now() / 1000) * 1000;
  const [stays, stripe] = [await startStripe({ now: () => begin }), await startStripe({ now: () => begin })];
  for (const each of [stays, stripe]) fill(each);
  const { organization, keys } = await app.otherOrganization({ clock: new Date(begin).toISOString() });
  const own = { ...app, organization };
  await connectStripe(own, stripe);
  const world: World = {
    app,
    stripe,
    connectable: reachStripe(own, stripe),
    organizationId: organization.id,
    manage: caller(`${app.url}/manage/v1`, keys.manage),
    random: createRandom(seed * 7919),
    counts: { crashes: 0, faults: 0 },
  };
  async function close(): Promise<void> {
    // The provider's book is read once. Afterwards no work is due at a server that is gone.
    await app.runDue();
    const key = { organizationId: organization.id, provider: "stripe", providerAccount: stripe.accountId };
    await disconnectAccount(app.ctx, key);
    await Promise.all([stays.close(), stripe.close()]);
  }
  return { world, stays, begin, close };
}

/** Two renewals on both sides, and the ends of the subscriptions that have moved. */
async function renewTwice(
  { world, stays, begin }: Accounts,
  finish: (days: number) => Promise<unknown>,
): Promise<Moved> {
  const { stripe, manage, counts } = world;
  const before = stripe.book.charges.size;
  for (const days of STOPS) {
    const to = begin + days * DAY;
    stays.operations.advance(to);
    stripe.operations.advance(to);
    const { status, body } = await advanceSandbox(manage, { to: new Date(to).toISOString() });
    if (status !== 200) throw new Error(`the clock: ${JSON.stringify(body)}`);
    await finish(days);
  }
  return { ...counts, ...(await compared(world, stays)), charges: stripe.book.charges.size - before };
}

/**
 * Moves the account of a seed, and compares the money of each Customer with that of the account that stays. `meddle`:
 * a person changes the account at Stripe after the cut-over.
 */
export async function moveAccount(
  app: TestApp,
  seed: number,
  meddle: (stripe: StripeServer) => void = () => undefined,
): Promise<Moved> {
  const accounts = await openAccounts(app, seed, (stripe) => void fillAccount(stripe, seed, "moving"));
  const { world } = accounts;
  try {
    await untilDone(world, loadStep(world));
    await drive(world, "cut_over", ["imported", "stopping"]);
    // Some are brought back, and moved again.
    if (world.random() < 0.3) {
      await drive(world, "undo", ["moved"]);
      await drive(world, "cut_over", ["imported", "stopping"]);
    }
    meddle(world.stripe);
    return await renewTwice(accounts, () => drive(world, "finish", ["moved"]));
  } finally {
    await accounts.close();
  }
}

/** Customers with a credit and a card each. */
const fillPlain =
  (customers: number) =>
  ({ operations }: StripeServer): void => {
    const price = operations.price();
    for (let n = 0; n < customers; n += 1) {
      const customer = operations.makeCustomer({ email: `buyer${n}@example.com`, name: "Buyer" });
      operations.changeCustomer(customer, { balance: -700, currency: "usd" });
      const card = operations.attachCard(customer);
      operations.subscribe(customer, { default_payment_method: card, items: [{ price, quantity: 1 + (n % 3) }] });
    }
  };

/** The most operations of a cut-over, and of an import of three Customers. */
const MOST_PLACES = 180;

/** Imports an account with processes that end at each of their operations. */
export async function loadWithEnds(app: TestApp) {
  const accounts = await openAccounts(app, 1, fillPlain(3));
  const { world } = accounts;
  try {
    const steps = Array.from({ length: MOST_PLACES }, () => loadStep(world));
    const places = await atPlaces(world, steps, 1, false);
    await drive(world, "cut_over", ["imported"]);
    return { ...(await renewTwice(accounts, () => drive(world, "finish", ["moved"]))), places };
  } finally {
    await accounts.close();
  }
}

/** Moves an account with processes that end at every `stride`-th of their operations. */
export async function cutOverWithEnds(app: TestApp, stride: number) {
  const accounts = await openAccounts(app, 1, fillPlain(Math.ceil(MOST_PLACES / stride)));
  const { world } = accounts;
  const places: Record<string, number> = {};
  const at = async (goal: CutOverGoal, states: string[]) =>
    void (places[goal] = await atPlaces(world, await stepsOf(world, goal, states), stride, true));
  try {
    await load(world, app.ctx);
    await at("cut_over", ["imported"]);
    await drive(world, "cut_over", ["imported"]);
    await at("undo", ["moved"]);
    await drive(world, "cut_over", ["imported", "stopping"]);
    const moved = await renewTwice(accounts, async (days) => {
      // The first renewals are paid.
      if (days === STOPS[1]) await at("finish", ["moved"]);
      await drive(world, "finish", ["moved"]);
    });
    return { ...moved, places };
  } finally {
    await accounts.close();
  }
}

async function compared(world: World, stays: StripeServer): Promise<Pick<Moved, "differences" | "states">> {
  const { stripe } = world;
  const rows = await rowsOf(world);
  const theirs = [...stays.book.customers.keys()];
  const differences: string[] = [];
  for (const [n, customer] of [...stripe.book.customers.keys()].entries()) {
    const expected = moneyOf(stays, theirs[n]!);
    const found = moneyOf(stripe, customer);
    const row = rows.find((each) => each.customerRef === customer && each.customerId !== null);
    if (row) found.credit += await creditHere(world, row.customerId!);
    if (JSON.stringify(found) === JSON.stringify(expected)) continue;
    const of = rows
      .filter((each) => each.customerRef === customer)
      .map(({ ref, state }) => ({
        state,
        ...stripe.book.subscriptions.get(ref),
      }));
    differences.push(`${JSON.stringify({ expected, found })} ${JSON.stringify(of)}`);
  }
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  return { differences, states };
}
