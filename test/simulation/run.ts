import { createOrganization } from "../../src/actions/organization/create-organization.ts";
import type { Context } from "../../src/context.ts";
import { instant } from "../../src/domain/calendar.ts";
import { audit } from "../support/audit.ts";
import { compareExplanations } from "./explanations.ts";
import {
  DAY,
  iso,
  isPerUnit,
  ONE_UNIT,
  valueOf,
  type CustomerSeen,
  type Fault,
  type History,
  type Step,
} from "./history.ts";
import { answerOf, look, Mismatch, ok, type Names } from "./look.ts";
import { expectSame, send, type Play } from "./play.ts";
import type { OpenSide } from "./provider-side.ts";
import { Reference } from "./reference.ts";
import { compareRounds } from "./rounds.ts";
import { openSandboxSide } from "./sandbox-side.ts";
import { pricesBody, settingsBody } from "./bodies.ts";
import { act } from "./steps.ts";
import { createWorld, type World } from "./world.ts";

/** A disagreement between Billow and the reference. `step` is the index of the first step at which a check failed. */
export type Failure = { step: number; what: string };

/**
 * Billow and the reference at the same place of a history. `heard` is false while Billow does not know yet how a
 * buyer answered the bank. `active` is true if anything was done since the books were last verified.
 */
type Both = Play & { reference: Reference; now: number; heard: boolean; active: boolean };

async function advance(play: Both, to: number, fault: Fault | null): Promise<void> {
  const { world } = play;
  const request = { method: "POST", path: "/manage/v1/sandbox/clock/advance", body: { to: iso(to) } };
  let reply = await send(play, request, fault);
  // The clock waits for the provider, so the news of the provider must arrive.
  for (; reply.status === 202; reply = await world.call(request)) await world.settle();
  if (reply.status !== 200) throw new Mismatch(`the clock does not go to ${iso(to)}: ${answerOf(reply)}`);
  play.now = to;
  if (reply.body.done > 0) play.active = true;
}

/** The instants at which the clock stops on the way to a step. */
function stops({ stride }: Step, from: number, to: number): number[] {
  if (stride === "daily")
    return Array.from({ length: Math.ceil((to - from) / DAY) }, (_, n) => Math.min(from + (n + 1) * DAY, to));
  if (stride === "halves")
    return [from + Math.floor((to - from) / 2), to].filter((at, n, all) => at > (all[n - 1] ?? from));
  return to > from ? [to] : [];
}

function expectCustomer(name: string, billow: CustomerSeen, reference: CustomerSeen): void {
  for (const [n, sub] of reference.subscriptions.entries())
    expectSame(`${name}, subscription ${n + 1}`, billow.subscriptions[n], sub);
  for (const [n, invoice] of reference.invoices.entries())
    expectSame(`${name}, invoice ${n + 1}`, billow.invoices[n], invoice);
  expectSame(name, billow, reference);
}

async function compare({ world, names, customers, reference }: Both, number: number): Promise<void> {
  expectCustomer(`c${number}`, await look(world, names, customers[number] ?? null), reference.seen(number));
}

/**
 * Checks that captures less refunds equal the value of the delivered lines plus the balances, within the roundings
 * that the rules allow.
 */
async function compareMoney({ side, reference }: Both): Promise<void> {
  const captured = await side.money();
  const expected = reference.money();
  for (const currency of new Set([...captured.keys(), ...expected.keys()])) {
    const { value, off } = expected.get(currency) ?? { value: 0, off: 0 };
    const taken = captured.get(currency) ?? 0;
    if (Math.abs(taken - value) > off + 0.001)
      throw new Mismatch(`${currency}: cards paid ${taken}, but it is worth ${value} ± ${off}`);
  }
}

/** Checks the units of live Subscriptions, as the metrics count them (rule R9). */
async function compareUnits({ world, reference, now }: Both): Promise<void> {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO("UTC").toPlainDate();
  // The day in the Organization's zone is this one or a neighbour.
  const span = `from=${day.subtract({ days: 1 })}&to=${day.add({ days: 2 })}`;
  for (const [currency, units] of reference.units()) {
    const path = `/manage/v1/metrics?${span}&currency=${currency}`;
    const { data } = await ok(world.call({ method: "GET", path }));
    expectSame(`the units in ${currency}`, data.at(-1).units, units);
  }
}

async function verify(play: Both): Promise<void> {
  const { world } = play;
  play.active = false;
  const found = await audit(world.ctx.db, world.organizationId);
  if (found.length > 0) throw new Mismatch(`the books disagree:\n  ${found.join("\n  ")}`);
}

async function nameAll(world: World, { products, discounts }: History): Promise<Names> {
  const create = async (path: string, body: object): Promise<string> =>
    (await ok(world.call({ method: "POST", path: `/manage/v1${path}`, body }))).id;
  const names: Names = { products: [], benefits: [], discounts: [] };
  for (let n = 0; n <= products.length; n++) {
    names.benefits.push(
      await create("/benefits", {
        type: "feature",
        name: `b${n}`,
        properties: { feature: `b${n}`, value: valueOf(n), perUnit: isPerUnit(n) },
      }),
    );
  }
  for (const [n, { every, group, trialDays, trialCard, prices, benefits, quantity = ONE_UNIT }] of products.entries()) {
    const recurring = every && { interval: every.interval, intervalCount: every.count, group, trialDays, trialCard };
    const benefitIds = benefits.map((benefit) => names.benefits[benefit]);
    names.products.push(
      await create("/products", { name: `p${n}`, prices: pricesBody(prices), quantity, benefitIds, ...recurring }),
    );
  }
  for (const [n, { off, duration, months, most, from, until, products: covered }] of discounts.entries()) {
    const type = "basisPoints" in off ? "percentage" : "fixed";
    const dates = { startsAt: from && iso(from), endsAt: until && iso(until) };
    const productIds = covered?.map((product) => names.products[product]) ?? null;
    const body = { code: `D${n}`, type, ...off, duration, months, maxRedemptions: most, ...dates, productIds };
    names.discounts.push(await create("/discounts", body));
  }
  return names;
}

async function open(ctx: Context, history: History, openSide: OpenSide): Promise<Both> {
  const { settings, buyers, start, seed } = history;
  const wanted = { name: "Simulation", mode: "sandbox", timeZone: settings.zone, clock: instant(start) } as const;
  const { id: organizationId } = await ctx.db.tx((tx) => createOrganization(tx, wanted));
  const side = await openSide(ctx, organizationId, seed);
  const world = createWorld(side.ctx, organizationId, side.arrive);
  await ok(world.call({ method: "PATCH", path: "/manage/v1/organization", body: settingsBody(settings) }));
  const names = await nameAll(world, history);
  const customers = buyers.map(() => null);
  return {
    world,
    side,
    history,
    names,
    minimums: history.products.map(({ quantity = ONE_UNIT }) => quantity.minimum),
    customers,
    gone: [],
    rounds: [],
    index: 0,
    reference: new Reference(history, side.traits),
    now: start,
    heard: true,
    active: true,
  };
}

async function playStep(play: Both, step: Step): Promise<void> {
  const { reference, world } = play;
  const on = stops(step, play.now, step.at);
  for (const [n, at] of on.entries()) {
    // Billow learns of an unheard answer at the bank with the first advance. Then no fault falls on the way, because
    // the fault would hit the news of that answer and not Billow's own work.
    await advance(play, at, play.heard && n === on.length - 1 ? step.faults.way : null);
    reference.advance(at);
    if (step.stride === "daily" && play.active) await verify(play);
  }
  const answer = await act(play, step, (change) => reference.preview(change));
  const heard = step.do !== "bank" || step.heard;
  if (heard) await world.settle();
  play.heard = heard;
  if (!/^(nobody|409|422)/.test(answer)) play.active = true;
  expectSame(`the answer to "${step.do}"`, answer, reference.perform(step));
  if (heard) await compare(play, step.customer);
}

async function playAll(play: Both): Promise<void> {
  const { history, reference } = play;
  for (const [n, step] of history.steps.entries()) {
    play.index = n;
    await playStep(play, step);
    const next = history.steps[n + 1];
    if (play.heard && play.active && (!next || Math.floor(next.at / DAY) > Math.floor(step.at / DAY)))
      await verify(play);
  }
  play.index = history.steps.length;
  await advance(play, Math.max(history.end, play.now), null);
  reference.advance(play.now);
  for (const n of history.buyers.keys()) await compare(play, n);
  for (const [n, gone] of reference.seenGone().entries()) {
    expectCustomer(`deleted ${n}`, await look(play.world, play.names, play.gone[n]!.id, true), gone);
  }
  expectSame("the provider's book", await play.side.differences(), []);
  await verify(play);
  await compareMoney(play);
  await compareUnits(play);
  await compareRounds(play, reference.seenPrices());
  await compareExplanations(play.world);
}

/**
 * Plays a history against Billow, in an Organization of its own, and against the reference. Returns null if both
 * agree to the cent.
 */
export async function playHistory(
  ctx: Context,
  history: History,
  openSide: OpenSide = openSandboxSide,
): Promise<Failure | null> {
  const playing = await open(ctx, history, openSide);
  try {
    await playAll(playing);
    return null;
  } catch (error) {
    const what =
      error instanceof Mismatch
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    return { step: playing.index, what };
  } finally {
    await playing.side.close();
  }
}
