import { hash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { advanceClock } from "../../src/actions/advance-clock.ts";
import type { Answer, Call } from "../../src/actions/answer.ts";
import { chargeByHand } from "../../src/actions/charge-by-hand.ts";
import { updateSubscription } from "../../src/actions/change-subscription.ts";
import { createCheckout } from "../../src/actions/create-checkout.ts";
import { createOrganization } from "../../src/actions/create-organization.ts";
import { createProduct } from "../../src/actions/products.ts";
import { carryOutPayment } from "../../src/actions/settle-payment.ts";
import { submitCheckout } from "../../src/actions/submit-checkout.ts";
import { readConfig, type Config } from "../../src/config.ts";
import { createContext, type Context, type OpenContext } from "../../src/context.ts";
import { parseInstant } from "../../src/domain/calendar.ts";
import type { Invoice } from "../../src/domain/invoice.ts";
import type { Payment } from "../../src/domain/payment.ts";
import { newId } from "../../src/ids.ts";
import type { Outcome } from "../../src/payments/provider.ts";
import { CreateCheckoutParams } from "../../src/resources/checkout.ts";
import { ListEventsQuery } from "../../src/resources/event.ts";
import { ListInvoicesQuery } from "../../src/resources/invoice.ts";
import { ListPaymentsQuery } from "../../src/resources/payment.ts";
import { CreateProductParams } from "../../src/resources/product.ts";
import { UpdateSubscriptionParams } from "../../src/resources/subscription.ts";
import { checkouts } from "../../src/store/checkouts.ts";
import { listEvents } from "../../src/store/events.ts";
import { linesOfInvoices } from "../../src/store/invoice-lines.ts";
import { listInvoices } from "../../src/store/invoices.ts";
import { listPayments } from "../../src/store/payments.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { audit } from "../support/audit.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { KILLED, letLeasesRunOut, withFault } from "../support/processes.ts";

/** A sandbox that sells two plans; `card` pays at checkout. */
type Shop = { organizationId: string; checkoutId: string; subscriptionId: string; card: string };

/**
 * What is paid for, in the ways there are: what comes before, the deed whose charge goes wrong, and what is to be seen once all
 * is settled. `refusing`: a card that the bank declines at the deed, and only then.
 */
type Source = {
  trigger: "checkout" | "product_change" | "renewal" | "manual";
  refusing: string;
  prepare(ctx: Context, shop: Shop): Promise<void>;
  act(ctx: Context, shop: Shop): Promise<unknown>;
  outcome(ctx: Context, shop: Shop): Promise<unknown>;
  paid: object;
  declined: object;
};

/** `kill` ends the process that charges; `wait` lets it go on when others have done its work. */
type Process = { ctx: OpenContext; kill(): Promise<never>; wait(): Promise<void> };
/** What becomes of the first charge: `send` passes it on. */
type Fault = (send: () => Promise<Outcome>, process: Process) => Promise<Outcome>;

const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";
const DECLINED = "4000000000000002";
const START = parseInstant("2025-01-31T00:00:00Z")!;
const RENEWAL = parseInstant("2025-02-28T00:00:00Z")!;

const idOf = ({ body }: Answer) => (JSON.parse(body) as { id: string }).id;
const callOf = ({ organizationId }: Pick<Shop, "organizationId">): Call => ({ organizationId, requestId: newId("req"), idempotency: null });

async function pay(ctx: Context, shop: Shop): Promise<void> {
  const card = { number: shop.card, expMonth: 12, expYear: 2999, cvc: "123" };
  await submitCheckout(ctx, shop.organizationId, shop.checkoutId, { card, email: null, name: null, billing: null, expectedAmount: null, shownAt: null });
}

async function subscribe(ctx: Context, shop: Shop): Promise<void> {
  await pay(ctx, shop);
  shop.subscriptionId = (await checkouts.find(ctx.db.read, shop.organizationId, shop.checkoutId))!.subscriptionId!;
}

async function readSubscription(ctx: Context, shop: Shop) {
  const { status, amount, periodNumber } = (await subscriptions.find(ctx.db.read, shop.organizationId, shop.subscriptionId))!;
  return { status, amount, periodNumber };
}

/** The same request each time it is called, by its Idempotency-Key. */
async function upgrade(ctx: Context, shop: Shop): Promise<Answer> {
  const { organizationId, subscriptionId } = shop;
  const bodyDigest = hash("sha256", "", "buffer");
  const idempotency = { organizationId, key: subscriptionId, method: "PATCH", path: "/subscriptions", bodyDigest };
  const params = UpdateSubscriptionParams.parse({ productKey: "pro", prorationBehavior: "invoice_now" });
  return updateSubscription(ctx, { ...callOf(shop), idempotency }, subscriptionId, params, () => undefined);
}

/** A renewal that its bank has declined, whatever the card. */
async function owe(ctx: Context, shop: Shop): Promise<void> {
  await subscribe(ctx, shop);
  const declined = async () => ({ status: "declined", code: "insufficient_funds" }) as const;
  await advanceClock(withFault(ctx, declined), shop.organizationId, { to: RENEWAL });
}

/** The same request each time it is called, by its Idempotency-Key. */
async function chargeOwed(ctx: Context, shop: Shop): Promise<Answer> {
  const { organizationId } = shop;
  const [{ id }] = (await listInvoices(ctx.db.read, organizationId, ListInvoicesQuery.parse({ reason: "renewal" }))) as [Invoice];
  const idempotency = { organizationId, key: id, method: "POST", path: "/invoices/pay", bodyDigest: hash("sha256", "", "buffer") };
  return chargeByHand(ctx, { ...callOf(shop), idempotency }, id, () => undefined);
}

/** Of each invoice of a change, whether it is as of the instant that its lines are, whenever it was settled (rule P1). */
async function billedAsDecided(ctx: Context, { organizationId }: Shop): Promise<boolean[]> {
  const { read } = ctx.db;
  const invoices = await listInvoices(read, organizationId, ListInvoicesQuery.parse({ reason: "product_change" }));
  const lines = await linesOfInvoices(
    read,
    organizationId,
    invoices.map(({ id }) => id),
  );
  return invoices.map(({ id, createdAt }) => lines.get(id)!.every(({ periodStart }) => periodStart === createdAt));
}

const SOURCES: Record<string, Source> = {
  "a Checkout": {
    trigger: "checkout",
    refusing: DECLINED,
    prepare: async () => undefined,
    act: pay,
    async outcome(ctx, shop) {
      const { status, lastPaymentError } = (await checkouts.find(ctx.db.read, shop.organizationId, shop.checkoutId))!;
      return { status, lastPaymentError };
    },
    paid: { status: "completed", lastPaymentError: null },
    declined: { status: "open", lastPaymentError: { code: "card_declined" } },
  },
  "a change": {
    trigger: "product_change",
    refusing: FAILS_LATER,
    prepare: subscribe,
    act: upgrade,
    async outcome(ctx, shop) {
      const { status, replayed } = await upgrade(ctx, shop);
      return { answer: { status, replayed }, ...(await readSubscription(ctx, shop)), billed: await billedAsDecided(ctx, shop) };
    },
    paid: { answer: { status: 200, replayed: true }, status: "active", amount: 3000, periodNumber: 1, billed: [true] },
    declined: { answer: { status: 402, replayed: true }, status: "active", amount: 1000, periodNumber: 1, billed: [] },
  },
  "a renewal": {
    trigger: "renewal",
    refusing: FAILS_LATER,
    prepare: subscribe,
    act: (ctx, { organizationId }) => advanceClock(ctx, organizationId, { to: RENEWAL }),
    outcome: readSubscription,
    paid: { status: "active", amount: 1000, periodNumber: 2 },
    declined: { status: "past_due", amount: 1000, periodNumber: 2 },
  },
  "an invoice by hand": {
    trigger: "manual",
    refusing: FAILS_LATER,
    prepare: owe,
    act: chargeOwed,
    async outcome(ctx, shop) {
      const { status, replayed } = await chargeOwed(ctx, shop);
      return { answer: { status, replayed }, ...(await readSubscription(ctx, shop)) };
    },
    paid: { answer: { status: 200, replayed: true }, status: "active", periodNumber: 2 },
    declined: { answer: { status: 402, replayed: true }, status: "past_due", periodNumber: 2 },
  },
};

const UNKNOWN = { status: "unknown" } as const;

const FAULTS: Record<string, Fault> = {
  "the process dies before the call": (_send, { kill }) => kill(),
  "the process dies after the call": async (send, { kill }) => {
    await send();
    return kill();
  },
  "the answer times out": async (send) => {
    await send();
    return UNKNOWN;
  },
  "the answer times out, since the request was lost": async () => UNKNOWN,
  "the provider answers 500": async (send) => {
    await send();
    throw new Error("500 Internal Server Error");
  },
  "the provider answers 500, having done nothing": async () => {
    throw new Error("500 Internal Server Error");
  },
  "the request is held up until others have settled it": async (send, { wait }) => {
    await wait();
    return send();
  },
  "the answer is held up until others have settled it": async (send, { wait }) => {
    const outcome = await send();
    await wait();
    return outcome;
  },
  "the database is gone when the answer comes": async (send, { ctx }) => {
    const outcome = await send();
    await ctx.close();
    return outcome;
  },
};

/** Begins `act`, until its charge has gone wrong; `finish` waits for its end, if it has one. */
async function begin(ctx: OpenContext, fault: Fault, act: (ctx: Context) => Promise<unknown>): Promise<{ finish(): Promise<void> }> {
  const [killed, stalled, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const process: Process = {
    ctx,
    kill() {
      killed.resolve();
      return KILLED;
    },
    wait() {
      stalled.resolve();
      return others.promise;
    },
  };
  let charges = 0;
  const faulty = withFault(ctx, (send) => (++charges === 1 ? fault(send, process) : send()));
  const acted = Promise.allSettled([act(faulty)]);
  await Promise.race([acted, killed.promise, stalled.promise]);
  expect(charges).toBeGreaterThan(0);
  return {
    async finish() {
      others.resolve();
      await Promise.race([acted, killed.promise]);
    },
  };
}

describe.each(Object.entries(SOURCES))("the charge of %s is made once", (_name, source) => {
  let database: TestDatabase;
  let config: Config;
  const processes: OpenContext[] = [];

  async function startProcess(): Promise<OpenContext> {
    const ctx = await createContext(config);
    processes.push(ctx);
    return ctx;
  }

  async function openShop(ctx: Context, card: string): Promise<Shop> {
    // Time goes on while things go wrong, but for the one thing that has to be waited for.
    const clock = source.trigger === "renewal" || source.trigger === "manual" ? { clock: START } : {};
    const organization = await ctx.db.tx((tx) => createOrganization(tx, { name: "Shop", mode: "sandbox", ...clock }));
    const call = callOf({ organizationId: organization.id });
    for (const [key, amount] of [
      ["starter", 1000],
      ["pro", 3000],
    ] as const) {
      const product = { key, name: key, interval: "month", prices: [{ currency: "usd", amount }] };
      await createProduct(ctx, call, CreateProductParams.parse(product));
    }
    const params = CreateCheckoutParams.parse({ productKey: "starter", customer: { email: "ada@example.com" } });
    const checkoutId = idOf(await createCheckout(ctx, call, params));
    return { organizationId: organization.id, checkoutId, subscriptionId: "", card };
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    config = readConfig({ DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32), LOG_LEVEL: "silent" });
  });

  afterEach(async () => void (await Promise.allSettled(processes.splice(0).map((each) => each.close()))));
  afterAll(() => database.drop());

  async function attemptsAt(ctx: Context, { organizationId }: Shop): Promise<Payment[]> {
    const payments = await listPayments(ctx.db.read, organizationId, ListPaymentsQuery.parse({}));
    return payments.filter(({ trigger }) => trigger === source.trigger);
  }

  /** Two workers, and two more that don't ask for the lease. */
  async function settle(shop: Shop): Promise<Context> {
    const [one, other] = [await startProcess(), await startProcess()];
    const [attempt] = await attemptsAt(one, shop);
    await letLeasesRunOut(one.db);
    const carryOut = (ctx: Context) => carryOutPayment(ctx, shop.organizationId, attempt!.id);
    await Promise.all([runOnce(one), runOnce(other), carryOut(one), carryOut(other)]);
    return one;
  }

  describe.each([
    ["which pays", "paid"],
    ["which is declined", "declined"],
  ] as const)("with a card %s", (_card, verdict) => {
    test.each(Object.entries(FAULTS))("though %s", async (_fault, fault) => {
      const first = await startProcess();
      const shop = await openShop(first, verdict === "paid" ? PAYS : source.refusing);
      await source.prepare(first, shop);
      const { finish } = await begin(first, fault, (faulty) => source.act(faulty, shop));
      const healer = await settle(shop);
      await finish();

      expect(await source.outcome(healer, shop)).toMatchObject(source[verdict]);
      expect(await audit(healer.db, shop.organizationId)).toEqual([]);
      const attempts = await attemptsAt(healer, shop);
      expect(attempts).toMatchObject([{ status: verdict === "paid" ? "succeeded" : "failed" }]);

      const countEvents = async () => (await listEvents(healer.db.read, shop.organizationId, ListEventsQuery.parse({}))).length;
      const told = await countEvents();
      await Promise.all(Array.from({ length: 5 }, () => carryOutPayment(healer, shop.organizationId, attempts[0]!.id)));
      expect(await countEvents()).toBe(told);
    });
  });
});
