import { ListCheckoutsQuery } from "../../../resources/checkout.ts";
import { CreateDiscountParams, ListDiscountsQuery } from "../../../resources/discount.ts";
import { listDiscounts } from "../../../store/discounts.ts";
import { findProductByKey } from "../../../store/products.ts";
import { listCheckouts } from "../../../store/checkouts.ts";
import { createDiscount } from "../../catalogue/discounts.ts";
import { seed } from "../../sandbox/seed.ts";
import { setCard } from "../../sandbox/set-card.ts";
import { changeSubscription, openCheckout, openDispute, pay, refundAtOnce } from "../operations.ts";
import { own, type Sandbox } from "../world.ts";
import { WELCOME, type Buyer, type CompanyStep } from "./plan.ts";
import { ListPaymentsQuery } from "../../../resources/payment.ts";
import { ListSubscriptionsQuery } from "../../../resources/subscription.ts";
import { listPayments } from "../../../store/payments.ts";
import { listSubscriptions, type ReadSubscription } from "../../../store/subscriptions.ts";

/** The filter of a list for the newest row of a buyer. */
const newest = ({ externalId }: Buyer) => ({ externalCustomerId: externalId, limit: "1" });

/** The newest Subscription of a buyer; null without one. */
async function subscriptionOf({ ctx, organizationId }: Sandbox, buyer: Buyer): Promise<ReadSubscription | null> {
  const query = ListSubscriptionsQuery.parse(newest(buyer));
  return (await listSubscriptions(ctx.db.read, organizationId, query))[0] ?? null;
}

/** The newest payment that a buyer has made; null without one. */
async function paymentOf({ ctx, organizationId }: Sandbox, buyer: Buyer) {
  const query = ListPaymentsQuery.parse({ ...newest(buyer), status: "succeeded" });
  return (await listPayments(ctx.db.read, organizationId, query))[0] ?? null;
}

/** Makes the demo's Products and Benefits that are missing, and the company's Discount. */
async function makeCatalogue(sandbox: Sandbox): Promise<void> {
  const { ctx, organizationId } = sandbox;
  await seed(ctx, { id: organizationId });
  const [existing] = await listDiscounts(ctx.db.read, organizationId, ListDiscountsQuery.parse({ code: WELCOME }));
  if (existing) return;
  const terms = { type: "percentage", basisPoints: 2000, duration: "repeating", months: 3 };
  await createDiscount(ctx, own(sandbox), CreateDiscountParams.parse({ code: WELCOME, ...terms }));
}

type Sale = { buyer: Buyer; product: string; code?: string | null };

/** A buyer opens a Checkout, and has not paid yet. A step before a crash may have opened the Checkout. */
async function look(sandbox: Sandbox, { buyer, product, code = null }: Sale) {
  const query = ListCheckoutsQuery.parse(newest(buyer));
  const [existing] = await listCheckouts(sandbox.ctx.db.read, sandbox.organizationId, query);
  if (existing) return existing;
  const { currency, ...customer } = buyer;
  return openCheckout(sandbox, { productKey: product, customer, currency, discountCode: code });
}

/** The operations by their kinds. A operation that is repeated after a crash finds itself done, and changes no data. */
export const STEPS: {
  [Kind in CompanyStep["kind"]]: (
    sandbox: Sandbox,
    operation: Extract<CompanyStep, { kind: Kind }>,
  ) => Promise<unknown>;
} = {
  catalogue: makeCatalogue,
  look,
  async buy(sandbox, { card, ...sale }) {
    const { id, status } = await look(sandbox, sale);
    if (status === "open") await pay(sandbox, id, card);
  },
  async change(sandbox, { buyer, product }) {
    const subscription = await subscriptionOf(sandbox, buyer);
    const target = await findProductByKey(sandbox.ctx.db.read, sandbox.organizationId, product);
    // A repeated step finds the new Product, or the change that was scheduled.
    if (!subscription || !target || [subscription.productId, subscription.pendingChange?.productId].includes(target.id))
      return;
    await changeSubscription(sandbox, subscription.id, { productId: target.id });
  },
  async cancel(sandbox, { buyer, reason }) {
    const subscription = await subscriptionOf(sandbox, buyer);
    if (!subscription || subscription.cancelAtPeriodEnd) return;
    await changeSubscription(sandbox, subscription.id, { cancelAtPeriodEnd: true, cancellationReason: reason });
  },
  /** The buyer gives another card, which pays the open invoices at once. */
  async new_card(sandbox, { buyer, card }) {
    const customerId = (await subscriptionOf(sandbox, buyer))?.customerId;
    if (customerId) await setCard(sandbox.ctx, sandbox.organizationId, customerId, { card });
  },
  async refund(sandbox, { buyer, amount }) {
    const payment = await paymentOf(sandbox, buyer);
    const params = { amount, reason: "Bought by mistake", revokeGrants: true };
    if (payment?.invoiceId) await refundAtOnce(sandbox, payment.invoiceId, params);
  },
  async dispute(sandbox, { buyer }) {
    const payment = await paymentOf(sandbox, buyer);
    if (payment) await openDispute(sandbox, payment.id, {});
  },
  arrive: () => Promise.resolve(),
};
