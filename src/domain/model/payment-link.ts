import { newId } from "../../ids.ts";
import type { Instant } from "../calendar.ts";
import type { Locale } from "../locale.ts";
import type { CheckoutField } from "./checkout-field.ts";
import type { Metadata } from "./product.ts";
import type { QuantityRange } from "./quantity.ts";

/** The terms of a payment link that its seller chooses. They are those of the Checkouts that its page makes. */
export type PaymentLinkTerms = {
  /** The caller's own name of the link. */
  key: string | null;
  /** The name of the link for the seller. Buyers do not see this name. */
  name: string;
  /** The Products for sale, in the order of the page: 1 to 10. */
  productIds: string[];
  /** Null: each Product in its default currency. */
  currency: string | null;
  /** Null: the number in the visited address, else the smallest one of the Product. */
  quantity: number | null;
  /** The quantities among which the buyer may choose; null: the quantity is fixed. */
  quantityChange: QuantityRange | null;
  discountCode: string | null;
  /** Whether the buyer may type a code in the Checkout. */
  allowDiscountCodes: boolean;
  /** Null: the language of the browser. */
  locale: Locale | null;
  successUrl: string | null;
  /** The seller's own fields of the Checkouts (rule C14a); null: there are none. */
  fields: CheckoutField[] | null;
  metadata: Metadata;
  /** False: the page sells no more. */
  active: boolean;
};

/** A public page on which buyers choose among Products. Only a click there makes a Checkout. */
export type PaymentLink = PaymentLinkTerms & {
  organizationId: string;
  id: string;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** A link with its counts. `visits`: loads of its page, also by programs. `purchases`: completed Checkouts. */
export type CountedPaymentLink = PaymentLink & { visits: number; checkouts: number; purchases: number };

export function newPaymentLink(organizationId: string, terms: PaymentLinkTerms, now: Instant): PaymentLink {
  return { ...terms, organizationId, id: newId("plk"), version: 1, createdAt: now, updatedAt: now };
}
