import { isDeepStrictEqual } from "node:util";
import { payOnPage } from "../../src/actions/invoice/page.ts";
import type { Context } from "../../src/context.ts";
import type { Json } from "../support/app.ts";
import { Died, withFault } from "./faults.ts";
import {
  CARDS,
  iso,
  type Fault,
  type History,
  type Place,
  type PreviewSeen,
  type Step,
  type StepOf,
} from "./history.ts";
import { invoicesOf, list, Mismatch, ok, seenPreview, subscriptionsOf, told, type Names } from "./look.ts";
import type { Reply, Request, World } from "./world.ts";

/** A history that is being played. `customers` holds ids by number. `gone` lists the deleted Customers. */
export type Play = {
  world: World;
  history: History;
  names: Names;
  customers: (string | null)[];
  gone: { number: number; id: string }[];
  /** The place of the current step, for its Idempotency-Keys. */
  place: number;
};

/** Steps that have a preview. */
export type Previewed = StepOf<"change"> | StepOf<"cancelNow">;

export function expectSame(what: string, billow: unknown, reference: unknown): void {
  if (isDeepStrictEqual(billow, reference)) return;
  throw new Mismatch(`${what}:\n  Billow:    ${JSON.stringify(billow)}\n  reference: ${JSON.stringify(reference)}`);
}

/**
 * Sends a request as a careful caller does. After a crash, a lost answer, a 5xx or a `payment_in_progress` a worker
 * cleans up, and the caller sends the same request again with its key.
 */
export async function send({ world }: Play, request: Request, fault: Fault | null): Promise<Reply> {
  const by = fault ? withFault(world.ctx, fault) : world.ctx;
  let reply = await world.call(request, by).catch((error: unknown) => {
    if (error instanceof Died) return null;
    throw error;
  });
  for (
    let times = 0;
    times < 3 && (!reply || reply.status >= 500 || reply.body?.code === "payment_in_progress");
    times++
  ) {
    await world.settle();
    reply = await world.call(request);
  }
  return reply!;
}

/** As `send`. With `repeat`, the request is sent a second time and must get the same answer. */
async function write(
  play: Play,
  step: Step,
  method: "POST" | "PATCH",
  path: string,
  body?: object,
  name = "",
): Promise<Reply> {
  const request = { method, path, ...(body && { body }), key: `${play.place}${name}` };
  const reply = await send(play, request, step.faults.deed);
  if (step.repeat && (reply.status < 300 || reply.status === 402)) {
    expectSame("the same request again", told(await play.world.call(request)), told(reply));
  }
  return reply;
}

const emailOf = (customer: number) => `c${customer}@example.com`;
const addressOf = ({ country, region }: Place) => ({ country, state: region });
const OWN_TAX_IDS: Record<string, string> = { DE: "DE 811 569 869", FR: "FR40303265045" };

function taxIdOf({ country, taxId }: Place): object | null {
  if (taxId === null) return null;
  if (taxId === "unchecked") return { type: "us_tax_id", value: "12-3456789" };
  return { type: "eu_vat", value: taxId === "own" ? OWN_TAX_IDS[country] : "EL094259216" };
}

const billingOf = (place: Place | null) => (place ? { billingAddress: addressOf(place), taxId: taxIdOf(place) } : {});

async function findCustomer({ world }: Play, number: number): Promise<string | null> {
  const found = await list(world, `/manage/v1/customers?email=${encodeURIComponent(emailOf(number))}`);
  return found[0]?.id ?? null;
}

/** The Customer as a merchant's backend creates it. */
function newCustomer({ history, gone }: Play, number: number): object {
  const { place, atPage } = history.people[number]!;
  // A Customer that returns after a deletion is a new one, with an `externalId` of its own.
  const life = gone.filter((each) => each.number === number).length;
  return { email: emailOf(number), externalId: `c${number}-${life}`, ...(!atPage && billingOf(place)) };
}

/** Pays a Checkout as its page does and waits for the outcome. Returns the Checkout's status or the refusal. */
async function pay(play: Play, step: Step, checkoutId: string, means: object, fault: Fault | null): Promise<string> {
  const path = `/checkouts/${checkoutId}`;
  const key = `${play.place} pay ${checkoutId}`;
  const paid = await send(play, { method: "POST", path: `/manage/v1/sandbox${path}/pay`, body: means, key }, fault);
  play.customers[step.customer] ??= await findCustomer(play, step.customer);
  // A Checkout that is no longer open was paid before the answer was lost.
  if (paid.status !== 200 && paid.body.code !== "checkout_not_open") return told(paid);
  await play.world.settle();
  return (await ok(play.world.call({ method: "GET", path: `/public/v2${path}` }))).status;
}

async function buy(play: Play, step: StepOf<"buy">): Promise<string> {
  const { names, history } = play;
  const { customer, product, currency, card, typed, discount, faults } = step;
  const named = typed ? {} : { customer: newCustomer(play, customer) };
  const code = discount === null ? {} : { discountCode: `D${discount}` };
  const sale = { productId: names.products[product], currency, ...code, ...named };
  const created = await write(play, step, "POST", "/public/v2/checkouts", sale);
  if (created.status !== 201) return told(created);
  const { place } = history.people[customer]!;
  const means = { card: card && CARDS[card], ...(typed && { email: emailOf(customer) }), ...billingOf(place) };
  return pay(
    play,
    step,
    created.body.id,
    means,
    faults.deed && { ...faults.deed, call: Math.max(faults.deed.call - 4, 1) },
  );
}

async function enroll(play: Play, step: StepOf<"enroll">): Promise<string> {
  const { names, customers } = play;
  const { customer, product, currency, amount, begun, anchor, trial, at } = step;
  if (!customers[customer]) {
    const created = await write(play, step, "POST", "/public/v2/customers", newCustomer(play, customer), " customer");
    customers[customer] = created.status === 201 ? created.body.id : await findCustomer(play, customer);
  }
  const before = (milliseconds: number | null) => milliseconds && iso(at - milliseconds);
  const body = {
    customerId: customers[customer],
    productId: names.products[product],
    currency,
    amount,
    startedAt: before(begun),
    anchorAt: before(anchor),
    trialEnd: trial && iso(at + trial),
  };
  return told(await write(play, step, "POST", "/manage/v1/subscriptions", body));
}

/** Chooses as the reference does: a live Subscription by its number, else the newest one. */
async function choose({ world, customers }: Play, { customer }: Step, number: number): Promise<string | null> {
  const id = customers[customer];
  const all = id ? await subscriptionsOf(world, id) : [];
  const live = all.filter(({ status }) => status !== "canceled");
  return (live[number % live.length] ?? all.at(-1))?.id ?? null;
}

async function change(play: Play, step: StepOf<"change">, preview: () => PreviewSeen | string): Promise<string> {
  const { world, names } = play;
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const body = {
    productId: names.products[step.product],
    ...(step.behavior && { prorationBehavior: step.behavior }),
    ...(step.undo && { cancelAtPeriodEnd: false }),
  };
  const previewed = await world.call({ method: "POST", path: `/manage/v1/subscriptions/${id}/preview`, body });
  expectSame("the preview of the change", seenPreview(previewed), preview());
  const reply = await write(play, step, "PATCH", `/public/v2/subscriptions/${id}`, body);
  if (reply.status !== 402 || !step.finish) return told(reply);
  return `${told(reply)}, ${await pay(play, step, reply.body.checkoutId, { card: CARDS[step.finish] }, null)}`;
}

async function upgrade(play: Play, step: StepOf<"upgrade">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const body = { subscriptionId: id, productId: play.names.products[step.product] };
  const created = await write(play, step, "POST", "/public/v2/checkouts", body);
  return created.status === 201
    ? pay(play, step, created.body.id, { card: CARDS[step.card] }, step.faults.deed)
    : told(created);
}

async function cancelNow(play: Play, step: StepOf<"cancelNow">, preview: () => PreviewSeen | string): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const path = `/manage/v1/subscriptions/${id}/cancel-now`;
  expectSame(
    "the preview of cancel-now",
    seenPreview(await play.world.call({ method: "POST", path: `${path}/preview` })),
    preview(),
  );
  return told(await write(play, step, "POST", path, {}));
}

async function cancel(play: Play, step: StepOf<"cancel" | "undo">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  return told(
    await write(play, step, "PATCH", `/public/v2/subscriptions/${id}`, { cancelAtPeriodEnd: step.do === "cancel" }),
  );
}

async function bank({ world, customers }: Play, { customer, pass }: StepOf<"bank">): Promise<string> {
  const id = customers[customer];
  const [url] = id ? await world.challenges(id) : [];
  if (!url) return "nobody";
  await world.ctx.payments.sandbox.answerChallenge(world.organizationId, url.split("/").at(-1)!, pass);
  return "answered";
}

async function refund(play: Play, step: StepOf<"refund">, customerId: string): Promise<string> {
  const invoices = await invoicesOf(play.world, customerId);
  const invoice = invoices[step.invoice % invoices.length];
  if (!invoice) return "nobody";
  const limit = Math.max(Math.min(invoice.amountPaid, invoice.totalAmount) - invoice.refundedAmount, 0);
  const amount = step.part === null ? {} : { amount: Math.max(Math.floor(limit * step.part), 1) };
  const body = { ...amount, to: step.to, ...(step.revoke && { revokeGrants: true }) };
  const reply = await write(play, step, "POST", `/manage/v1/invoices/${invoice.id}/refunds`, body);
  return reply.status === 201 ? `201 ${reply.body.amount} with tax of ${reply.body.taxAmount}` : told(reply);
}

/**
 * Pays as the page of an invoice does when its form is sent. After a lost answer the buyer looks at the invoice
 * before sending the form again. If the page is `stale` after a fault of the provider, the form is sent again, too.
 */
async function page(play: Play, step: StepOf<"page">, customerId: string): Promise<string> {
  const { world } = play;
  const open = (await invoicesOf(world, customerId)).filter(({ status }) => status === "open");
  const invoice = open[step.invoice % open.length];
  if (!invoice) return "nobody";
  const attempts = (): Promise<Json[]> => list(world, `/manage/v1/payments?invoiceId=${invoice.id}`);
  const before = await attempts();
  const ref = { organizationId: world.organizationId, id: invoice.id };
  const card = { number: CARDS[step.card], expMonth: 12, expYear: 2999, cvc: "123" };
  const click = async (by: Context) => {
    const waiting = (await attempts()).find(({ status }) => status === "requires_action");
    const paid = await payOnPage(by, ref, card, waiting?.id ?? null);
    await world.settle();
    return "refused" in paid ? paid.refused : null;
  };
  const outcome = async () => {
    const after = await attempts();
    return after.length > before.length ? (after[0].status as string) : null;
  };
  const { deed } = step.faults;
  const refused = await click(deed ? withFault(world.ctx, deed) : world.ctx).catch(async (error: unknown) => {
    if (!(error instanceof Died)) throw error;
    await world.settle();
    return (await outcome()) ?? click(world.ctx);
  });
  const again = deed && refused === "stale" ? await click(world.ctx) : refused;
  return again ?? (await outcome())!;
}

async function settleByHand(
  play: Play,
  step: StepOf<"pay" | "void" | "markPaid">,
  customerId: string,
): Promise<string> {
  const invoices = await invoicesOf(play.world, customerId);
  const open = invoices.filter(({ status }) => status === "open");
  const invoice = open[step.invoice % open.length] ?? invoices.at(-1);
  if (!invoice) return "nobody";
  const verb = step.do === "markPaid" ? "mark-paid" : step.do;
  return told(await write(play, step, "POST", `/manage/v1/invoices/${invoice.id}/${verb}`));
}

/** Chooses among the charges of the Customer's invoices, in the order of the invoices. */
async function dispute(play: Play, step: StepOf<"dispute">, customerId: string): Promise<string> {
  const payments = await list(play.world, `/manage/v1/payments?customerId=${customerId}&status=succeeded`);
  const invoices = await invoicesOf(play.world, customerId);
  const paid = invoices.flatMap(({ id }) => payments.filter(({ invoiceId }) => invoiceId === id));
  const payment = paid[step.invoice % paid.length];
  if (!payment) return "nobody";
  const reply = await write(play, step, "POST", `/manage/v1/sandbox/payments/${payment.id}/dispute`, {});
  return reply.status === 201 ? `201 ${reply.body.amount}` : told(reply);
}

async function decide(play: Play, step: StepOf<"win" | "lose">, customerId: string): Promise<string> {
  const open = (await list(play.world, `/manage/v1/disputes?customerId=${customerId}&status=open`)).reverse();
  const chosen = open[step.dispute % open.length];
  if (!chosen) return "nobody";
  const outcome = step.do === "win" ? "won" : "lost";
  return told(await write(play, step, "POST", `/manage/v1/sandbox/disputes/${chosen.id}/close`, { outcome }));
}

async function forget(play: Play, step: StepOf<"forget">, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}?forfeitBalance=${step.forfeit}`;
  const reply = await send(play, { method: "DELETE", path }, step.faults.deed);
  // A 404 after a fault: the Customer was deleted, but the answer was lost.
  const done = reply.status === 204 || (step.faults.deed !== null && reply.status === 404);
  if (!done) return told(reply);
  play.gone.push({ number: step.customer, id: customerId });
  play.customers[step.customer] = null;
  return "204";
}

function settings(play: Play, step: StepOf<"settings">): Promise<Reply> {
  return write(play, step, "PATCH", "/manage/v1/organization", settingsBody(step.settings));
}

/** The Organization's settings as its PATCH takes them. */
export function settingsBody({
  zone,
  behavior,
  retryDays,
  graceDays,
  taxRates,
  country,
}: StepOf<"settings">["settings"]): object {
  return {
    ...(zone && { timeZone: zone }),
    ...(behavior && { defaultProration: behavior }),
    ...(retryDays && { dunning: { retryDays, graceDays } }),
    ...(taxRates && { taxRates: taxRates.map((rate) => ({ ...rate, name: "Tax" })) }),
    ...(country !== undefined && { address: country === null ? null : { country } }),
  };
}

export const pricesBody = (prices: Record<string, number>) =>
  Object.entries(prices).map(([currency, amount]) => ({ currency, amount }));

/** Carries out an action that needs an existing Customer. */
async function actAsCustomer(play: Play, step: Step, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}`;
  switch (step.do) {
    case "card":
      return told(
        await write(play, step, "POST", `/manage/v1/sandbox/customers/${customerId}/card`, { card: CARDS[step.card] }),
      );
    case "move": {
      const body = step.place ? billingOf(step.place) : { billingAddress: null, taxId: null };
      return told(await write(play, step, "PATCH", path, body));
    }
    case "adjust": {
      const body = { currency: step.currency, amount: step.amount, reason: "simulated" };
      return told(await write(play, step, "POST", `${path}/balance-adjustments`, body));
    }
    case "refund":
      return refund(play, step, customerId);
    case "dispute":
      return dispute(play, step, customerId);
    case "win":
    case "lose":
      return decide(play, step, customerId);
    case "page":
      return page(play, step, customerId);
    case "pay":
    case "void":
    case "markPaid":
      return settleByHand(play, step, customerId);
    case "forget":
      return forget(play, step, customerId);
    default:
      throw new Error(`${step.do} needs no Customer`);
  }
}

/**
 * Carries out a step by its requests and returns the answer in the reference's words. `preview` gives the preview
 * that the change or `cancel-now` must show before.
 */
export async function act(play: Play, step: Step, preview: (step: Previewed) => PreviewSeen | string): Promise<string> {
  const { names, customers } = play;
  switch (step.do) {
    case "buy":
      return buy(play, step);
    case "enroll":
      return enroll(play, step);
    case "change":
      return change(play, step, () => preview(step));
    case "upgrade":
      return upgrade(play, step);
    case "cancel":
    case "undo":
      return cancel(play, step);
    case "cancelNow":
      return cancelNow(play, step, () => preview(step));
    case "bank":
      return bank(play, step);
    case "price":
      return told(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, {
          prices: pricesBody(step.prices),
        }),
      );
    case "archive":
      return told(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, {
          archived: step.archived,
        }),
      );
    case "benefits": {
      const benefitIds = step.benefits.map((benefit) => names.benefits[benefit]);
      return told(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, { benefitIds }),
      );
    }
    case "settings":
      return told(await settings(play, step));
    default: {
      const customerId = customers[step.customer];
      return customerId ? actAsCustomer(play, step, customerId) : "nobody";
    }
  }
}
