import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../src/context.ts";
import type { Json } from "../support/app.ts";
import { audit, readBook } from "../support/audit.ts";
import { Died, withFault } from "./faults.ts";
import { CARDS, DAY, iso, priceText, type ActionOf, type CustomerSeen, type Fault, type History, type Step } from "./history.ts";
import { Reference, type PreviewSeen } from "./reference.ts";
import { createWorld, type Reply, type Request, type World } from "./world.ts";

/** Where Billow and the rules part, at the latest: before that step all was well. `step` is its place in the history. */
export type Failure = { step: number; what: string };

class Mismatch extends Error {}

function expectSame(what: string, billow: unknown, reference: unknown): void {
  if (isDeepStrictEqual(billow, reference)) return;
  throw new Mismatch(`${what}:\n  Billow:    ${JSON.stringify(billow)}\n  reference: ${JSON.stringify(reference)}`);
}

/** A history that is being played. */
type Play = {
  world: World;
  history: History;
  reference: Reference;
  now: number;
  /** Their ids, by the numbers of the history. */
  products: string[];
  benefits: string[];
  customers: (string | null)[];
  /** The place of the step that is played, for its Idempotency-Keys. */
  place: number;
};

async function ok(reply: Promise<Reply>): Promise<Json> {
  const { status, body } = await reply;
  if (status >= 300) throw new Mismatch(`it is refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

const told = ({ status, body }: Reply): string => (body?.code === undefined ? String(status) : `${status} ${body.code}`);

async function list(world: World, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ;) {
    const { data, nextCursor } = await ok(world.call({ method: "GET", path: `${path}${cursor}` }));
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

/**
 * What a caller does who wants to know for sure: after a crash, a lost answer or a 503 it sends the request again, with its key, once
 * somebody has cleared up.
 */
async function send(play: Play, request: Request, fault: Fault | null): Promise<Reply> {
  const { world } = play;
  const by = fault ? withFault(world.ctx, fault) : world.ctx;
  const reply = await world.call(request, by).catch((error: unknown) => {
    if (error instanceof Died) return null;
    throw error;
  });
  if (reply && reply.status < 500) return reply;
  await world.settle();
  return world.call(request);
}

/** As `send`; now and then the same again, which gets the same answer and does nothing. */
async function write(play: Play, step: Step, method: "POST" | "PATCH", path: string, body: object, name = ""): Promise<Reply> {
  const request = { method, path, body, key: `${play.place}${name}` };
  const reply = await send(play, request, step.faults.deed);
  if (step.repeat && reply.status < 300) expectSame("the same request again", await play.world.call(request), reply);
  return reply;
}

async function advance(play: Play, to: number, fault: Fault | null): Promise<void> {
  const { world } = play;
  const request = { method: "POST", path: "/manage/v1/sandbox/clock/advance", body: { to: iso(to) } };
  let reply = await send(play, request, fault);
  while (reply.status === 202) reply = await world.call(request);
  if (reply.status !== 200) throw new Mismatch(`the clock does not go to ${iso(to)}: ${told(reply)}`);
  play.now = to;
}

/** The instants at which the clock stops on the way to a step. */
function stops({ stride }: Step, from: number, to: number): number[] {
  if (stride === "daily") return Array.from({ length: Math.ceil((to - from) / DAY) }, (_, n) => Math.min(from + (n + 1) * DAY, to));
  if (stride === "halves") return [from + Math.floor((to - from) / 2), to].filter((at, n, all) => at > (all[n - 1] ?? from));
  return to > from ? [to] : [];
}

const emailOf = (customer: number) => `c${customer}@example.com`;

async function findCustomer(play: Play, number: number): Promise<string | null> {
  const search = encodeURIComponent(emailOf(number));
  const found = await list(play.world, `/manage/v1/customers?search=${search}`);
  return found.find(({ email }) => email === emailOf(number))?.id ?? null;
}

async function buy(play: Play, step: Step & ActionOf<"buy">): Promise<string> {
  const { world, products } = play;
  const { customer, product, currency, card, typed } = step;
  const email = emailOf(customer);
  const named = typed ? {} : { customer: { email, externalId: `c${customer}` } };
  const sale = { productId: products[product], currency, ...named };
  const created = await write(play, step, "POST", "/public/v2/checkouts", sale);
  if (created.status !== 201) return told(created);
  const path = `/checkouts/${created.body.id}`;
  const means = { card: card && CARDS[card], ...(typed && { email }) };
  const request = { method: "POST", path: `/manage/v1/sandbox${path}/pay`, body: means, key: `${play.place} pay` };
  const paid = await send(play, request, step.faults.deed && { ...step.faults.deed, call: Math.max(step.faults.deed.call - 4, 1) });
  play.customers[customer] ??= await findCustomer(play, customer);
  // Not open any more: it went through before the answer was lost.
  if (paid.status !== 200 && paid.body.code !== "checkout_not_open") return told(paid);
  await world.settle();
  return (await ok(world.call({ method: "GET", path: `/public/v2${path}` }))).status;
}

/** Subscriptions of a Customer in the order in which they were made. */
async function subscriptionsOf({ world, customers }: Play, customer: number): Promise<Json[]> {
  const id = customers[customer];
  return id ? (await list(world, `/manage/v1/subscriptions?customerId=${id}&limit=100`)).reverse() : [];
}

/** As the reference chooses: a live one by its number, else the newest. */
async function choose(play: Play, { customer }: Step, number: number): Promise<string | null> {
  const all = await subscriptionsOf(play, customer);
  const live = all.filter(({ status }) => status !== "canceled");
  return (live[number % live.length] ?? all.at(-1))?.id ?? null;
}

function seenPreview({ status, body }: Reply): PreviewSeen | string {
  if (status !== 200) return `${status} ${body.code}`;
  const { lines, chargeAmount, balanceChange, nextInvoice } = body;
  return {
    lines: lines.map(({ amount }: Json) => amount),
    charge: chargeAmount,
    balance: balanceChange,
    next: nextInvoice && { date: nextInvoice.date, total: nextInvoice.totalAmount },
  };
}

async function change(play: Play, step: Step & ActionOf<"change">): Promise<string> {
  const { world, products, reference } = play;
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const body = {
    productId: products[step.product],
    ...(step.behavior && { prorationBehavior: step.behavior }),
    ...(step.undo && { cancelAtPeriodEnd: false }),
  };
  const preview = await world.call({ method: "POST", path: `/manage/v1/subscriptions/${id}/preview`, body });
  expectSame("the preview of the change", seenPreview(preview), reference.preview(step));
  return told(await write(play, step, "PATCH", `/public/v2/subscriptions/${id}`, body));
}

async function cancel(play: Play, step: Step & ActionOf<"cancel" | "undo" | "cancelNow">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  if (step.do === "cancelNow") return told(await write(play, step, "POST", `/manage/v1/subscriptions/${id}/cancel-now`, {}));
  return told(await write(play, step, "PATCH", `/public/v2/subscriptions/${id}`, { cancelAtPeriodEnd: step.do === "cancel" }));
}

async function bank({ world, customers }: Play, { customer, pass }: Step & ActionOf<"bank">): Promise<string> {
  const id = customers[customer];
  const [url] = id ? await world.challenges(id) : [];
  if (!url) return "nobody";
  await world.ctx.payments.sandbox.answerChallenge(world.organizationId, url.split("/").at(-1)!, pass);
  return "answered";
}

async function settings(play: Play, step: Step & ActionOf<"settings">): Promise<string> {
  const { zone, behavior, retryDays, graceDays } = step.settings;
  const body = {
    ...(zone && { timeZone: zone }),
    ...(behavior && { defaultProration: behavior }),
    ...(retryDays && { dunning: { retryDays, graceDays } }),
  };
  return told(await write(play, step, "PATCH", "/manage/v1/organization", body));
}

async function act(play: Play, step: Step): Promise<string> {
  switch (step.do) {
    case "buy":
      return buy(play, step);
    case "change":
      return change(play, step);
    case "cancel":
    case "undo":
    case "cancelNow":
      return cancel(play, step);
    case "card": {
      const id = play.customers[step.customer];
      return id ? told(await write(play, step, "POST", `/manage/v1/sandbox/customers/${id}/card`, { card: CARDS[step.card] })) : "nobody";
    }
    case "bank":
      return bank(play, step);
    case "price": {
      const prices = Object.entries(step.prices).map(([currency, amount]) => ({ currency, amount }));
      return told(await write(play, step, "PATCH", `/manage/v1/products/${play.products[step.product]}`, { prices }));
    }
    case "archive":
      return told(await write(play, step, "PATCH", `/manage/v1/products/${play.products[step.product]}`, { archived: step.archived }));
    case "settings":
      return settings(play, step);
  }
}

/** What can be seen of a Customer through the API, in the reference's words. */
async function seen(play: Play, number: number): Promise<CustomerSeen> {
  const { world, products, benefits, customers } = play;
  const id = customers[number];
  if (!id) return { subscriptions: [], invoices: [], balances: {}, access: [] };
  const product = (productId: string) => products.indexOf(productId);
  const subscriptions = await subscriptionsOf(play, number);
  const invoices = (await list(world, `/manage/v1/invoices?customerId=${id}&limit=100`)).toSorted((one, other) =>
    one.number < other.number ? -1 : 1,
  );
  const { data: balances } = await ok(world.call({ method: "GET", path: `/manage/v1/customers/${id}/balance` }));
  const grants = await list(world, `/public/v2/benefit-grants?customerId=${id}&limit=100`);
  return {
    subscriptions: subscriptions.map((sub) => ({
      product: product(sub.productId),
      status: sub.status,
      price: priceText(sub.amount, sub.currency, { interval: sub.interval, count: sub.intervalCount }),
      from: sub.currentPeriodStart,
      to: sub.currentPeriodEnd,
      trialEnd: sub.trialEnd,
      cancelAt: sub.cancelAt,
      endedAt: sub.endedAt,
      pending:
        sub.pendingChange &&
        `${product(sub.pendingChange.productId)}: ${priceText(sub.pendingChange.amount, sub.currency, {
          interval: sub.pendingChange.interval,
          count: sub.pendingChange.intervalCount,
        })}`,
    })),
    invoices: invoices.map((invoice) => ({
      reason: invoice.reason,
      status: invoice.status,
      at: invoice.createdAt,
      currency: invoice.currency,
      lines: invoice.lines.map((line: Json) => ({
        product: product(line.productId),
        amount: line.amount,
        discount: line.discountAmount,
        tax: line.taxAmount,
        proration: line.proration,
        from: line.periodStart,
        to: line.periodEnd,
      })),
      total: invoice.totalAmount,
      balance: invoice.balanceApplied,
      due: invoice.amountDue,
      paid: invoice.amountPaid,
    })),
    balances: Object.fromEntries(balances.filter(({ amount }: Json) => amount !== 0).map(({ currency, amount }: Json) => [currency, amount])),
    access: grants.map(({ benefitId }) => benefits.indexOf(benefitId)).toSorted((one, other) => one - other),
  };
}

async function compare(play: Play, number: number): Promise<void> {
  const [billow, reference] = [await seen(play, number), play.reference.seen(number)];
  for (const [n, sub] of reference.subscriptions.entries()) expectSame(`c${number}, subscription ${n + 1}`, billow.subscriptions[n], sub);
  for (const [n, invoice] of reference.invoices.entries()) expectSame(`c${number}, invoice ${n + 1}`, billow.invoices[n], invoice);
  expectSame(`c${number}`, billow, reference);
}

/** Captured = value of what was paid + balances, but for the roundings that the rules allow. */
async function compareMoney({ world, reference }: Play): Promise<void> {
  const captured = new Map<string, number>();
  for (const { currency, amount } of await readBook(world.ctx.db, world.organizationId)) {
    captured.set(currency, (captured.get(currency) ?? 0) + amount);
  }
  const worth = reference.worth();
  for (const currency of new Set([...captured.keys(), ...worth.keys()])) {
    const { value, roundings, balance } = worth.get(currency) ?? { value: 0, roundings: 0, balance: 0 };
    const off = (captured.get(currency) ?? 0) - value - balance;
    if (Math.abs(off) > roundings / 2 + 0.001) {
      throw new Mismatch(`${currency}: captured ${captured.get(currency)}, worth ${value}, balances ${balance}: ${off} off, ${roundings} lines`);
    }
  }
}

async function verify({ world }: Play): Promise<void> {
  const found = await audit(world.ctx.db, world.organizationId);
  if (found.length > 0) throw new Mismatch(`the books disagree:\n  ${found.join("\n  ")}`);
}

async function open(ctx: Context, history: History): Promise<Play> {
  const { settings: chosen, products, customers, start } = history;
  const world = await createWorld(ctx, start, chosen.zone);
  const { behavior, retryDays, graceDays } = chosen;
  const body = { defaultProration: behavior, dunning: { retryDays, graceDays } };
  await ok(world.call({ method: "PATCH", path: "/manage/v1/organization", body }));
  const benefits: string[] = [];
  for (let n = 0; n <= Math.max(...products.flatMap((product) => product.benefits)); n++) {
    const benefit = { type: "feature", name: `b${n}`, properties: { feature: `b${n}` } };
    benefits.push((await ok(world.call({ method: "POST", path: "/manage/v1/benefits", body: benefit }))).id);
  }
  const ids: string[] = [];
  for (const [n, { every, group, trialDays, trialCard, prices, benefits: included }] of products.entries()) {
    const recurring = every && { interval: every.interval, intervalCount: every.count, group, trialDays, trialCard };
    const product = {
      name: `p${n}`,
      prices: Object.entries(prices).map(([currency, amount]) => ({ currency, amount })),
      benefitIds: included.map((benefit) => benefits[benefit]),
      ...recurring,
    };
    ids.push((await ok(world.call({ method: "POST", path: "/manage/v1/products", body: product }))).id);
  }
  const reference = new Reference(history);
  return { world, history, reference, now: start, products: ids, benefits, customers: Array.from({ length: customers }, () => null), place: 0 };
}

/** What a buyer did at the bank may be known to nobody else yet. */
const isHeard = (step: Step): boolean => step.do !== "bank" || step.heard;

async function playStep(play: Play, step: Step): Promise<void> {
  const { reference, world } = play;
  const on = stops(step, play.now, step.at);
  for (const [n, at] of on.entries()) {
    await advance(play, at, n === on.length - 1 ? step.faults.way : null);
    reference.advance(at);
    if (step.stride === "daily") await verify(play);
  }
  const answer = await act(play, step);
  if (isHeard(step)) await world.settle();
  expectSame(`the answer to "${step.do}"`, answer, reference.perform(step));
  if (isHeard(step)) await compare(play, step.customer);
}

/** Plays a history against Billow, in an Organization of its own, and against the reference; null: they agree to the cent. */
export async function play(ctx: Context, history: History): Promise<Failure | null> {
  const playing = await open(ctx, history);
  try {
    for (const [n, step] of history.steps.entries()) {
      playing.place = n;
      await playStep(playing, step);
      const next = history.steps[n + 1];
      if (isHeard(step) && (!next || Math.floor(next.at / DAY) > Math.floor(step.at / DAY))) await verify(playing);
    }
    playing.place = history.steps.length;
    await advance(playing, Math.max(history.end, playing.now), null);
    playing.reference.advance(playing.now);
    for (let n = 0; n < history.customers; n++) await compare(playing, n);
    await verify(playing);
    await compareMoney(playing);
    return null;
  } catch (error) {
    const what = error instanceof Mismatch ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { step: playing.place, what };
  }
}
