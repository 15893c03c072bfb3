import { failAtProvider } from "../sandbox/fail-at-provider.ts";
import { BENEFIT_GRANT_EVENTS } from "./benefit-grant.ts";
import { CHECKOUT_EVENTS, buy, refused } from "./checkout.ts";
import { CUSTOMER_EVENTS, CARDS, giveCard } from "./customer.ts";
import { PAYMENT_ACCOUNT_EVENTS } from "./payment-account.ts";
import { PRICE_EVENTS } from "./price-change.ts";
import { PRODUCT_EVENTS } from "./product.ts";
import { SUBSCRIPTION_EVENTS } from "./subscription.ts";
import type { DisputeOutcome } from "../../domain/model/dispute.ts";
import type { EventType } from "../../domain/event.ts";
import { closeDispute, escalateDispute } from "../dispute/dispute.ts";
import { openDispute, refundAtOnce } from "./operations.ts";
import { own, type Recipe, type World } from "./world.ts";
import { settleCustomer } from "../payment/settle-customer.ts";
import { voidByHand } from "../invoice/by-hand.ts";
import { assign } from "./assign.ts";
import { announceExpiry } from "../../domain/collection/expiry.ts";
import { billingNow } from "../../store/organizations.ts";
import { inBilling } from "../customer-billing.ts";
import { detachAtProvider, updateAtProvider } from "../sandbox/change-card.ts";
import { openPauses } from "../../store/payment-pauses.ts";
import { takeChargesAgain } from "../sandbox/take-charges-again.ts";

async function refund(world: World): Promise<void> {
  await buy(world);
  world.made["refundId"] = await refundAtOnce(world, world.made["invoiceId"]!, {});
}

async function lateFailure(world: World): Promise<void> {
  await refund(world);
  const { ctx, organizationId, made } = world;
  await failAtProvider(ctx, organizationId, made["refundId"]!, { failureCode: "card_gone" });
}

const REFUND_EVENTS = {
  "refund.created": refund,
  "refund.failed": lateFailure,
} satisfies Partial<Record<EventType, Recipe>>;

/** Begins a pause, after the end of an earlier one. */
async function pause(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  await takeChargesAgain(ctx, organizationId);
  await buy(world, CARDS.refusesAccount);
  const [begun] = await openPauses(ctx.db.read, organizationId);
  if (begun) made["pauseId"] = begun.id;
}

const PAYMENTS_EVENTS = {
  "payments.paused": pause,
  "payments.resumed": async (world) => {
    await pause(world);
    await takeChargesAgain(world.ctx, world.organizationId);
  },
} satisfies Partial<Record<EventType, Recipe>>;

const PAYMENT_EVENTS = {
  "payment.succeeded": (world) => buy(world),
  "payment.failed": (world) => refused(buy(world, CARDS.declined)),
  "payment.action_required": (world) => buy(world, CARDS.asksBuyer),
} satisfies Partial<Record<EventType, Recipe>>;

/** The expiry of the new card. A test card is never valid for so long. */
const REPLACED = { expMonth: 1, expYear: 9999, last4: null };

/**
 * Makes the card of a Subscription expire with this month. If the month has more than 30 days left, the announcement is
 * made early.
 */
async function expireSoon(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  const id = await giveCard(world);
  await assign(world);
  const today = new Date(await billingNow(ctx.db.read, organizationId));
  const month = { expMonth: today.getUTCMonth() + 1, expYear: today.getUTCFullYear(), last4: null };
  await updateAtProvider(ctx, organizationId, id, month);
  const key = { organizationId, id: made["customerId"]! };
  await ctx.db.tx((tx) =>
    inBilling(ctx, tx, key, (billing) => {
      const card = billing.cards.get(id)!;
      if (!card.expiryAnnounced) announceExpiry(billing, card, billing.now);
    }),
  );
}

const PAYMENT_METHOD_EVENTS = {
  "payment_method.expiring": expireSoon,
  "payment_method.updated": async (world) =>
    updateAtProvider(world.ctx, world.organizationId, await giveCard(world), REPLACED),
  "payment_method.detached": async (world) => detachAtProvider(world.ctx, world.organizationId, await giveCard(world)),
} satisfies Partial<Record<EventType, Recipe>>;

const INVOICE_EVENTS = {
  "invoice.created": (world) => buy(world),
  "invoice.paid": (world) => buy(world),
  "invoice.payment_failed": assign,
  "invoice.held": async (world) => {
    await giveCard(world, CARDS.refused);
    await assign(world);
    await settleCustomer(world.ctx, world.organizationId, world.made["customerId"]!);
  },
  "invoice.voided": async (world) => {
    await assign(world);
    await voidByHand(world.ctx, own(world), world.made["invoiceId"]!, { reason: null });
  },
  "invoice.refunded": refund,
} satisfies Partial<Record<EventType, Recipe>>;

async function dispute(world: World, outcome: DisputeOutcome | null = null, params = {}): Promise<void> {
  const { ctx, made } = world;
  await buy(world);
  const id = (made["disputeId"] = await openDispute(world, made["paymentId"]!, params));
  if (outcome) await closeDispute(ctx, own(world), id, { outcome });
}

const DISPUTE_EVENTS = {
  "dispute.created": (world) => dispute(world),
  "dispute.updated": async (world) => {
    await dispute(world, null, { inquiry: true });
    await escalateDispute(world.ctx, own(world), world.made["disputeId"]!);
  },
  "dispute.closed": (world) => dispute(world, "lost"),
} satisfies Partial<Record<EventType, Recipe>>;

/** The recipes of all events but those of the webhook endpoints. */
export const RECIPES = {
  ...CUSTOMER_EVENTS,
  ...CHECKOUT_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...PRICE_EVENTS,
  ...INVOICE_EVENTS,
  ...PAYMENT_EVENTS,
  ...PAYMENT_ACCOUNT_EVENTS,
  ...PAYMENT_METHOD_EVENTS,
  ...PAYMENTS_EVENTS,
  ...REFUND_EVENTS,
  ...DISPUTE_EVENTS,
  ...BENEFIT_GRANT_EVENTS,
  ...PRODUCT_EVENTS,
};

export type Trigger = keyof typeof RECIPES;
export const TRIGGERS = Object.keys(RECIPES) as Trigger[];
