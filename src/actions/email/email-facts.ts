import { type BuyerEmailKind, endedWithTrial, kindToSend } from "../../domain/model/email.ts";
import type { EmailFacts } from "../../mail/email-contents.ts";
import { loadAhead, loadCardRequest } from "./ahead-facts.ts";
import { loadDropped, loadScheduled, loadUndone } from "./cancellation-facts.ts";
import { loadPause, loadPauseUndone } from "./pause-facts.ts";
import { loadPriceChange, loadPriceReminder } from "./price-change-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";
import { loadOrder, loadReceipt } from "./receipt-facts.ts";
import { displayName } from "../../domain/model/organization.ts";
import { cardName, brandName } from "../../domain/model/card-name.ts";
import type { EndFacts } from "../../mail/subscription.ts";
import { portalCardUrl, portalUrl, emailChangeUrl, invoiceUrl } from "../links.ts";
import { CONFIRM_HOURS, maskedLocalPart, UNDO_DAYS, type EmailChange } from "../../domain/model/email-change.ts";
import type { EmailChangedFacts, EmailConfirmFacts } from "../../mail/email-change.ts";
import { changesOf } from "../../store/email-changes.ts";
import { endsWithRetry, type Subscription } from "../../domain/model/subscription.ts";
import { products } from "../../store/products.ts";
import { liveInGroup } from "../../store/subscriptions.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Instant } from "../../domain/calendar.ts";
import { expiresAt, goingOnWith } from "../../domain/collection/expiry.ts";
import type { ExpiringFacts } from "../../mail/card.ts";
import { readCustomerBilling } from "../customer-billing.ts";
import { LINK_MILLISECONDS, LINK_MINUTES } from "../../domain/model/portal-session.ts";
import type { SignInFacts } from "../../mail/sign-in.ts";
import { mailPortalLinks } from "../customer/portal-links.ts";
import type { LongerTrialFacts, TrialFacts } from "../../mail/trial.ts";
import { readDeliverables } from "./deliverables.ts";
import { readNextCharge } from "./next-charge-facts.ts";
import type { UnpaidFacts } from "../../mail/payment.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { payments, liveAttempt } from "../../store/payments.ts";
import { accessSentence, unpaidReason } from "../../texts/unpaid-notice.ts";
import { readCardOnFile } from "../payment/card-on-file.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { isSuperseded } from "../../store/emails.ts";

/**
 * The kind under which an e-mail about an open invoice is sent now, or the reason to skip the e-mail. A challenge that
 * can't be answered any more counts as a failed payment. While another attempt is under way, such an e-mail is skipped,
 * because the other attempt leads to an e-mail of its own (rule E4c).
 */
async function unpaidKind(
  { ctx, email, organization }: EmailContext,
  payment: Payment | null,
): Promise<BuyerEmailKind | Skip> {
  const isOver = email.kind === "authentication_required" && !nextActionOf(payment!);
  if (isOver && (await liveAttempt(ctx.db.read, organization.id, email.invoiceId!))) return { skip: "no_longer_asked" };
  const kind = kindToSend(isOver ? "payment_failed" : email.kind, organization.emailsOff);
  if (kind === null) return { skip: isOver ? "no_longer_asked" : "switched_off" };
  return (await isSuperseded(ctx.db.read, email)) ? { skip: "superseded" } : (kind as BuyerEmailKind);
}

/** The facts of an open invoice, if its Subscription has not ended (rule E4b). */
async function loadUnpaid(context: EmailContext): Promise<LoadedFacts<UnpaidFacts> | Skip> {
  const { ctx, email, organization, customer, subscription, words } = context;
  const db = ctx.db.read;
  const [invoice, lines, payment] = await Promise.all([
    invoices.find(db, organization.id, email.invoiceId!),
    linesOf(db, organization.id, email.invoiceId!),
    email.paymentId === null ? null : payments.find(db, organization.id, email.paymentId),
  ]);
  if (invoice!.status !== "open") return { skip: invoice!.status === "paid" ? "invoice_paid" : "invoice_void" };
  if (subscription!.status === "canceled") return { skip: "subscription_ended" };
  const kind = await unpaidKind(context, payment);
  if (typeof kind === "object") return kind;
  const onFile = await readCardOnFile(ctx, customer, subscription!);
  const { nextRetryAt } = subscription!;
  const isRetried = onFile && nextRetryAt !== null;
  const product = lines.at(-1)!.productName ?? lines.at(-1)!.description;
  const facts = {
    amount: words.money(invoice!.amountDue, invoice!.currency),
    product,
    card: payment?.method ? cardName(payment.method) : null,
    reason: unpaidReason(words, payment),
    isDisputed: payment?.failureCode === "card_disputed",
    retryOn: isRetried ? words.day(nextRetryAt, organization.timeZone) : null,
    end: isRetried && endsWithRetry(subscription!) ? words.unpaidNotice.endsWithRetry({ product }) : null,
    access: accessSentence(words, subscription!, organization.timeZone),
    url: invoiceUrl(ctx, invoice!),
  };
  return { facts, kind };
}

/**
 * The facts of a trial that has begun, with the deliverables. The deliverables were granted in the transaction that
 * queued the e-mail. An invoice follows only at the end of the trial, so the e-mail has no document (rule E4e).
 */
async function loadTrial(context: EmailContext): Promise<LoadedFacts<TrialFacts> | Skip> {
  const { ctx, email, organization, words } = context;
  const { id, status, productId, trialEnd } = context.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (status !== "trialing") return { skip: "past" };
  const db = ctx.db.read;
  const [product, deliverables, next] = await Promise.all([
    products.find(db, email.organizationId, productId),
    readDeliverables(context, { subscriptionId: id }),
    readNextCharge(context),
  ]);
  const facts = {
    product: product?.name ?? "",
    seller: displayName(organization),
    day: words.day(trialEnd!, organization.timeZone),
    portal: portalUrl(ctx, organization.id),
    website: organization.websiteUrl,
    deliverables,
    next,
  };
  return { facts };
}

/**
 * Makes sign-in links for all Customers with the e-mail address. If the e-mail is older than `LINK_MILLISECONDS`, it is
 * skipped, because the visitor no longer waits for a link (rule E8).
 */
async function loadSignIn(context: EmailContext): Promise<LoadedFacts<SignInFacts> | Skip> {
  const { ctx, email, organization, customer, realNow } = context;
  if (realNow - email.queuedAt >= LINK_MILLISECONDS) return { skip: "past" };
  const accounts = await ctx.db.tx((tx) => mailPortalLinks(ctx, tx, customer, email.id));
  if (accounts.length === 0) return { skip: "changed_meanwhile" };
  return { facts: { seller: displayName(organization), minutes: LINK_MINUTES, accounts } };
}

/** The cards of going Subscriptions that expire at this instant, each with the ids of the Products. */
function expiring(billing: CustomerBilling, at: Instant) {
  const { timeZone } = billing.organization;
  const found = [...goingOnWith(billing)].map(([id, subscriptions]) => {
    const { expMonth, expYear, brand, last4 } = billing.cards.get(id)!;
    return { expMonth, expYear, brand, last4, subscriptions: subscriptions.map((each) => [each.id, each.productId]) };
  });
  return found.filter((card) => expiresAt(card, timeZone) === at);
}

/**
 * The facts of a card that expires at the announced instant, if a Subscription still goes on with the card (rule E4g).
 */
async function loadExpiring(context: EmailContext): Promise<LoadedFacts<ExpiringFacts> | Skip> {
  const { ctx, email, organization, customer, now } = context;
  if (email.announcedAt! <= now) return { skip: "past" };
  const key = { organizationId: organization.id, id: customer.id };
  const cards = await readCustomerBilling(ctx, key, (billing) => expiring(billing, email.announcedAt!));
  const card = cards.find((each) => each.subscriptions.some(([id]) => id === email.subscriptionId)) ?? cards[0];
  if (!card) return { skip: "changed_meanwhile" };
  const ids = card.subscriptions.map(([, productId]) => productId!);
  const sold = await products.findAll(ctx.db.read, organization.id, ids);
  const { brand, last4, expMonth, expYear } = card;
  const names = [...new Set(ids)].map((id) => sold.get(id)!.name);
  const url = portalCardUrl(ctx, organization.id);
  return { facts: { brand: brandName(brand), last4, expMonth, expYear, products: names, url } };
}

function endOf(subscription: Subscription): EndFacts["ended"] {
  if (subscription.cancellationReason === "unrecognized") return "unrecognized";
  if (subscription.cancellationReason === "price_not_accepted") return "price";
  return endedWithTrial(subscription) ? "trial" : "paid";
}

/**
 * The facts of a Subscription that has ended. The e-mail is skipped if another Subscription of the same group has
 * replaced it (rule E4f).
 */
async function loadEnd({
  ctx,
  organization,
  subscription,
  words,
}: EmailContext): Promise<LoadedFacts<EndFacts> | Skip> {
  const db = ctx.db.read;
  const { groupKey, customerId, productId, endedAt } = subscription!;
  const live = groupKey === null ? null : await liveInGroup(db, organization.id, customerId, groupKey);
  if (live) return { skip: "replaced" };
  const product = await products.find(db, organization.id, productId);
  const facts = {
    seller: displayName(organization),
    product: product!.name,
    day: words.day(endedAt!, organization.timeZone),
    ended: endOf(subscription!),
  };
  return { facts };
}

async function findChange(
  { ctx, email, organization, customer, realNow }: EmailContext,
  status: EmailChange["status"],
): Promise<EmailChange | Skip> {
  const own = await changesOf(ctx.db.read, organization.id, customer.id);
  const change = own.find(({ confirmEmailId, undoEmailId }) => [confirmEmailId, undoEmailId].includes(email.id));
  if (change?.status !== status) return { skip: "changed_meanwhile" };
  return change.expiresAt > realNow ? change : { skip: "past" };
}

/**
 * The e-mail to a new address. The e-mail names neither the Customer nor the present address, because a mistyped
 * address belongs to a stranger.
 */
async function loadEmailConfirm(context: EmailContext): Promise<LoadedFacts<EmailConfirmFacts> | Skip> {
  const change = await findChange(context, "asked");
  if ("skip" in change) return change;
  const { ctx, organization } = context;
  const url = emailChangeUrl(ctx, "confirm", change);
  const facts = { seller: displayName(organization), hours: CONFIRM_HOURS, url };
  return { facts, to: { name: "", recipient: change.newEmail } };
}

/** The e-mail to the old address. The new address is shown in part. */
async function loadEmailChanged(context: EmailContext): Promise<LoadedFacts<EmailChangedFacts> | Skip> {
  const change = await findChange(context, "changed");
  if ("skip" in change) return change;
  const { ctx, organization, customer } = context;
  const url = emailChangeUrl(ctx, "undo", change);
  const address = maskedLocalPart(change.newEmail);
  const facts = { seller: displayName(organization), address, days: UNDO_DAYS, url };
  return { facts, to: { name: customer.name ?? "", recipient: change.oldEmail } };
}

/** The facts of a trial that ends later than before (rule E4e). */
async function loadLongerTrial(context: EmailContext): Promise<LoadedFacts<LongerTrialFacts> | Skip> {
  const { ctx, email, organization, words } = context;
  const { status, productId, trialEnd } = context.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (status !== "trialing") return { skip: "past" };
  if (trialEnd !== email.announcedAt) return { skip: "changed_meanwhile" };
  const [product, next] = await Promise.all([
    products.find(ctx.db.read, email.organizationId, productId),
    readNextCharge(context),
  ]);
  const day = words.day(trialEnd!, organization.timeZone);
  return { facts: { product: product?.name ?? "", day, portal: portalUrl(ctx, organization.id), next } };
}

type LoadFacts<Kind extends BuyerEmailKind> = (context: EmailContext) => Promise<LoadedFacts<EmailFacts[Kind]> | Skip>;

/**
 * Reads the facts for each kind of e-mail at the moment of sending, or answers why the e-mail is no longer needed.
 */
export const FACT_LOADERS: { [Kind in BuyerEmailKind]: LoadFacts<Kind> } = {
  receipt: loadReceipt,
  order_confirmation: loadOrder,
  payment_failed: loadUnpaid,
  authentication_required: loadUnpaid,
  trial_started: loadTrial,
  trial_extended: loadLongerTrial,
  trial_ending: (context) => loadAhead(context, "trial_ending"),
  renewal_upcoming: (context) => loadAhead(context, "renewal_upcoming"),
  cancellation_scheduled: loadScheduled,
  cancellation_undone: loadUndone,
  pause_scheduled: loadPause,
  pause_undone: loadPauseUndone,
  pause_begun: loadPause,
  resume_upcoming: (context) => loadAhead(context, "resume_upcoming"),
  price_change: loadPriceChange,
  price_change_reminder: loadPriceReminder,
  change_dropped: loadDropped,
  renewal_failed: loadEnd,
  canceled: loadEnd,
  card_expiring: loadExpiring,
  card_request: loadCardRequest,
  portal_sign_in: loadSignIn,
  portal_email_confirm: loadEmailConfirm,
  portal_email_changed: loadEmailChanged,
};
