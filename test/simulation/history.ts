/** A day of 24 hours in milliseconds. */
export const DAY = 86_400_000;

export type Interval = "day" | "week" | "month" | "year";
export type Every = { interval: Interval; count: number };
export type Behavior = "invoice_now" | "next_invoice" | "next_period" | "none";

/** The sandbox's cards by their behavior. */
export const CARDS = {
  pays: "4242424242424242",
  declined: "4000000000000002",
  failsLater: "4000000000000341",
  asksBuyer: "4000000000003220",
  answerLost: "4000000000000507",
} as const;
export type CardName = keyof typeof CARDS;

/** Currencies of two, zero and three decimals, each with its minimum charge in minor units (rule M5). */
export const MINIMUM: Record<string, number> = { usd: 50, eur: 50, jpy: 50, huf: 17_500, kwd: 500, isk: 50 };

/** The quantities in which a Product is sold. */
export type Limits = { minimum: number; maximum: number };
export const ONE_UNIT: Limits = { minimum: 1, maximum: 1 };

/**
 * A Product, named by its index in the list. `every` is null for a one-time Product. `benefits` holds the numbers of
 * its Benefits. `quantity` absent: the Product is sold as one unit. Prices are those of a unit.
 */
export type PlannedProduct = {
  quantity?: Limits;
  group: string | null;
  every: Every | null;
  trialDays: number | null;
  trialCard: "required" | "optional";
  prices: Record<string, number>;
  benefits: number[];
};

/**
 * `off` is in basis points of a price or in minor units of a currency. `products` holds the numbers of the covered
 * Products; null covers all.
 */
export type PlannedDiscount = {
  off: { basisPoints: number } | { amount: number; currency: string };
  duration: "once" | "repeating" | "forever";
  months: number | null;
  most: number | null;
  from: number | null;
  until: number | null;
  products: number[] | null;
};

export type TaxRate = {
  country: string;
  region: string | null;
  basisPoints: number;
  inclusive: boolean;
  reverseCharge: boolean;
};
/** The location of a buyer, which decides the tax. */
export type TaxLocation = { country: string; region: string | null; taxId: TaxIdKind | null };
/**
 * A tax id of the location's own country, of another country, or of a type without a check. Billow accepts all three,
 * but only `own` fits the location.
 */
export type TaxIdKind = "own" | "foreign" | "unchecked";
/** A Customer. With `atPage`, the location is given at the payment instead of at the creation. */
export type PlannedBuyer = { location: TaxLocation | null; atPage: boolean };

/**
 * A fault at call number `call`: `die` counts the calls to database and provider, `lose` only those to the provider.
 * The call fails before or after its work (`side`).
 */
export type Fault = { kind: "die" | "lose"; call: number; side: "before" | "after" };

/** `country` is the seller's. `rise` and `fall`: the defaults of a quantity alone; absent: `invoice_now`. */
export type Settings = {
  rise?: Behavior;
  fall?: Behavior;
  zone: string;
  retryDays: number[];
  graceDays: number;
  behavior: Behavior;
  taxRates: TaxRate[];
  country: string | null;
};

/**
 * An action of a buyer or an operator. `sub` and `invoice` choose among the Customer's live Subscriptions and (open)
 * invoices by number, modulo their count; -1 is the newest.
 */
export type Action =
  /** `quantity` absent or null: the smallest one that is offered. */
  | {
      do: "buy";
      product: number;
      quantity?: number | null;
      currency: string;
      card: CardName | null;
      typed: boolean;
      discount: number | null;
    }
  /** `amount` is that of one unit. */
  | {
      do: "enroll";
      product: number;
      quantity?: number | null;
      currency: string;
      amount: number | null;
      begun: number | null;
      anchor: number | null;
      trial: number | null;
    }
  /** `reprice`: the request asks for the catalogue's price. `finish` is the card that is given on the page of a 402. */
  | {
      do: "change";
      sub: number;
      product: number;
      quantity?: number | null;
      behavior: Behavior | null;
      reprice: boolean;
      undo: boolean;
      finish: CardName | null;
    }
  /** Another quantity alone. */
  | {
      do: "units";
      sub: number;
      quantity: number;
      behavior: Behavior | null;
      undo: boolean;
      finish: CardName | null;
    }
  | { do: "upgrade"; sub: number; product: number; quantity?: number | null; card: CardName }
  /** Another plan in the portal, with the card on file. `quantity` null or absent: the present one. */
  | { do: "plan"; sub: number; product: number; quantity?: number | null }
  /** Another quantity in the portal, with the card on file. */
  | { do: "planUnits"; sub: number; quantity: number }
  | { do: "cancel"; sub: number }
  | { do: "undo"; sub: number }
  | { do: "cancelNow"; sub: number }
  /** `until`: the planned resume, so many milliseconds from now; null: the pause has no planned end. */
  | { do: "pause"; sub: number; until: number | null; access: "revoke" | "keep" }
  /** Gives a running Subscription a discount from the next period on; null takes its discount off. */
  | { do: "give"; sub: number; discount: number | null }
  /** Moves the end of a trial by so many milliseconds. */
  | { do: "lengthen"; sub: number; by: number }
  /** Ends a pause, or undoes one that has not begun. */
  | { do: "resume"; sub: number }
  | { do: "card"; card: CardName }
  /** A card for one Subscription alone, or the default card for it, or the end of a purchase that is not recognized. */
  | { do: "oneCard"; sub: number; card: CardName }
  | { do: "defaultCard"; sub: number }
  | { do: "disown"; sub: number }
  /** The provider detaches the default card. */
  | { do: "detach" }
  | { do: "bank"; pass: boolean; heard: boolean }
  | { do: "move"; location: TaxLocation | null }
  /**
   * `part` is a share of the charge, or for the balance a share of the total that is not refunded yet; null refunds the
   * default amount.
   */
  | { do: "refund"; invoice: number; part: number | null; to: "card" | "balance"; revoke: boolean }
  /** The buyer pays an open invoice on its page. */
  | { do: "page"; invoice: number; card: CardName }
  | { do: "pay"; invoice: number }
  | { do: "void"; invoice: number }
  | { do: "markPaid"; invoice: number }
  | { do: "adjust"; currency: string; amount: number }
  /** `part` is a share of the available balance; null pays all of it out that came from cards. */
  | { do: "payout"; currency: string; part: number | null }
  /** A refund to a card fails after its success; `refund` counts from the oldest that has succeeded. */
  | { do: "failRefund"; refund: number }
  /** An operator refunds a charge at the provider; `part` is a share of the rest of the charge, null the whole rest. */
  | { do: "refundOutside"; invoice: number; part: number | null }
  /** The buyer disputes the payment of an invoice at the bank. `win` and `lose` decide one of the open disputes. */
  | { do: "dispute"; invoice: number }
  | { do: "win"; dispute: number }
  | { do: "lose"; dispute: number }
  | { do: "forget"; forfeit: boolean }
  | { do: "price"; product: number; prices: Record<string, number> }
  /**
   * A round that brings the present prices to present Subscriptions. `own`: for the Product of the Customer's first
   * live Subscription, if there is one. `prices`: an edit of the Product right before; null: none. `currencies` null:
   * all. `before`: only Subscriptions that began so many milliseconds ago. `below`: only smaller prices of a unit.
   * `hold`: the round is paused at once.
   */
  | {
      do: "reprice";
      product: number;
      own: boolean;
      prices: Record<string, number> | null;
      currencies: string[] | null;
      before: number | null;
      below: number | null;
      days: number;
      consent: "notice" | "required";
      hold: boolean;
    }
  /** A request to the newest round. */
  | { do: "round"; act: "pause" | "resume" | "stop" | "withdraw" }
  /** The Customer agrees in the portal to the first new price that waits. */
  | { do: "consent" }
  | { do: "limits"; product: number; quantity: Limits }
  | { do: "archive"; product: number; archived: boolean }
  | { do: "benefits"; product: number; benefits: number[] }
  | { do: "settings"; settings: Partial<Settings> };
export type ActionName = Action["do"];
export type ActionOf<Name extends ActionName> = Extract<Action, { do: Name }>;

/**
 * One dated step: the clock goes to `at` at once or in smaller steps, then a Customer (by number) acts. `faults` fall
 * on the way and on the request. With `repeat`, an answered request is sent a second time.
 */
export type Dated = {
  at: number;
  stride: "jump" | "halves" | "daily";
  customer: number;
  faults: { way: Fault | null; request: Fault | null };
  repeat: boolean;
};
export type Step = Dated & Action;
export type StepOf<Name extends ActionName> = Dated & ActionOf<Name>;

/** All that happens in one sandbox. No step depends on the outcome of another one, so any step can be left out. */
export type History = {
  seed: number;
  start: number;
  end: number;
  buyers: PlannedBuyer[];
  settings: Settings;
  products: PlannedProduct[];
  discounts: PlannedDiscount[];
  steps: Step[];
};

// The visible state of a Customer, in one shape for Billow and for the reference calculator.

export type LineSeen = {
  product: number;
  units: number;
  amount: number;
  discount: number;
  tax: number;
  proration: boolean;
  from: string | null;
  to: string | null;
};
export type InvoiceSeen = {
  reason: string;
  status: string;
  at: string;
  currency: string;
  lines: LineSeen[];
  total: number;
  balance: number;
  due: number;
  paid: number;
  refunded: number;
  refundableToCard: number;
  refundableToBalance: number;
  nextAttemptAt: string | null;
};
export type SubscriptionSeen = {
  product: number;
  status: string;
  units: number;
  price: string;
  from: string;
  to: string;
  trialEnd: string | null;
  cancelAt: string | null;
  endedAt: string | null;
  pending: string | null;
  pause: string | null;
  newPrice: string | null;
  /** The discount from the next period on, by its number, if it is not the held one. */
  nextDiscount: string | null;
  /** The Subscription ended because its Customer has not agreed to a new price. */
  unaccepted: boolean;
};
export type BalanceSeen = { amount: number; held: number; available: number };
/**
 * `payment` is the number of the invoice whose charge the credit came from, and `line` the credited line as
 * `invoice.line`, both counted from 0.
 */
export type EntrySeen = {
  currency: string;
  amount: number;
  reason: string;
  source: string | null;
  payment: number | null;
  line: string | null;
  remaining: number;
};
/**
 * Subscriptions and invoices are oldest first, and entries newest first. `balances` is by currency. `access` holds the
 * grants as `grantText` writes them.
 */
export type CustomerSeen = {
  subscriptions: SubscriptionSeen[];
  invoices: InvoiceSeen[];
  balances: Record<string, BalanceSeen>;
  entries: EntrySeen[];
  access: string[];
};
/** Steps that have a preview. */
export type Previewed = StepOf<"change" | "units" | "cancelNow" | "reprice" | "give" | "lengthen">;
/** The preview of a change or of `cancel-now`: its lines, the charge, the gain of the balance, the next invoice. */
export type PreviewSeen = {
  lines: number[];
  charge: number;
  balance: number;
  next: { date: string; total: number } | null;
};

export const newPriceText = (unit: number, amount: number, at: string, consentedAt: string | null): string =>
  `${unit}, so ${amount}, from ${at}, agreed ${consentedAt}`;

/** The units of live Subscriptions by status (rule R9). */
export type UnitsSeen = Record<"trialing" | "active" | "pastDue" | "paused", number>;

/** Every second Benefit has a number for each unit (rule B5). */
export const isPerUnit = (benefit: number): boolean => benefit % 2 === 0;
export const valueOf = (benefit: number): number => 10 + benefit;
/** A grant of a Benefit, with its quantity and its number. */
export const grantText = (benefit: number, quantity: number, value: number): string =>
  `${benefit}: ${quantity} units, ${value}`;

/** `2024-02-29T23:30:00.000Z`. */
export const iso = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
export const priceText = (amount: number, currency: string, { interval, count }: Every): string =>
  `${amount} ${currency} / ${count} ${interval}`;
