import { cardName, Wording, type BillingDocument } from "../../documents/billing-document.ts";
import type { Context } from "../../context.ts";
import { formatDate, type Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import { endedWithTrial, kindToSend, type Email, type EmailKind } from "../../domain/email/email.ts";
import { displayName, type Organization } from "../../domain/organization/organization.ts";
import { LINK_MILLISECONDS, LINK_MINUTES } from "../../domain/customer/portal.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import type { LetterFacts } from "../../mail/letters.ts";
import { DECLINE_MESSAGES, type FailureCode } from "../../domain/payment/outcome.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { isSuperseded } from "../../store/emails.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { liveAttempt, payments } from "../../store/payments.ts";
import { products } from "../../store/products.ts";
import { liveInGroup, subscriptions } from "../../store/subscriptions.ts";
import { readInvoiceDocument } from "../invoice/invoice-document.ts";
import { invoiceUrl, portalUrl } from "../links.ts";
import { mailPortalLinks } from "../customer/portal-links.ts";
import { readCardOnFile } from "../payment/card-on-file.ts";
import { readNextCharges } from "../subscription/next-charge.ts";

/** An e-mail that is about to be sent, and how things stand at that moment. `now`: billing time; `realNow`: real time. */
export type Occasion = { ctx: Context; email: Email; organization: Organization; customer: Customer; now: Instant; realNow: Instant } & {
  /** The next charge of the Subscription, where that was read for many e-mails at once. */
  ahead?: RenewalPreview | undefined;
};

/** Why nothing is sent: what the e-mail tells of is not so any more. */
export type SkipReason =
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
type Gather<Kind extends EmailKind> = (occasion: Occasion) => Promise<Gathered<LetterFacts[Kind]> | Skip>;

const shown = (card: Parameters<typeof cardName>[0]) => cardName(card).replaceAll(" ", "\u00a0");

async function gatherReceipt({ ctx, email, organization }: Occasion): Promise<Gathered<LetterFacts["receipt"]> | Skip> {
  const invoiceId = email.invoiceId!;
  const [invoice, found] = await Promise.all([
    invoices.find(ctx.db.read, organization.id, invoiceId),
    readInvoiceDocument(ctx, organization.id, invoiceId),
  ]);
  const { document } = found!;
  const { totalAmount, currency } = invoice!;
  const total = new Wording(currency, organization.timeZone).money(totalAmount);
  return { facts: { document, seller: displayName(organization), total, url: invoiceUrl(ctx, invoice!) }, document };
}

function accessOf({ grantsSuspended, graceEndsAt }: Subscription, timeZone: string): LetterFacts["payment_failed"]["access"] {
  if (grantsSuspended) return "off";
  return graceEndsAt === null ? null : { until: formatDate(graceEndsAt, timeZone) };
}

function reasonOf(payment: Payment | null): string {
  if (payment === null) return "There is no card on file that can be charged.";
  return payment.failureCode === null ? "The bank asks you to confirm it first." : DECLINE_MESSAGES[payment.failureCode as FailureCode];
}

/** A challenge that is not to be answered any more leaves a payment that failed; while another attempt is on its way, that one tells. */
async function unpaidKind({ ctx, email, organization }: Occasion, payment: Payment | null): Promise<EmailKind | Skip> {
  const isOver = email.kind === "authentication_required" && !nextActionOf(payment!);
  if (isOver && (await liveAttempt(ctx.db.read, organization.id, email.invoiceId!))) return { skip: "no_longer_asked" };
  const kind = kindToSend(isOver ? "payment_failed" : email.kind, organization.emailsOff);
  return kind ?? { skip: isOver ? "no_longer_asked" : "switched_off" };
}

/** What is said about an invoice that is still open, of a Subscription that still goes on. */
async function gatherUnpaid(occasion: Occasion): Promise<Gathered<LetterFacts["payment_failed"]> | Skip> {
  const { ctx, email, organization, customer } = occasion;
  const db = ctx.db.read;
  const [invoice, lines, subscription, payment] = await Promise.all([
    invoices.find(db, organization.id, email.invoiceId!),
    linesOf(db, organization.id, email.invoiceId!),
    subscriptions.find(db, organization.id, email.subscriptionId!),
    email.paymentId === null ? null : payments.find(db, organization.id, email.paymentId),
  ]);
  if (invoice!.status !== "open") return { skip: invoice!.status === "paid" ? "invoice_paid" : "invoice_void" };
  if (subscription!.status === "canceled") return { skip: "subscription_ended" };
  const kind = await unpaidKind(occasion, payment);
  if (typeof kind === "object") return kind;
  if (await isSuperseded(db, email)) return { skip: "superseded" };
  const onFile = await readCardOnFile(ctx, customer, subscription!);
  const { nextRetryAt } = subscription!;
  const facts = {
    amount: new Wording(invoice!.currency, organization.timeZone).money(invoice!.amountDue),
    product: lines.at(-1)!.description,
    card: payment && shown(payment.method),
    reason: reasonOf(payment),
    isDisputed: payment?.failureCode === "card_disputed",
    retryOn: onFile && nextRetryAt !== null ? formatDate(nextRetryAt, organization.timeZone) : null,
    access: accessOf(subscription!, organization.timeZone),
    url: invoiceUrl(ctx, invoice!),
  };
  return { facts, kind };
}

const STILL = { trial_ending: "trialing", renewal_upcoming: "active" } as const;

async function gatherAhead(occasion: Occasion, kind: keyof typeof STILL): Promise<Gathered<LetterFacts["trial_ending"]> | Skip> {
  const { ctx, email, organization, customer, now } = occasion;
  const subscription = (await subscriptions.find(ctx.db.read, organization.id, email.subscriptionId!))!;
  if (subscription.status === "canceled") return { skip: "subscription_ended" };
  const isStill = subscription.status === STILL[kind] && subscription.currentPeriodEnd === email.announcedAt;
  if (!isStill || subscription.cancelAtPeriodEnd) return { skip: "changed_meanwhile" };
  if (email.announcedAt! <= now) return { skip: "past" };
  const ahead = occasion.ahead ?? (await readNextCharges(ctx, organization.id, customer.id, [subscription])).get(subscription.id);
  if (!ahead) return { skip: "changed_meanwhile" };
  const { next, productName, totalAmount, amountDue, paidBy, card, isCardDisputed } = ahead;
  if (paidBy === "nothing") return { skip: "nothing_due" };
  const { interval, intervalCount } = next;
  const facts = {
    seller: displayName(organization),
    product: productName,
    day: formatDate(email.announcedAt!, organization.timeZone),
    amount: new Wording(next.currency, organization.timeZone).money(paidBy === "charge" ? amountDue : totalAmount),
    period: intervalCount === 1 ? interval : `${intervalCount} ${interval}s`,
    paidBy: paidBy === "balance" ? "your account balance" : card && shown(card),
    isDisputed: paidBy === "charge" && isCardDisputed,
    portal: portalUrl(ctx, organization.id),
  };
  return { facts };
}

async function gatherEnd({ ctx, email, organization }: Occasion): Promise<Gathered<LetterFacts["canceled"]> | Skip> {
  const db = ctx.db.read;
  const subscription = (await subscriptions.find(db, organization.id, email.subscriptionId!))!;
  const { groupKey, customerId, productId } = subscription;
  const live = groupKey === null ? null : await liveInGroup(db, organization.id, customerId, groupKey);
  if (live) return { skip: "replaced" };
  const product = await products.find(db, organization.id, productId);
  const facts = {
    seller: displayName(organization),
    product: product!.name,
    day: formatDate(subscription.endedAt!, organization.timeZone),
    endedWithTrial: endedWithTrial(subscription),
  };
  return { facts };
}

/** Nobody waits any more for a link that was asked for so long ago. */
async function gatherSignIn(occasion: Occasion): Promise<Gathered<LetterFacts["portal_sign_in"]> | Skip> {
  const { ctx, email, organization, customer, realNow } = occasion;
  if (realNow - email.queuedAt >= LINK_MILLISECONDS) return { skip: "past" };
  const accounts = await ctx.db.tx((tx) => mailPortalLinks(ctx, tx, customer, email.id));
  if (accounts.length === 0) return { skip: "changed_meanwhile" };
  return { facts: { seller: displayName(organization), minutes: LINK_MINUTES, accounts } };
}

/** What each kind of e-mail needs to know, read at the moment it is sent; or why there is nothing to say any more. */
export const GATHER: { [Kind in EmailKind]: Gather<Kind> } = {
  receipt: gatherReceipt,
  payment_failed: gatherUnpaid,
  authentication_required: gatherUnpaid,
  trial_ending: (occasion) => gatherAhead(occasion, "trial_ending"),
  renewal_upcoming: (occasion) => gatherAhead(occasion, "renewal_upcoming"),
  renewal_failed: gatherEnd,
  canceled: gatherEnd,
  portal_sign_in: gatherSignIn,
};
