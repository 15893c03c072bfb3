import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { addCalendar, addDays24, formatInstant, instant, type Instant } from "../../domain/calendar.ts";
import type { DisputeOutcome } from "../../domain/dispute/dispute.ts";
import type { EventType } from "../../domain/event.ts";
import { RENEWAL_NOTICE_DAYS, TRIAL_NOTICE_DAYS } from "../../domain/subscription/subscription.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { ListManagedBenefitGrantsQuery } from "../../resources/benefit-grant.ts";
import { CreateBenefitParams } from "../../resources/benefit.ts";
import { CreateCheckoutParams, PayCheckoutParams } from "../../resources/checkout.ts";
import { CreateCustomerParams } from "../../resources/customer.ts";
import { DisputePaymentParams } from "../../resources/dispute.ts";
import { ListEventsQuery } from "../../resources/event.ts";
import { ActivateLicenseParams } from "../../resources/license.ts";
import { CreateProductParams } from "../../resources/product.ts";
import { CreateRefundParams } from "../../resources/refund.ts";
import { CreateSubscriptionParams } from "../../resources/subscription.ts";
import { listGrants } from "../../store/benefit-grants.ts";
import { checkouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/db.ts";
import { listEvents } from "../../store/events.ts";
import { openInvoicesOf } from "../../store/invoices.ts";
import { billingNow, readOrganization } from "../../store/organizations.ts";
import { lastAttempt, unsettledOf } from "../../store/payments.ts";
import { advanceClock } from "./advance-clock.ts";
import { createBenefit } from "../catalogue/benefits.ts";
import { cancelNow } from "../subscription/cancel-now.ts";
import { updateSubscription } from "../subscription/change.ts";
import { createCheckout } from "../checkout/create.ts";
import { createCustomer } from "../customer/create-customer.ts";
import { createSubscription } from "../subscription/create.ts";
import { deleteCustomer } from "../customer/delete.ts";
import { closeDispute, disputePayment } from "../dispute/dispute.ts";
import { activateLicense } from "../benefit/licenses.ts";
import { ownOrigin } from "../origin.ts";
import { createProduct, updateProduct } from "../catalogue/products.ts";
import { refundInvoice } from "../refund/request.ts";
import { expireCheckout, runDueCustomer } from "../due.ts";
import { payCheckout, setCard } from "./sandbox.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { carryOutRefund } from "../refund/carry-out.ts";
import { updateCustomer } from "../customer/update-customer.ts";
import { voidByHand } from "../invoice/by-hand.ts";

/** What a trigger has made so far, by the name that resources refer to it with. */
type Made = Record<string, string>;
type World = { ctx: Context; organizationId: string; made: Made };

const own = <Row>({ organizationId }: World) => ownOrigin<Row>(organizationId);

const CARDS = { pays: "4242 4242 4242 4242", declined: "4000 0000 0000 0002", asksBuyer: "4000 0000 0000 3220" };
/** What is to be due in a moment is due after so long: enough to be made before. */
const SOON_MILLISECONDS = 2_000;

async function makeProduct(world: World, more: object = {}): Promise<string> {
  const { ctx, made } = world;
  const product = { name: "Triggered", interval: "month", group: null, prices: [{ currency: "usd", amount: 1000 }] };
  return (made["productId"] ??= (await createProduct(ctx, own(world), CreateProductParams.parse({ ...product, ...more }))).id);
}

async function makeCustomer(world: World): Promise<string> {
  const { ctx, made } = world;
  const params = { email: `${newId("evt")}@example.com`, name: "Triggered", billingAddress: { country: "US" } };
  return (made["customerId"] ??= (await createCustomer(ctx, own(world), CreateCustomerParams.parse(params))).id);
}

async function makeCheckout(world: World, minutes: number | null = null): Promise<string> {
  const { ctx, made } = world;
  const params = CreateCheckoutParams.parse({ productId: await makeProduct(world), customerId: await makeCustomer(world) });
  return (made["checkoutId"] = (await createCheckout(ctx, own(world), { ...params, expiresInMinutes: minutes })).checkout.id);
}

/** Sells a Product, once or as a Subscription. */
async function buy(world: World, card = CARDS.pays): Promise<void> {
  const { ctx, organizationId, made } = world;
  const checkoutId = await makeCheckout(world);
  await payCheckout(ctx, organizationId, checkoutId, PayCheckoutParams.parse({ card }));
  const [checkout, payment] = await Promise.all([
    checkouts.find(ctx.db.read, organizationId, checkoutId),
    lastAttempt(ctx.db.read, organizationId, checkoutId),
  ]);
  const ids = { paymentId: payment?.id, invoiceId: checkout?.invoiceId, subscriptionId: checkout?.subscriptionId };
  for (const [name, id] of Object.entries(ids)) if (id) made[name] = id;
}

async function subscribe(world: World): Promise<string> {
  await buy(world);
  return world.made["subscriptionId"]!;
}

async function giveCard(world: World): Promise<void> {
  await setCard(world.ctx, world.organizationId, await makeCustomer(world), { card: CARDS.pays });
}

/** A Subscription that no Checkout sold; without a card it is past due at once. */
async function assign(world: World, more: object = {}): Promise<string> {
  const { ctx, organizationId, made } = world;
  const params = { productId: await makeProduct(world), customerId: await makeCustomer(world), ...more };
  const { subscription } = await createSubscription(ctx, own(world), CreateSubscriptionParams.parse(params));
  const [invoice] = await openInvoicesOf(ctx.db.read, organizationId, subscription.id);
  if (invoice) made["invoiceId"] = invoice.id;
  return (made["subscriptionId"] = subscription.id);
}

/** An instant of billing time that comes in a moment. */
async function soon({ ctx, organizationId }: World): Promise<Instant> {
  return instant((await billingNow(ctx.db.read, organizationId)) + SOON_MILLISECONDS);
}

/** Waits for an instant by the database's clock, which need not go as ours does. */
async function waitFor(ctx: Context, organizationId: string, at: Instant): Promise<void> {
  for (;;) {
    const left = at - (await readOrganization(ctx.db.read, organizationId)).realNow;
    if (left <= 0) return;
    await sleep(left);
  }
}

/** Lets billing time come to `at`: a clock of its own is moved, else it is waited for. What is due by then on `due` is carried out. */
async function pass({ ctx, organizationId, made }: World, at: Instant, due: (tx: Tx) => Promise<number>): Promise<void> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  if (organization.clockAt === null) {
    await waitFor(ctx, organizationId, at);
    await ctx.db.tx(due);
    // Whoever works beside us may have begun them.
    const unsettled = await unsettledOf(ctx.db.read, organizationId, made["customerId"]!);
    for (const id of unsettled) await carryOutPayment(ctx, organizationId, id);
    return;
  }
  let advance = await advanceClock(ctx, organizationId, { to: at });
  while (!advance.arrived) advance = await advanceClock(ctx, organizationId, { to: at });
}

const passPeriod = (world: World, at: Instant) =>
  pass(world, at, (tx) => runDueCustomer(world.ctx, tx, world.organizationId, world.made["customerId"]!, at));

/** When a period of so many days has to have begun to end at `end`, also where days have 23 or 25 hours. */
async function daysBefore({ ctx, organizationId }: World, days: number, end: Instant): Promise<Instant> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  const guess = addDays24(end, -days);
  return instant(guess - (addCalendar(guess, organization.timeZone, `P${days}D`) - end));
}

/** A payment that is refused is what was wanted. */
async function refused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === "payment_failed")) throw error;
  });
}

async function change(world: World, params: object): Promise<void> {
  const { ctx, made } = world;
  await updateSubscription(ctx, own(world), made["subscriptionId"]!, params);
}

async function upgrade(world: World): Promise<void> {
  const group = newId("prd").toLowerCase();
  await makeProduct(world, { group });
  await subscribe(world);
  delete world.made["productId"];
  await change(world, { productId: await makeProduct(world, { group, prices: [{ currency: "usd", amount: 2000 }] }) });
}

async function renew(world: World): Promise<void> {
  await giveCard(world);
  // Just too short for a notice of its end, and no more of them than need be for whoever moves the clock on afterwards.
  const days = 27;
  await makeProduct(world, { interval: "day", intervalCount: days });
  const end = await soon(world);
  await assign(world, { startedAt: formatInstant(await daysBefore(world, days, end)) });
  await passPeriod(world, end);
}

async function endTrial(world: World): Promise<void> {
  await giveCard(world);
  const trialEnd = await soon(world);
  await assign(world, { trialEnd: formatInstant(trialEnd) });
  await passPeriod(world, trialEnd);
}

/** A trial, or a period of so many days, of whose end notice is given in a moment. */
async function nearEnd(world: World): Promise<void> {
  const at = await soon(world);
  await assign(world, { trialEnd: formatInstant(addDays24(at, TRIAL_NOTICE_DAYS)) });
  await passPeriod(world, at);
}

async function nearRenewal(world: World): Promise<void> {
  await giveCard(world);
  const days = 30;
  await makeProduct(world, { interval: "day", intervalCount: days });
  const at = await soon(world);
  await assign(world, { startedAt: formatInstant(await daysBefore(world, days, addDays24(at, RENEWAL_NOTICE_DAYS))) });
  await passPeriod(world, at);
}

async function expire(world: World): Promise<void> {
  const { ctx, organizationId } = world;
  const checkoutId = await makeCheckout(world, SOON_MILLISECONDS / 60_000);
  // Its time runs from its own making, which is later than whatever was read before.
  const { expiresAt } = (await checkouts.find(ctx.db.read, organizationId, checkoutId))!;
  await pass(world, expiresAt, (tx) => expireCheckout(ctx, tx, organizationId, checkoutId));
}

/** What a Product with a license key grants to who buys it. */
async function grant(world: World): Promise<string> {
  const { ctx, organizationId, made } = world;
  const benefit = CreateBenefitParams.parse({ type: "license_key", name: "Triggered" });
  const benefitId = (made["benefitId"] = (await createBenefit(ctx, own(world), benefit)).id);
  await makeProduct(world, { benefitIds: [benefitId] });
  const subscriptionId = await subscribe(world);
  const [granted] = await listGrants(ctx.db.read, organizationId, ListManagedBenefitGrantsQuery.parse({ subscriptionId }));
  made["benefitGrantId"] = granted!.id;
  return granted!.properties["key"]!;
}

async function refund(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  await buy(world);
  made["refundId"] = (await refundInvoice(ctx, own(world), made["invoiceId"]!, CreateRefundParams.parse({}))).id;
  await carryOutRefund(ctx, organizationId, made["refundId"]);
}

async function dispute(world: World, outcome?: DisputeOutcome): Promise<void> {
  const { ctx, made } = world;
  await buy(world);
  const { id } = await disputePayment(ctx, own(world), made["paymentId"]!, DisputePaymentParams.parse({}));
  made["disputeId"] = id;
  if (outcome) await closeDispute(ctx, own(world), id, { outcome });
}

async function recover(world: World): Promise<void> {
  await assign(world);
  await giveCard(world);
}

async function cancelAtOnce(world: World): Promise<void> {
  await cancelNow(world.ctx, own(world), world.made["subscriptionId"]!, {});
}

async function scheduleCancellation(world: World): Promise<void> {
  await subscribe(world);
  await change(world, { cancelAtPeriodEnd: true });
}

/** What brings each event about, once; other events that belong to it come along. */
const RECIPES = {
  "customer.created": makeCustomer,
  "customer.updated": async (world) => updateCustomer(world.ctx, own(world), await makeCustomer(world), { name: "Renamed" }),
  "customer.deleted": async (world) => deleteCustomer(world.ctx, own(world), await makeCustomer(world), false),
  "checkout.created": (world) => makeCheckout(world),
  "checkout.completed": (world) => buy(world),
  "checkout.expired": expire,
  "checkout.payment_failed": (world) => refused(buy(world, CARDS.declined)),
  "subscription.created": subscribe,
  "subscription.trial_ending": nearEnd,
  "subscription.renewal_upcoming": nearRenewal,
  "subscription.activated": endTrial,
  "subscription.renewed": renew,
  "subscription.updated": upgrade,
  "subscription.cancellation_scheduled": scheduleCancellation,
  "subscription.cancellation_undone": async (world) => {
    await scheduleCancellation(world);
    await change(world, { cancelAtPeriodEnd: false });
  },
  "subscription.past_due": assign,
  "subscription.recovered": recover,
  "subscription.canceled": async (world) => {
    await subscribe(world);
    await cancelAtOnce(world);
  },
  "invoice.created": (world) => buy(world),
  "invoice.paid": (world) => buy(world),
  "invoice.payment_failed": assign,
  "invoice.voided": async (world) => {
    await assign(world);
    await voidByHand(world.ctx, own(world), world.made["invoiceId"]!, { reason: null });
  },
  "invoice.refunded": refund,
  "payment.succeeded": (world) => buy(world),
  "payment.failed": (world) => refused(buy(world, CARDS.declined)),
  "payment.action_required": (world) => buy(world, CARDS.asksBuyer),
  "refund.created": refund,
  "dispute.created": (world) => dispute(world),
  "dispute.closed": (world) => dispute(world, "lost"),
  "benefit_grant.granted": grant,
  "benefit_grant.updated": async (world) => {
    const key = await grant(world);
    await activateLicense(world.ctx, own(world), ActivateLicenseParams.parse({ organizationId: world.organizationId, key }));
  },
  "benefit_grant.revoked": async (world) => {
    await grant(world);
    await cancelAtOnce(world);
  },
  "product.created": makeProduct,
  "product.updated": async (world) => updateProduct(world.ctx, own(world), await makeProduct(world), { name: "Renamed" }),
} satisfies Partial<Record<EventType, (world: World) => Promise<unknown>>>;

export type Trigger = keyof typeof RECIPES;
/** What a trigger can bring about: everything but what endpoints themselves tell of. */
export const TRIGGERS = Object.keys(RECIPES) as Trigger[];

/** Whether the log tells of it, of one of these resources. */
async function isTold(ctx: Context, organizationId: string, type: Trigger, made: Made): Promise<boolean> {
  const logs = Object.values(made).map((resourceId) =>
    listEvents(ctx.db.read, organizationId, ListEventsQuery.parse({ type, resourceId, limit: 1 })),
  );
  return (await Promise.all(logs)).some((log) => log.length > 0);
}

/**
 * Makes what the event tells of happen, by the same actions that requests call, to resources of its own; answers their ids, and whether
 * the event is in the log.
 */
export async function triggerEvent(ctx: Context, organizationId: string, type: Trigger): Promise<{ made: Made; told: boolean }> {
  const made: Made = {};
  await RECIPES[type]({ ctx, organizationId, made });
  return { made, told: await isTold(ctx, organizationId, type, made) };
}
