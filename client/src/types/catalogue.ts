// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { CreateBenefitParams } from "./benefits.ts";
import type { UnitNameParams } from "./products.ts";

/** The catalogue in the form that `PUT` takes. Fields with their default are left out. */
export interface CatalogueRows {
  benefits: (Record<string, unknown>)[];
  products: (Record<string, unknown>)[];
  discounts: (Record<string, unknown>)[];
}

/** Each row is the whole row: a field that is left out has its default. Rows without a name here stay. */
export interface CatalogueParams {
  benefits?: CreateBenefitParams[];
  products?: CatalogueProduct[];
  discounts?: CatalogueDiscount[];
}

export interface CatalogueProduct {
  key: string;
  name: string;
  description?: string | null;
  /** The default of a recurring Product is `plans`. Null: the Product stands alone. */
  group?: string | null;
  interval?: "day" | "week" | "month" | "year" | null;
  /** The default of a recurring Product is 1. */
  intervalCount?: number | null;
  trialDays?: number | null;
  trialCard?: "required" | "optional";
  /** The quantities in which the Product is sold. Without this field, one unit is sold. */
  quantity?: {
    minimum?: number;
    /** Null: 100,000. */
    maximum?: number | null;
  };
  unitName?: UnitNameParams | null;
  /** The price of one unit, once for each currency. Each price × the smallest quantity that is sold is 0 or at least the minimum charge of the currency. */
  prices: ({
    /** ISO 4217. Upper case is accepted too. */
    currency: string;
    /** In the currency's minor unit: 1999 is 19.99 usd, or 1999 jpy. */
    amount: number;
  })[];
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
  /** The Benefits by key, of this catalogue or of the Organization. A Benefit without a key by id. */
  benefits?: string[];
  archived?: boolean;
}

export interface CatalogueDiscount {
  /** Letters and digits of any script, _ and -. */
  code: string;
  type: "percentage" | "fixed";
  basisPoints?: number | null;
  /** Only of a fixed discount. In the currency's minor unit (cents for usd). */
  amount?: number | null;
  currency?: string | null;
  duration: "once" | "repeating" | "forever";
  months?: number | null;
  maxRedemptions?: number | null;
  startsAt?: string | null;
  endsAt?: string | null;
  /** The Products by key, of this catalogue or of the Organization. Null: all Products. */
  products?: string[] | null;
}

export interface CatalogueResult {
  /** A row for each row of the request, in its order. */
  changes: ({
    kind: "benefit" | "product" | "discount";
    /** Of a Discount: the code. */
    key: string;
    action: "create" | "change" | "archive" | "restore" | "unchanged";
    fields: ({
      name: string;
      from: unknown;
      to: unknown;
    })[];
    /** The live Subscriptions of a changed Product. They keep their price: a price change of the Product brings them a new one. */
    subscriptions: number;
  })[];
  /** The rows of the Organization that the request does not name. They stay as they are. */
  left: ({
    kind: "benefit" | "product" | "discount";
    key: string;
  })[];
}
