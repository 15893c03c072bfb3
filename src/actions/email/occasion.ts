import type { Context } from "../../context.ts";
import type { BillingDocument } from "../../documents/billing-document.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { Email, EmailKind } from "../../domain/email/email.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";

/** An e-mail that is about to be sent, and how things stand at that moment. `now`: billing time; `realNow`: real time. */
export type Occasion = { ctx: Context; email: Email; organization: Organization; customer: Customer; now: Instant; realNow: Instant } & {
  /** The Subscription that the e-mail names, if any. */
  subscription: Subscription | null;
  /** The next charge of the Subscription, where next charges were read for many e-mails at once. */
  ahead?: RenewalPreview | undefined;
};

/** The e-mail is not sent: the thing that it tells of is not so any more. */
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

/** `document`: to be attached. `kind`: what it is by now, where that is another than was queued. */
export type Gathered<Facts> = { facts: Facts; document?: BillingDocument; kind?: EmailKind };
