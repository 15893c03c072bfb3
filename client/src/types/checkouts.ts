// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { ProductKey } from "../catalogue.ts";
import type { CreateCustomerParams } from "./customers.ts";

export interface CreateCheckoutParams {
  productId?: string | null;
  productKey?: ProductKey | null;
  customerId?: string | null;
  externalCustomerId?: string | null;
  customer?: CreateCustomerParams | null;
  /** The Subscription that changes to the Product once the Checkout is paid. No new Subscription is made. */
  subscriptionId?: string | null;
  /** The number of units, within the limits of the Product. The default is the smallest number that is offered. With a `subscriptionId`, the default is the present quantity. */
  quantity?: number | null;
  /** The buyer may choose among these quantities on the page, which are within the limits of the Product. Null: the quantity is fixed. */
  quantityChange?: {
    minimum?: number;
    /** Null: 100,000. */
    maximum?: number | null;
  } | null;
  currency?: string | null;
  discountCode?: string | null;
  /** Whether the buyer may type a discount code on the page. */
  allowDiscountCodes?: boolean;
  successUrl?: string | null;
  cancelUrl?: string | null;
  locale?: string | null;
  /** The default is 24 hours. */
  expiresInMinutes?: number | null;
  fields?: CheckoutFieldParams[] | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export type CheckoutFieldParams = {
  type: "choice";
  /** Your own name of the field. The key names the value in `fieldValues`. */
  key: string;
  label: FieldLabelParams;
  /** True: the buyer can't order without a value. A required check box has to be ticked. */
  required?: boolean;
  options: ({
    value: string;
    label: FieldLabelParams;
  })[];
} | {
  type: "text";
  /** Your own name of the field. The key names the value in `fieldValues`. */
  key: string;
  label: FieldLabelParams;
  /** True: the buyer can't order without a value. A required check box has to be ticked. */
  required?: boolean;
  maxLength?: number;
} | {
  type: "number";
  /** Your own name of the field. The key names the value in `fieldValues`. */
  key: string;
  label: FieldLabelParams;
  /** True: the buyer can't order without a value. A required check box has to be ticked. */
  required?: boolean;
  min?: number | null;
  max?: number | null;
} | {
  type: "checkbox";
  /** Your own name of the field. The key names the value in `fieldValues`. */
  key: string;
  label: FieldLabelParams;
  /** True: the buyer can't order without a value. A required check box has to be ticked. */
  required?: boolean;
};

/** One text, or a text by the language of the page. A language that is left out is shown in English, else in the first of de, fr, es and ja that is given. */
export type FieldLabelParams = string | {
  en?: string;
  de?: string;
  fr?: string;
  es?: string;
  ja?: string;
};

export interface Checkout {
  id: string;
  /** `processing`: the payment is submitted, and its outcome is not known yet. */
  status: "open" | "processing" | "completed" | "expired";
  /** The hosted page. The secret in the address opens only this Checkout. */
  url: string;
  /** The payment link that sold the Product. Null: an operation made the Checkout. */
  paymentLinkId: string | null;
  productId: string;
  customerId: string | null;
  externalCustomerId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The number of units, from 1 to 100,000. */
  quantity: number;
  /** The quantities among which the buyer may choose on the page. Null: the quantity is fixed. */
  quantityChange: {
    minimum: number;
    maximum: number;
  } | null;
  /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
  unitAmount: number;
  /** Null: the unit has no name. */
  unitName: UnitName | null;
  /** The price of today, in the currency's minor unit. With a trial, the price is 0. */
  subtotalAmount: number;
  /** In the currency's minor unit (cents for usd). */
  discountAmount: number;
  /** Null while tax may be due and no billing country is known. `totalAmount`, `balanceApplied` and `amountDue` are then null too. */
  taxAmount: number | null;
  /** `subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`. */
  totalAmount: number | null;
  /** The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to `totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or `customer.externalId`. A part that the provider can't charge counts in any case: the provider charges some currencies in multiples (rule M5). While the status is `open`, the amount follows the balance. `processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to the balance or collect a debt. The amount is then below 0. */
  balanceApplied: number | null;
  /** The amount that the card pays today, in the currency's minor unit, 0 or more. */
  amountDue: number | null;
  /** The list price of all units that renews, before discount and tax. */
  recurringAmount: number | null;
  interval: "day" | "week" | "month" | "year" | null;
  intervalCount: number | null;
  trialDays: number | null;
  discountId: string | null;
  allowDiscountCodes: boolean;
  /** `{CHECKOUT_ID}` in the address is replaced by the id of the Checkout. */
  successUrl: string | null;
  cancelUrl: string | null;
  /** The language tag (BCP 47) of the page. Null: the language of the Customer, else the language of the browser. */
  locale: string | null;
  lastPaymentError: {
    code: string;
    message: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  expiresAt: string;
  completedAt: string | null;
  /** Your own questions to the buyer on the page. Null: there are none. */
  fields: CheckoutField[] | null;
  /** The buyer's values of your own fields, by key. An optional field without a value is left out. Null: the purchase has no fields, or is not submitted. */
  fieldValues: Record<string, string | number | boolean> | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

/** The noun of a unit, by the language of the page: `one` beside the number 1, `other` beside larger numbers. A language that is left out is shown in English, else in the first of de, fr, es and ja that is given. */
export interface UnitName {
  en?: {
    one: string;
    other: string;
  };
  de?: {
    one: string;
    other: string;
  };
  fr?: {
    one: string;
    other: string;
  };
  es?: {
    one: string;
    other: string;
  };
  ja?: {
    one: string;
    other: string;
  };
}

export type CheckoutField = {
  type: "choice";
  key: string;
  label: FieldLabel;
  required: boolean;
  options: ({
    value: string;
    label: FieldLabel;
  })[];
} | {
  type: "text";
  key: string;
  label: FieldLabel;
  required: boolean;
  maxLength: number;
} | {
  type: "number";
  key: string;
  label: FieldLabel;
  required: boolean;
  min: number | null;
  max: number | null;
} | {
  type: "checkbox";
  key: string;
  label: FieldLabel;
  required: boolean;
};

/** One text, or a text by the language of the page. A language that is left out is shown in English, else in the first of de, fr, es and ja that is given. */
export type FieldLabel = string | {
  en?: string;
  de?: string;
  fr?: string;
  es?: string;
  ja?: string;
};

export interface ListCheckoutsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  customerId?: string;
  externalCustomerId?: string;
  productId?: string;
  subscriptionId?: string;
  status?: "open" | "processing" | "completed" | "expired";
}
