import type { Context } from "../../context.ts";
import type { BillingDocument } from "../../documents/billing-document.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { BuyerEmailKind, Email } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import type { Words } from "../../texts/words.ts";

/**
 * An e-mail that is about to be sent, and the current state of the rows that it names. `now`: billing time; `realNow`:
 * real time. `words`: in the Customer's language.
 */
export type EmailContext = {
  ctx: Context;
  email: Email;
  organization: Organization;
  customer: Customer;
  words: Words;
  now: Instant;
  realNow: Instant;
} & {
  /** The Subscription that the e-mail names, if any. */
  subscription: Subscription | null;
  /** The next charge of the Subscription, if next charges were read for many e-mails at once. */
  ahead?: RenewalPreview | undefined;
};

/** The reason why an e-mail is not sent: its contents are out of date, or its kind is switched off. */
type SkipReason =
  | "customer_deleted"
  | "invoice_paid"
  | "invoice_void"
  | "subscription_ended"
  | "no_longer_asked"
  | "changed_meanwhile"
  | "switched_off"
  | "superseded"
  | "past"
  | "nothing_due"
  | "replaced";
export type Skip = { skip: SkipReason };

/** `recipient`: the e-mail address. */
type Recipient = { name: string; recipient: string };
/**
 * `document`: the attachment. `kind`: the present kind of the e-mail, if it differs from the queued kind. `to`: the
 * recipient, if the e-mail does not go to the Customer's present address.
 */
export type LoadedFacts<Facts> = { facts: Facts; document?: BillingDocument; kind?: BuyerEmailKind; to?: Recipient };
