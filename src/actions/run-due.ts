import type { Context } from "../context.ts";
import type { Instant } from "../domain/calendar.ts";
import { challengeEndsAt, type Checkout } from "../domain/checkout.ts";
import { DUE_ORDER, nextDue, type DueKind, type Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import { checkouts, simulateCheckouts } from "../store/checkouts.ts";
import { customers, lockIfFree } from "../store/customers.ts";
import { PartFirst, type Tx } from "../store/db.ts";
import { awaitsLetter } from "../store/emails.ts";
import { readOrganization } from "../store/organizations.ts";
import { liveAttempt } from "../store/payments.ts";
import { liveOfCustomer, simulate } from "../store/subscriptions.ts";
import { holdBack } from "./catch-up.ts";
import { abandonAttempt } from "./collect-invoice.ts";
import { endSubscription } from "./end-subscription.ts";
import { recordCheckout, recordSubscription } from "./record.ts";
import { renewSubscription } from "./renew-subscription.ts";
import { retryInvoices } from "./settle-invoice.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import { workOn, type Work } from "./work.ts";

type Due = { subscription: Subscription; at: Instant; kind: DueKind };

/** The Customer's due items up to `until`, but for what is held: one a Subscription, by instant, then in the order of rule T4. */
async function dueOf(work: Work, until: Instant, held: ReadonlySet<string>): Promise<Due[]> {
  const due: Due[] = [];
  for (const subscription of await liveOfCustomer(work.tx, work.organization.id, work.customer.id)) {
    const next = nextDue(subscription);
    if (next && next.at <= until && !held.has(subscription.id)) due.push({ subscription, ...next });
  }
  return due.sort((one, other) => one.at - other.at || DUE_ORDER.indexOf(one.kind) - DUE_ORDER.indexOf(other.kind));
}

async function carryOut(work: Work, { subscription, at, kind }: Due): Promise<void> {
  if (kind === "end") return endSubscription(work, subscription, "ended", at);
  if (kind === "renewal") return renewSubscription(work, subscription);
  if (kind === "retry") {
    const tried = await recordSubscription(work, { ...subscription, nextRetryAt: null }, null, at);
    return retryInvoices(work, tried, work.now, "retry");
  }
  if (kind === "notice") return giveNotice(work, subscription, at);
  const suspended = await recordSubscription(work, { ...subscription, grantsSuspended: true }, null, at);
  await syncSubscriptionGrants(work, suspended, "payment_failed", at);
}

async function giveNotice(work: Work, subscription: Subscription, at: Instant): Promise<void> {
  const type = subscription.status === "trialing" ? "subscription.trial_ending" : "subscription.renewal_upcoming";
  await recordSubscription(work, { ...subscription, noticedUntil: subscription.currentPeriodEnd }, type, at);
}

/** So many take a third of a second: other requests of an Organization wait no longer for a step of its clock, nor one for its own work. */
const MOST_AT_ONCE = 10;

/** The first of what is due on a Customer up to `until`, in order; the rest stays due. Answers how many it dealt with, ten at most. */
async function runFirst(work: Work, until: Instant): Promise<number> {
  for (let done = 0; done < MOST_AT_ONCE; done += 1) {
    const [due] = await dueOf(work, until, new Set());
    if (!due) return done;
    await carryOut(work, due);
  }
  return MOST_AT_ONCE;
}

/**
 * Carries out what is due on a Customer up to `until`, each piece as of its own instant, in order; a Subscription that has to wait for an
 * operator is held instead, and stays due (rules T3, T4). Answers how many it dealt with. What it starts to charge is recorded, not
 * waited for. Where more than ten items are due by a sandbox's clock that was set, they are left to its advance, or to parts of ten that
 * are committed before (rule T5). @throws AppError `unavailable` while the clock is advanced, PartFirst while it stands
 */
export async function runDue(work: Work, until: Instant = work.now): Promise<number> {
  const isBounded = work.organization.clockAt !== null;
  const held = new Set<string>();
  for (let done = 0; ; done += 1) {
    const [first, ...others] = await dueOf(work, until, held);
    if (!first) return done;
    if (isBounded && done + others.length >= MOST_AT_ONCE) throw tooMuchDue(work);
    if (await holdBack(work, first.subscription)) held.add(first.subscription.id);
    else await carryOut(work, first);
  }
}

const RETRY = { headers: { "Retry-After": "1" } };

function tooMuchDue({ ctx, organization, customer }: Work): AppError {
  if (organization.clockTarget !== null) {
    const detail = "The clock is being advanced, and much is due on this Customer. Send the request again after `Retry-After` seconds.";
    return new AppError("unavailable", { detail, ...RETRY });
  }
  const detail = "Much is due on this Customer, and a part of it was done. Send the request again after `Retry-After` seconds.";
  const part = async (tx: Tx) => {
    const work = await workOn(ctx, tx, organization.id, customer.id);
    if (work && isAtRest(work)) await runFirst(work, work.now);
  };
  return new PartFirst(part, { detail, ...RETRY });
}

/** Whether a sandbox's clock stands: no sweep comes by there (rule T1). */
const isAtRest = ({ organization: { clockAt, clockTarget } }: Work) => clockAt !== null && clockTarget === null;

/** Subscriptions on which a stopped advance has left something due: that waits for the next advance or request (rule T5). */
export async function leftAtRest(work: Work): Promise<ReadonlySet<string>> {
  const due = isAtRest(work) ? await dueOf(work, work.now, new Set()) : [];
  return new Set(due.map(({ subscription }) => subscription.id));
}

/** Where a clock stands, what a write has just made due is done with the write. `left`: what was due before, which stays so. */
export async function runDueAtRest(work: Work, left: ReadonlySet<string> = new Set()): Promise<void> {
  if (!isAtRest(work)) return;
  for (let [due] = await dueOf(work, work.now, left); due; [due] = await dueOf(work, work.now, left)) await carryOut(work, due);
}

/** `runDue` on a Customer by id; nothing is due on one who is not there any more. */
export async function runDueCustomer(ctx: Context, tx: Tx, organizationId: string, customerId: string, until: Instant): Promise<number> {
  const work = await workOn(ctx, tx, organizationId, customerId);
  return work ? runDue(work, until < work.now ? until : work.now) : 0;
}

/**
 * A step of an advance: carries out some of what is due on a Customer at one instant, and leaves the rest to further steps, so that
 * requests are let in between. Answers how many it dealt with: none where the Customer is still to be told by e-mail how things stand.
 */
export async function runSomeDue(ctx: Context, tx: Tx, organizationId: string, customerId: string, at: Instant): Promise<number> {
  const work = await workOn(ctx, tx, organizationId, customerId);
  if (!work || (await awaitsLetter(tx, organizationId, customerId, at))) return 0;
  return runFirst(work, at);
}

/**
 * `runDue` for the sweeps of real time. Who is held by somebody is left to them. Where the Organization's clock was set meanwhile, its
 * rows are taken out of these sweeps for good (rule T1).
 */
export async function sweepCustomer(ctx: Context, organizationId: string, customerId: string): Promise<number> {
  return ctx.db.tx(async (tx) => {
    if (!(await lockIfFree(tx, organizationId, customerId))) return 0;
    const work = await workOn(ctx, tx, organizationId, customerId);
    if (!work) return 0;
    if (work.organization.clockAt === null) return runDue(work);
    await simulate(tx, organizationId);
    return 0;
  });
}

/** An open Checkout whose time is past expires, once (rule C5); one that waits for a challenge gives it up (rule C). */
export async function expireCheckout(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<number> {
  const seen = await checkouts.find(tx, organizationId, id);
  if (!seen) return 0;
  const work = seen.customerId === null ? null : await workOn(ctx, tx, organizationId, seen.customerId);
  const now = work?.now ?? (await readOrganization(tx, organizationId)).now;
  const checkout = await checkouts.lock(tx, organizationId, id);
  if (!checkout || checkout.dueAt === null) return 0;
  if (checkout.dueAt > now) return passBy(tx, checkout);
  if (checkout.status === "open") return expire(ctx, tx, checkout);
  return work ? giveUpChallenge(work, checkout) : 0;
}

/** Not due by its Organization's clock: if that was set meanwhile, the sweeps of real time have no business here (rule T1). */
async function passBy(tx: Tx, checkout: Checkout): Promise<number> {
  const { organization } = await readOrganization(tx, checkout.organizationId);
  if (organization.clockAt !== null) await simulateCheckouts(tx, organization.id);
  return 0;
}

async function expire(ctx: Context, tx: Tx, checkout: Checkout): Promise<number> {
  const customer = checkout.customerId === null ? null : await customers.find(tx, checkout.organizationId, checkout.customerId);
  await recordCheckout({ ctx, tx, customer }, { ...checkout, status: "expired", dueAt: null }, "checkout.expired", checkout.expiresAt);
  return 1;
}

async function giveUpChallenge(work: Work, checkout: Checkout): Promise<number> {
  const live = await liveAttempt(work.tx, work.organization.id, checkout.id);
  await recordCheckout(work, { ...checkout, dueAt: null }, null, challengeEndsAt(checkout));
  if (live) await abandonAttempt(work, live, work.now);
  return 1;
}
