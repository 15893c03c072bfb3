import type { Instant } from "../domain/calendar.ts";
import type { EarlierReport } from "../domain/model/earlier-report.ts";
import type { DisputeReport } from "../domain/model/dispute-report.ts";
import type { Locale } from "../domain/locale.ts";
import type { Amount } from "../domain/money.ts";
import type { Card, Outcome, ProviderAccount } from "../domain/model/payment-outcome.ts";
import type { RefundReport } from "../domain/model/refund-report.ts";
import type { ProviderLimits } from "./limits.ts";

/**
 * The interface to a payment provider, and all that Billow knows about it. Each call that could charge carries a key
 * that Billow chose and committed before (rule D1). Two calls with one key make one charge, and `read` answers the
 * outcome of that charge.
 */
export type PaymentProvider = {
  readonly name: string;
  /** The account at the provider; with `name`, this finds the provider of a stored card or payment again. */
  readonly account: string;
  /** The provider's limits for one process. A call that the provider answers with 429 must throw ProviderBusy. */
  readonly limits: ProviderLimits;
  /** The longest duration of one call in milliseconds, at most 40,000; then the outcome is `unknown`. */
  readonly deadline: number;
  /** The way in which a buyer gives a card. */
  readonly entry: CardEntry;
  /** Makes a card chargeable later without charging it now. */
  saveCard(request: SaveCard): Promise<Outcome>;
  /** Charges a card off-session, or in the presence of the buyer, so that the buyer can be asked to authenticate. */
  charge(request: Charge): Promise<Outcome>;
  /**
   * The outcome of the request with this key. `absent`: the provider never got this request, so it may be sent again.
   * A hosted page that was not used in its time, 30 minutes at most, is `declined` with `canceled`. If the buyer is at
   * the bank at the end of this time, the bank's answer may come later.
   */
  read(organizationId: string, key: string): Promise<Outcome | { status: "absent" }>;
  /**
   * Cancels a charge or card save, and answers its final outcome. An outcome that is already final stays; otherwise the
   * outcome is `declined`. Afterwards the buyer can neither pass the challenge nor pay on the hosted page. If the
   * provider never got the request, it refuses the request on arrival.
   */
  cancel(request: Charge | SaveCard): Promise<Outcome>;
  /** Gives back a part or the whole of a charge. Never answers `requires_action`. */
  refund(request: Refund): Promise<Outcome>;
  /** Makes the provider forget a deleted Customer and the Customer's cards. A repetition has no effect. */
  forget(organizationId: string, customerId: string): Promise<void>;
  /** A page of the provider's own book: the charges and refunds that succeeded in a span of real time. */
  history(query: HistoryQuery): Promise<HistoryPage>;
  /**
   * A page of orphans: requests at the provider with the mark of this installation and Organization that the adapter
   * has no record of, begun in a span of real time. Absent: the provider can't tell.
   */
  orphans?(query: HistoryQuery): Promise<OrphanPage>;
  /** Facts that begin at the provider, such as disputes; null: the provider has none. */
  readonly notices: Notices | null;
};

/** Finds the provider of a connected account; null: no key of this account is stored. */
export type Connected = (organizationId: string, account: ProviderAccount) => Promise<PaymentProvider | null>;

/**
 * `typed`: on our page; the provider accepts the details, which are neither stored nor logged. `hosted`: on a page of
 * the provider. A request without a card answers `requires_action` with the address of that page, and its success
 * brings the card. `origin`: the origin of that page, to which our forms may lead. `name`: the provider's name for
 * buyers.
 */
export type CardEntry =
  | { kind: "typed"; accept(organizationId: string, card: CardDetails): Promise<AcceptedCard> }
  | { kind: "hosted"; origin: string; name: string };
export type HostedPageEntry = Extract<CardEntry, { kind: "hosted" }>;

/** Card details as typed: digits and spaces. `expMonth` 1–12, `expYear` four digits. */
export type CardDetails = { number: string; expMonth: number; expYear: number; cvc: string };

/** A card that was typed on our page; `hosted`: the buyer goes to the provider's page and gives a card there. */
export type CardInput = CardDetails | "hosted";

export type CardFault = {
  field: "number" | "expiry" | "cvc";
  code: "card_number_invalid" | "card_expired" | "cvc_invalid";
  message: string;
};
export type AcceptedCard = { card: Card } | { fault: CardFault };

/** A Customer for the provider. `id`: Billow's id. `email`: null for a deleted Customer. */
export type Payer = { id: string; email: string | null; name: string | null };

/**
 * `key`: 1–255 characters, the same in each repetition of a request. Two requests with one key name the same amount,
 * currency and card, or the second one is an error. Their other parts may differ: two copies of one database send one
 * key (rule D1a). `card`: the provider's id of the card; null: the buyer gives a card on the provider's page.
 * `description`: for the seller's own reading at the provider. `page`: the buyer's words on the provider's page; null
 * with a card. `returnUrl`: the page after a challenge or a hosted page; the address holds no secret.
 */
export type SaveCard = {
  organizationId: string;
  key: string;
  card: string | null;
  customer: Payer;
  description: string;
  page: PageText | null;
  returnUrl: string;
};
/**
 * `article`: the name of the thing that the buyer pays, as the buyer knows it. `locale`: the language of the reader;
 * null: not known, so the browser's.
 */
export type PageText = { article: string; locale: Locale | null };
/** `statement`: the seller's name for the buyer's card statement; the provider shortens it. */
export type Charge = SaveCard & {
  amount: Amount;
  currency: string;
  presence: "buyer" | "off_session";
  statement: string;
};
export type Refund = { organizationId: string; key: string; chargeKey: string; amount: Amount };

/** `from` is included, `to` is not. `cursor`: `next` of the page before; null: the first page. */
export type HistoryQuery = { organizationId: string; from: Instant; to: Instant; cursor: string | null };
export type HistoryPage = { entries: HistoryEntry[]; next: string | null };
/**
 * A charge or refund in the provider's book. `key`: the key of Billow's request; null: made outside of Billow.
 * `chargeKey`: the key of the refunded charge; null for a charge. `ref`: the provider's own id.
 */
export type HistoryEntry = {
  kind: "charge" | "refund";
  ref: string;
  key: string | null;
  chargeKey: string | null;
  amount: Amount;
  currency: string;
  createdAt: Instant;
};

/** `key`: the key that the request bears. `status`: the provider's own word for the state of the request. */
export type Orphan = Pick<HistoryEntry, "ref" | "amount" | "currency" | "createdAt"> & { key: string; status: string };
export type OrphanPage = { orphans: Orphan[]; next: string | null };

/** A charge in the provider's own book, to be compared with ours. */
export type ProviderCharge = {
  organizationId: string;
  key: string;
  amount: Amount;
  currency: string;
  createdAt: Instant;
};

/**
 * A state that began or changed at the provider. A report may come late, twice and in any order. `payment`: the outcome
 * of this key may have changed, so `read` is called; `charge`: the entry of the provider's book, if the object tells
 * that the money was taken. `card`: the bank has replaced or ended a card; `card` null: the card can't be charged any
 * more. `earlier`: a refund or a dispute of another system's charge for a Customer of ours.
 */
export type ProviderReport =
  | { kind: "payment"; key: string; charge: HistoryEntry | null }
  | { kind: "refund"; refund: RefundReport }
  | { kind: "dispute"; dispute: DisputeReport }
  | { kind: "card"; ref: string; card: Card | null }
  | { kind: "earlier"; earlier: EarlierReport };

/**
 * A pointer to an object at the provider. Only the object that `look` reads counts, never the reference's own content.
 */
export type EventRef = { id: string; type: string; object: string };

/**
 * A page of the cards on file at this account, by the provider's ids. `after`: `next` of the page before; null: the
 * first page. `next` is free of spaces.
 */
export type CardPages = (after: string | null) => Promise<{ refs: string[]; next: string | null }>;

export type Notices = {
  /** The references of an inbound notice; null: the signature does not hold. Reads no database and no network. */
  verify(headers: ReadonlyMap<string, string>, body: Uint8Array): EventRef[] | null;
  /**
   * A page of the references after a cursor, oldest first; `cursor` null: from now on. A reference may come again.
   * `more`: the next page can be read at once. If the provider has forgotten references after the cursor, the
   * references name all objects that may have changed: disputes, refunds, and by `cards` the cards on file.
   */
  since(
    organizationId: string,
    cursor: string | null,
    cards: CardPages,
  ): Promise<{ refs: EventRef[]; cursor: string | null; more: boolean }>;
  /** The present reports behind a reference. `unmatched`: the object is not of this installation. */
  look(organizationId: string, ref: EventRef): Promise<ProviderReport[] | "unmatched">;
};
