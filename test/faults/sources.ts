import { expect } from "vitest";
import { advanceClock } from "../../src/actions/sandbox/advance-clock.ts";
import { createCheckout } from "../../src/actions/checkout/create.ts";
import { createOrganization } from "../../src/actions/organization/create-organization.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { createProduct } from "../../src/actions/catalogue/products.ts";
import { setCard } from "../../src/actions/sandbox/set-card.ts";
import { submitCheckout } from "../../src/actions/checkout/submit.ts";
import type { Context } from "../../src/context.ts";
import { DAY, parseInstant } from "../../src/domain/calendar.ts";
import type { Invoice } from "../../src/domain/model/invoice.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import type { Answer } from "../../src/http/answer.ts";
import { newId } from "../../src/ids.ts";
import { CreateCheckoutParams } from "../../src/resources/checkout.ts";
import { ListInvoicesQuery } from "../../src/resources/invoice.ts";
import { CreateProductParams } from "../../src/resources/product.ts";
import { checkouts } from "../../src/store/checkouts.ts";
import { linesOfInvoices } from "../../src/store/invoice-lines.ts";
import { listInvoices } from "../../src/store/invoices.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { boughtAt, pastDueFor } from "../support/downtime.ts";
import { surrounded, type Money } from "../support/faults.ts";
import { operate } from "../support/operate.ts";
import { CARDS } from "../support/story.ts";

/** A buyer and their purchase, with the card of the charge that goes wrong later. */
export type Sale = {
  organizationId: string;
  customerId: string;
  checkoutId: string;
  subscriptionId: string;
  card: string;
};
export type Settlement = "paid" | "declined";

/**
 * A reason to move money: the preparation, the operation that goes wrong, and the visible state once all is settled.
 */
export type Source = {
  sells: "starter" | "book";
  money: Money;
  /** The trigger of its payment; null for a refund. */
  trigger: string | null;
  /** A card, or a bank, that refuses only when the money is moved. Null: no card on file does, in the buyer's presence. */
  refusing: string | typeof refundless | null;
  /** The Organization's clock stands still and is advanced. Without this field, its time is real. */
  simulated?: true;
  prepare(ctx: Context, sale: Sale): Promise<void>;
  /** The same request each time, by its Idempotency-Key where it takes one. */
  act(ctx: Context, sale: Sale): Promise<unknown>;
  /** Sends the request again, if there is one, and looks. */
  look(ctx: Context, sale: Sale): Promise<unknown>;
  paid: { tally: string[]; seen: object };
  declined: { tally: string[]; seen: object };
};

const START = parseInstant("2025-01-31T00:00:00Z")!;
const RENEWAL = parseInstant("2025-02-28T00:00:00Z")!;

/** A sandbox that sells plans and a book. */
export async function openShop(ctx: Context, simulated: boolean): Promise<string> {
  const clock = simulated ? { clock: START } : {};
  const { id } = await ctx.db.tx((tx) => createOrganization(tx, { name: "Shop", mode: "sandbox", ...clock }));
  for (const [key, amount, interval] of [
    ["starter", 1000, "month"],
    ["pro", 3000, "month"],
    ["max", 9000, "month"],
    ["book", 500, null],
  ] as const) {
    const product = { key, name: key, interval, prices: [{ currency: "usd", amount }] };
    await createProduct(ctx, ownOrigin(id), CreateProductParams.parse(product));
  }
  return id;
}

/** A new buyer, with an unpaid Checkout. */
export async function openSale(ctx: Context, organizationId: string, productKey: string, card: string): Promise<Sale> {
  const params = CreateCheckoutParams.parse({ productKey, customer: { email: `${newId("cus")}@example.com` } });
  const { checkout } = await createCheckout(ctx, ownOrigin(organizationId), params);
  return { organizationId, customerId: checkout.customerId!, checkoutId: checkout.id, subscriptionId: "", card };
}

/** Pays a Checkout as its page does. */
export function pay(ctx: Context, { organizationId, checkoutId, card: number }: Sale) {
  const card = { number, expMonth: 12, expYear: 2999, cvc: "123" };
  return submitCheckout(ctx, organizationId, checkoutId, {
    card,
    email: null,
    name: null,
    billing: null,
    locale: null,
    agreed: null,
    fieldValues: {},
  });
}

/** Buys a Subscription at once. A card that asks the buyer at each charge is given only after the purchase. */
export async function subscribe(ctx: Context, sale: Sale, card = sale.card): Promise<void> {
  const { organizationId, customerId, checkoutId } = sale;
  const asks = card === CARDS.asksBuyer;
  await pay(ctx, { ...sale, card: asks ? CARDS.pays : card });
  if (asks) await setCard(ctx, organizationId, customerId, { card });
  sale.subscriptionId = (await checkouts.find(ctx.db.read, organizationId, checkoutId))!.subscriptionId!;
}

/** As `subscribe`, so long ago that the period is over. */
export async function subscribeLongAgo(ctx: Context, sale: Sale, card = sale.card): Promise<void> {
  await subscribe(ctx, sale, card);
  await boughtAt(ctx, sale.organizationId, sale.subscriptionId, Date.now() - 32 * DAY);
}

/** The same process, with a bank that declines every charge. */
const declining = (ctx: Context) =>
  surrounded(ctx, async (turn, go) => (turn === "charge" ? { status: "declined", code: "insufficient_funds" } : go()));
/** The same process, with a bank that declines every refund. */
const refundless = <C extends Context>(ctx: C): C =>
  surrounded(ctx, async (turn, go) => (turn === "refund" ? { status: "declined", code: "account_closed" } : go()));

/** The renewal was declined, and no retry is due. */
export async function owe(ctx: Context, sale: Sale, card = sale.card): Promise<void> {
  await subscribeLongAgo(ctx, sale, card);
  await runOnce(declining(ctx));
}

/** The renewal was declined, and the first retry is due. */
export async function oweForDays(ctx: Context, sale: Sale): Promise<void> {
  await owe(ctx, sale);
  await pastDueFor(ctx, sale.organizationId, sale.subscriptionId, 3);
}

export function upgrade(
  ctx: Context,
  { organizationId, subscriptionId }: Sale,
  productKey = "pro",
  key = "upgrade",
): Promise<Answer> {
  const body = { productKey, prorationBehavior: "invoice_now" };
  return operate(ctx, organizationId, "updateSubscription", {
    params: { subscriptionId },
    body,
    key: `${key} ${subscriptionId}`,
  });
}

/** Another page for the same buyer. */
export async function openAnother(ctx: Context, sale: Sale): Promise<Sale> {
  const params = CreateCheckoutParams.parse({ productKey: "starter", customerId: sale.customerId });
  const { checkout } = await createCheckout(ctx, ownOrigin(sale.organizationId), params);
  return { ...sale, checkoutId: checkout.id };
}

/** Opens a Checkout that changes the Subscription. It replaces the Checkout that sold the Subscription. */
export async function openChange(ctx: Context, sale: Sale): Promise<void> {
  const { organizationId, subscriptionId } = sale;
  const params = CreateCheckoutParams.parse({ productKey: "pro", subscriptionId });
  sale.checkoutId = (await createCheckout(ctx, ownOrigin(organizationId), params)).checkout.id;
}

async function invoiceOf(
  ctx: Context,
  { organizationId, customerId }: Sale,
  reason: Invoice["reason"],
): Promise<string> {
  const [found] = await listInvoices(ctx.db.read, organizationId, ListInvoicesQuery.parse({ customerId, reason }));
  if (!found) throw new Refusal("not_found");
  return found.id;
}

export async function payByHand(ctx: Context, sale: Sale, key = "pay"): Promise<Answer> {
  const invoiceId = await invoiceOf(ctx, sale, "renewal");
  return operate(ctx, sale.organizationId, "payInvoice", { params: { invoiceId }, key: `${key} ${invoiceId}` });
}

export function giveCard(ctx: Context, { organizationId, customerId, card }: Sale, key = "card"): Promise<Answer> {
  return operate(ctx, organizationId, "setSandboxCard", {
    params: { customerId },
    body: { card },
    key: `${key} ${customerId}`,
  });
}

export async function askForRefund(ctx: Context, sale: Sale, amount = 400, key = "refund"): Promise<Answer> {
  const invoiceId = await invoiceOf(ctx, sale, "checkout");
  return operate(ctx, sale.organizationId, "refundInvoice", {
    params: { invoiceId },
    body: { amount },
    key: `${key} ${invoiceId}`,
  });
}

async function lookAtCheckout(ctx: Context, { organizationId, checkoutId }: Sale) {
  const { status, lastPaymentError } = (await checkouts.find(ctx.db.read, organizationId, checkoutId))!;
  return { status, lastPaymentError };
}

async function lookAtSubscription(ctx: Context, { organizationId, subscriptionId }: Sale) {
  const { status, amount, periodNumber, changeId } = (await subscriptions.find(
    ctx.db.read,
    organizationId,
    subscriptionId,
  ))!;
  return { status, amount, periodNumber, changeId };
}

/** The answer to a repeated request: the same bytes each time, whether or not the first request succeeded. */
export async function sendAgain(act: () => Promise<Answer>) {
  const [known, { status, replayed, body }] = [await act(), await act()];
  expect(body).toBe(known.body);
  return { status, replayed };
}

/** For each invoice of a change, true if it has the instant of its lines, whenever it was settled (rule P1). */
async function billedAsDecided({ db: { read } }: Context, { organizationId, customerId }: Sale): Promise<boolean[]> {
  const invoices = await listInvoices(
    read,
    organizationId,
    ListInvoicesQuery.parse({ customerId, reason: "product_change" }),
  );
  const ids = invoices.map(({ id }) => id);
  const lines = await linesOfInvoices(read, organizationId, ids);
  return invoices.map(({ id, createdAt }) => lines.get(id)!.every(({ periodStart }) => periodStart === createdAt));
}

const COMPLETED = { status: "completed", lastPaymentError: null };
const REOPENED = { status: "open", lastPaymentError: { code: "card_declined" } };

const aCheckout: Source = {
  sells: "starter",
  money: "charge",
  trigger: "checkout",
  refusing: CARDS.declined,
  prepare: async () => undefined,
  act: pay,
  look: lookAtCheckout,
  paid: { tally: ["checkout paid"], seen: COMPLETED },
  declined: { tally: [], seen: REOPENED },
};

const aRenewal: Source = {
  sells: "starter",
  money: "charge",
  trigger: "renewal",
  refusing: CARDS.failsLater,
  prepare: (ctx, sale) => subscribeLongAgo(ctx, sale),
  act: (ctx) => runOnce(ctx),
  look: lookAtSubscription,
  paid: { tally: ["checkout paid", "renewal paid"], seen: { status: "active", amount: 1000, periodNumber: 2 } },
  declined: { tally: ["checkout paid", "renewal open"], seen: { status: "past_due", amount: 1000, periodNumber: 2 } },
};

/** Columns of the table: all reasons to move money. */
export const SOURCES: Record<string, Source> = {
  "a purchase of a plan": aCheckout,
  "a one-time purchase": { ...aCheckout, sells: "book" },
  "a change on the card on file": {
    ...aRenewal,
    trigger: "product_change",
    prepare: (ctx, sale) => subscribe(ctx, sale),
    act: (ctx, sale) => upgrade(ctx, sale),
    look: async (ctx, sale) => ({
      ...(await sendAgain(() => upgrade(ctx, sale))),
      subscription: await lookAtSubscription(ctx, sale),
      billedAsDecided: await billedAsDecided(ctx, sale),
    }),
    paid: {
      tally: ["checkout paid", "product_change paid"],
      seen: {
        status: 200,
        replayed: true,
        subscription: { amount: 3000, periodNumber: 1, changeId: null },
        billedAsDecided: [true],
      },
    },
    declined: {
      tally: ["checkout paid"],
      seen: {
        status: 402,
        replayed: true,
        subscription: { amount: 1000, periodNumber: 1, changeId: null },
        billedAsDecided: [],
      },
    },
  },
  "a Checkout that changes a Subscription": {
    ...aCheckout,
    async prepare(ctx, sale) {
      await subscribe(ctx, sale, CARDS.pays);
      await openChange(ctx, sale);
    },
    look: async (ctx, sale) => ({
      ...(await lookAtCheckout(ctx, sale)),
      subscription: await lookAtSubscription(ctx, sale),
      billedAsDecided: await billedAsDecided(ctx, sale),
    }),
    paid: {
      tally: ["checkout paid", "product_change paid"],
      seen: { ...COMPLETED, subscription: { amount: 3000, changeId: null }, billedAsDecided: [true] },
    },
    declined: {
      tally: ["checkout paid"],
      seen: { ...REOPENED, subscription: { amount: 1000, changeId: null }, billedAsDecided: [] },
    },
  },
  "a renewal": aRenewal,
  "a renewal in a sandbox that advances": {
    ...aRenewal,
    simulated: true,
    prepare: (ctx, sale) => subscribe(ctx, sale),
    act: (ctx, { organizationId }) => advanceClock(ctx, organizationId, { to: RENEWAL }),
  },
  "a retry": { ...aRenewal, trigger: "retry", prepare: oweForDays },
  "a new card": {
    ...aRenewal,
    trigger: "new_card",
    prepare: (ctx, sale) => owe(ctx, sale, CARDS.pays),
    act: (ctx, sale) => giveCard(ctx, sale),
  },
  "a payment by hand": {
    ...aRenewal,
    trigger: "manual",
    prepare: (ctx, sale) => owe(ctx, sale),
    act: (ctx, sale) => payByHand(ctx, sale),
    look: async (ctx, sale) => ({
      answer: await sendAgain(() => payByHand(ctx, sale)),
      ...(await lookAtSubscription(ctx, sale)),
    }),
    paid: { tally: aRenewal.paid.tally, seen: { ...aRenewal.paid.seen, answer: { status: 200, replayed: true } } },
    declined: {
      tally: aRenewal.declined.tally,
      seen: { ...aRenewal.declined.seen, answer: { status: 402, replayed: true } },
    },
  },
  "a refund to the card": {
    sells: "book",
    money: "refund",
    trigger: null,
    refusing: refundless,
    prepare: async (ctx, sale) => void (await pay(ctx, sale)),
    async act(ctx, sale) {
      await askForRefund(ctx, sale);
      await runOnce(ctx);
    },
    look: (ctx, sale) => sendAgain(() => askForRefund(ctx, sale)),
    paid: { tally: ["checkout paid", "refund succeeded"], seen: { status: 201, replayed: true } },
    declined: { tally: ["checkout paid", "refund failed"], seen: { status: 201, replayed: true } },
  },
};

/** A sale of this source that is ready for its operation. A simulated one gets a shop of its own. */
export async function sell(
  ctx: Context,
  shop: string,
  { sells, simulated, prepare }: Source,
  card: string,
): Promise<Sale> {
  const sale = await openSale(ctx, simulated ? await openShop(ctx, true) : shop, sells, card);
  await prepare(ctx, sale);
  return sale;
}
