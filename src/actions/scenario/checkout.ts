import type { EventType } from "../../domain/event.ts";
import { AppError } from "../../errors.ts";
import { CreateCheckoutParams, PayCheckoutParams } from "../../resources/checkout.ts";
import { checkouts } from "../../store/checkouts.ts";
import { lastAttempt } from "../../store/payments.ts";
import { createCheckout } from "../checkout/create.ts";
import { expireCheckout } from "../checkout/expire.ts";
import { payCheckout } from "../sandbox/pay-checkout.ts";
import { CARDS, makeCustomer } from "./customer.ts";
import { makeProduct } from "./product.ts";
import { pass, SOON_MILLISECONDS } from "./time.ts";
import { own, type Recipe, type World } from "./world.ts";

async function makeCheckout(world: World, minutes: number | null = null): Promise<string> {
  const { ctx, made } = world;
  const params = CreateCheckoutParams.parse({
    productId: await makeProduct(world),
    customerId: await makeCustomer(world),
  });
  return (made["checkoutId"] = (
    await createCheckout(ctx, own(world), { ...params, expiresInMinutes: minutes })
  ).checkout.id);
}

/** Sells a Product, once or as a Subscription. */
export async function buy(world: World, card = CARDS.pays): Promise<void> {
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

export async function subscribe(world: World): Promise<string> {
  await buy(world);
  return world.made["subscriptionId"]!;
}

/** Expects that the payment is refused; passes other errors on. */
export async function refused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === "payment_failed")) throw error;
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
