import { openCheckoutUrl } from "../../actions/links.ts";
import { carryOutPayment } from "../../actions/settle-payment.ts";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/benefit.ts";
import type { CheckoutStatus } from "../../domain/checkout.ts";
import type { Organization } from "../../domain/organization.ts";
import type { Payment } from "../../domain/payment.ts";
import type { Product } from "../../domain/product.ts";
import { isId } from "../../ids.ts";
import { statusAt } from "../../resources/checkout.ts";
import { findBenefits } from "../../store/benefits.ts";
import { readCheckout, type ReadCheckout } from "../../store/checkouts.ts";
import { organizations } from "../../store/organizations.ts";
import { liveAttempt } from "../../store/payments.ts";
import { products } from "../../store/products.ts";
import { basePath } from "../assets.ts";
import { displayName } from "../layout.ts";
import { termsOf, type Terms } from "./terms.ts";

/** A Checkout with everything that its page shows. */
export type View = {
  organization: Organization;
  checkout: ReadCheckout;
  /** Exact at this moment (rule C5). */
  status: CheckoutStatus;
  /** The attempt of a Checkout that is, or until this very request was, in `processing`. */
  payment: Payment | null;
  product: Product;
  benefits: Benefit[];
  terms: Terms;
  /** The page's own path, as a browser sees it. */
  self: string;
};

/** A buyer who comes back from their bank need not wait for a worker to ask what became of it. */
async function ask(ctx: Context, found: ReadCheckout): Promise<{ checkout: ReadCheckout; payment: Payment | null }> {
  if (found.status !== "processing") return { checkout: found, payment: null };
  const payment = await liveAttempt(ctx.db.read, found.organizationId, found.id);
  if (payment?.status !== "requires_action") return { checkout: found, payment };
  const asked = await carryOutPayment(ctx, found.organizationId, payment.id);
  return { checkout: (await readCheckout(ctx.db.read, found.organizationId, found.id))!, payment: asked };
}

/** Null for anything but the whole link of a Checkout: whoever has that may see and pay it. */
export async function findView(ctx: Context, id: string, secret: string): Promise<View | null> {
  const opened = isId("chk", id) ? openCheckoutUrl(ctx, id, secret) : null;
  const found = opened && (await readCheckout(ctx.db.read, opened.organizationId, id));
  if (!found) return null;
  const { checkout, payment } = await ask(ctx, found);
  const { organizationId, productId } = checkout;
  const organization = (await organizations.find(ctx.db.read, organizationId))!;
  const product = (await products.find(ctx.db.read, organizationId, productId))!;
  const benefits = await findBenefits(ctx.db.read, organizationId, product.benefitIds);
  const self = `${basePath(ctx)}/checkout/${id}/${secret}`;
  return withCheckout({ organization, payment, product, benefits, self }, checkout);
}

/** The same page for another state of the Checkout. */
export function withCheckout(view: Omit<View, "checkout" | "status" | "terms">, checkout: ReadCheckout): View {
  const at = checkout.completedAt ?? checkout.now;
  const terms = termsOf(checkout, view.organization.timeZone, at, displayName(view.organization));
  return { ...view, checkout, status: statusAt(checkout, checkout.now), terms };
}
