import type { EventType } from "../../domain/event.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { checkouts } from "../../store/checkouts.ts";
import { lastAttempt } from "../../store/payments.ts";
import { expireCheckout } from "../checkout/expire.ts";
import { CARDS, makeCustomer } from "./customer.ts";
import { openCheckout, pay } from "./operations.ts";
import { makeProduct } from "./product.ts";
import { pass, SOON_MILLISECONDS } from "./time.ts";
import type { Recipe, World } from "./world.ts";

async function makeCheckout(world: World, minutes: number | null = null): Promise<string> {
  const params = { productId: await makeProduct(world), customerId: await makeCustomer(world) };
  return (world.made["checkoutId"] = (await openCheckout(world, params, minutes)).id);
}

/** Sells a Product, once or as a Subscription. */
export async function buy(world: World, card = CARDS.pays): Promise<void> {
  const { ctx, organizationId, made } = world;
  const checkoutId = await makeCheckout(world);
  await pay(world, checkoutId, card);
  const [checkout, payment] = await Promise.all([
    checkouts.find(ctx.db.read, organizationId, checkoutId),
    lastAttempt(ctx.db.read, organizationId, checkoutId),
  ]);
  const ids = { paymentId: payment?.id, invoiceId: checkout?.invoiceId, subscriptionId: checkout?.subscriptionId };
  for (const [name, id] of Object.entries(ids)) if (id) made[name] = id;
}

export async function subscribe(world: World): Promise<string> {
  await buy(world);
  return world.made["subscriptionId"]!;
}

/** Expects that the payment is refused; passes other errors on. */
export async function refused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isRefusal(error, "card_not_saved")) throw error;
  });
}

async function expire(world: World): Promise<void> {
  const { ctx, organizationId } = world;
  const checkoutId = await makeCheckout(world, SOON_MILLISECONDS / 60_000);
  // `expiresAt` is read from the Checkout, since it counts from the Checkout's creation, not from an instant read
  // before.
  const { expiresAt } = (await checkouts.find(ctx.db.read, organizationId, checkoutId))!;
  await pass(world, expiresAt, (tx) => expireCheckout(ctx, tx, organizationId, checkoutId));
}

export const CHECKOUT_EVENTS = {
  "checkout.created": (world) => makeCheckout(world),
  "checkout.completed": (world) => buy(world),
  "checkout.expired": expire,
  "checkout.payment_failed": (world) => refused(buy(world, CARDS.declined)),
} satisfies Partial<Record<EventType, Recipe>>;
