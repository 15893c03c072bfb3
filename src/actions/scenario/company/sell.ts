import { CreateCheckoutParams, PayCheckoutParams } from "../../../resources/checkout.ts";
import { CreateDiscountParams, ListDiscountsQuery } from "../../../resources/discount.ts";
import { listDiscounts } from "../../../store/discounts.ts";
import { createDiscount } from "../../catalogue/discounts.ts";
import { createCheckout } from "../../checkout/create.ts";
import { payCheckout } from "../../sandbox/pay-checkout.ts";
import { seed } from "../../sandbox/seed.ts";
import { WELCOME, type Buyer, type Deed } from "./plan.ts";
import { checkoutOf, own, type World } from "./buyer.ts";

/** Makes the demo's Products and Benefits that are missing, and the company's Discount. */
export async function makeCatalogue(world: World): Promise<void> {
  const { ctx, organizationId } = world;
  await seed(ctx, { id: organizationId });
  const [present] = await listDiscounts(ctx.db.read, organizationId, ListDiscountsQuery.parse({ code: WELCOME }));
  if (present) return;
  const terms = { type: "percentage", basisPoints: 2000, duration: "repeating", months: 3 };
  await createDiscount(ctx, own(world), CreateDiscountParams.parse({ code: WELCOME, ...terms }));
}

type Sale = { buyer: Buyer; product: string; code?: string | null };

/** Opens a Checkout for a buyer, unless a step before a crash has opened it. */
async function openCheckout(world: World, { buyer, product, code = null }: Sale) {
  const present = await checkoutOf(world, buyer);
  if (present) return present;
  const { currency, ...customer } = buyer;
  const params = { productKey: product, customer, currency, discountCode: code };
  return (await createCheckout(world.ctx, own(world), CreateCheckoutParams.parse(params))).checkout;
}

/** A buyer opens a Checkout, and has not paid yet. */
export async function look(world: World, sale: Extract<Deed, { kind: "look" }>): Promise<void> {
  await openCheckout(world, sale);
}

export async function buy(world: World, { card, ...sale }: Extract<Deed, { kind: "buy" }>): Promise<void> {
  const { id, status } = await openCheckout(world, sale);
  if (status === "open") await payCheckout(world.ctx, world.organizationId, id, PayCheckoutParams.parse({ card }));
}
