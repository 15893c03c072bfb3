// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { ProductKey } from "../catalogue.ts";
import type { CheckoutField, CheckoutFieldParams } from "./checkouts.ts";

export interface CreatePaymentLinkParams {
  key?: string | null;
  name: string;
  products: PaymentLinkProductParams[];
  currency?: string | null;
  /** The number of units. Null, without a `quantityChange`: the number in the visited address, else the smallest one. */
  quantity?: number | null;
  /** The quantities among which the buyer may choose. Null: the quantity is fixed. */
  quantityChange?: {
    minimum?: number;
    /** Null: 100,000. */
    maximum?: number | null;
  } | null;
  discountCode?: string | null;
  /** Whether the buyer may type a code in the Checkout. */
  allowDiscountCodes?: boolean;
  locale?: string | null;
  successUrl?: string | null;
  fields?: CheckoutFieldParams[] | null;
  /** The metadata of each Checkout that the page makes. */
  metadata?: Record<string, string | number | boolean>;
  active?: boolean;
}

export interface PaymentLinkProductParams {
  productId?: string | null;
  productKey?: ProductKey | null;
}

export interface PaymentLink {
  id: string;
  key: string | null;
  /** Buyers do not see this name. */
  name: string;
  /** The public page. Its address takes `product`, `quantity`, `currency`, `discount`, `lang`, `email` and `reference` in the query. */
  url: string;
  /** The pricing table, for a frame on any site. */
  tableUrl: string;
  /** False: the page sells no more. */
  active: boolean;
  /** In the order of the page. */
  products: ({
    productId: string;
  })[];
  /** Null: each Product in its default currency. */
  currency: string | null;
  quantity: number | null;
  quantityChange: {
    minimum: number;
    maximum: number;
  } | null;
  discountCode: string | null;
  allowDiscountCodes: boolean;
  /** Null: the language of the browser. */
  locale: string | null;
  successUrl: string | null;
  /** Your own questions to the buyer on the page. Null: there are none. */
  fields: CheckoutField[] | null;
  /** Loads of the page, counted within a few seconds. Programs that read the page count, too. */
  visits: number;
  /** The Checkouts that clicks on the page made. */
  checkouts: number;
  /** The Checkouts that were completed. */
  purchases: number;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface UpdatePaymentLinkParams {
  name?: string;
  products?: PaymentLinkProductParams[];
  currency?: string | null;
  /** The number of units. Null, without a `quantityChange`: the number in the visited address, else the smallest one. */
  quantity?: number | null;
  /** The quantities among which the buyer may choose. Null: the quantity is fixed. */
  quantityChange?: {
    minimum?: number;
    /** Null: 100,000. */
    maximum?: number | null;
  } | null;
  discountCode?: string | null;
  /** Whether the buyer may type a code in the Checkout. */
  allowDiscountCodes?: boolean;
  locale?: string | null;
  successUrl?: string | null;
  fields?: CheckoutFieldParams[] | null;
  /** The metadata of each Checkout that the page makes. */
  metadata?: Record<string, string | number | boolean>;
  active?: boolean;
}

export interface ListPaymentLinksParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  key?: string;
  productId?: string;
  active?: boolean;
}
