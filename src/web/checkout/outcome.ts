import { html } from "hono/html";
import type { Bought } from "../../actions/checkout/purchase.ts";
import type { Context } from "../../context.ts";
import { dueToday } from "../../domain/model/checkout.ts";
import { displayName } from "../../domain/model/organization.ts";
import { isHosted } from "../../domain/model/payment.ts";
import { sentences } from "../../texts/phrases.ts";
import { hostedPage } from "../components/hosted-page.ts";
import { linkTo, safeUrl, type LinkStyle } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { soldName } from "../components/sold-name.ts";
import { lookAgain, reload } from "../components/progress.ts";
import { stylesheet, type Html } from "../layout.ts";
import { deliverablesStylesPath } from "../assets.ts";
import { deliverablesSection, paidInWords, whereDeliverablesAre } from "./deliverables.ts";
import { settledParts } from "./terms.ts";
import type { View } from "./view.ts";

/** The merchant's page to which the buyer goes after paying. */
export function successUrl({ checkout }: View): URL | null {
  return safeUrl(checkout.successUrl?.replaceAll("{CHECKOUT_ID}", checkout.id) ?? null);
}

const originOf = (url: URL | null): URL | null => url && new URL(url.origin);

/** The button that leads back to the merchant; undefined: no address of the merchant is known. */
export function backLink({ words, checkout, organization }: View, style: LinkStyle = "button"): Html | undefined {
  const success = safeUrl(checkout.successUrl);
  const url = safeUrl(checkout.cancelUrl) ?? originOf(success);
  return url ? linkTo(url, words.frame.back, displayName(organization), style) : undefined;
}

/** The text above may have the Product (`isNamed`) or the amount (`isPaidSaid`) already. */
function receipt({ words, checkout, terms }: View, said: { isNamed: boolean; isPaidSaid: boolean }): Html {
  const { outcome, money } = words;
  const row = (label: string, amount: string) => html`<div><dt>${label}</dt><dd class="amount">${amount}</dd></div>`;
  const label = checkout.change ? outcome.newPlan : outcome.purchase;
  const rows = [
    ...(said.isNamed ? [] : [html`<div><dt>${label}</dt><dd>${soldName(words, checkout)}</dd></div>`]),
    ...settledParts(words, checkout).map((part) => row(part.label, money(part.amount, checkout.currency))),
    ...(said.isPaidSaid || dueToday(checkout) === 0 ? [] : [row(outcome.paid, terms.today)]),
  ];
  return html`${rows.length === 0 ? "" : html`<dl class="figures">${rows}</dl>`}
${terms.later === null ? "" : html`<p class="later">${terms.later}</p>`}`;
}

/**
 * The page that leads back to the merchant. A redirect is not possible: browsers do not follow a form's redirect to
 * another site.
 */
export function arrivalPage(ctx: Context, view: View, url: URL): Html {
  const { words, organization } = view;
  const { thanks, changed, complete, takenBack } = words.outcome;
  return messagePage(ctx, {
    words,
    organization,
    title: thanks,
    icon: "done",
    head: html`<meta http-equiv="refresh" content="0; url=${url.href}">`,
    text: sentences(words, view.checkout.change ? changed : complete, takenBack),
    more: linkTo(url, words.frame.onward, displayName(organization), "button"),
  });
}

/** Whether the result in words names the Product. Later changes to the Subscription are shown on other pages. */
const namesProduct = ({ checkout, nextChargeAt }: View) => checkout.change !== null && nextChargeAt !== null;

/** The result of the purchase, in words. */
function doneText({ words, checkout, organization, nextChargeAt }: View, isPaid: boolean): Html | string {
  const { change, trialDays, productName } = checkout;
  const { outcome } = words;
  const product = html`<bdi>${productName}</bdi>`;
  if (!change) return trialDays !== null ? outcome.trialBegan : isPaid ? "" : outcome.complete;
  if (nextChargeAt === null) return outcome.changed;
  if (change.behavior !== "next_period") return outcome.changedTo.markup({ product });
  return outcome.changesOn.markup({ product, day: words.day(nextChargeAt, organization.timeZone) });
}

/**
 * The page behind the link of a completed Checkout. The buyer's own browser sees the purchase (rule C9). Other readers
 * of the link see that the Checkout is paid, and learn where the purchase is.
 */
export function thanksPage(ctx: Context, view: View, bought: Bought): Html {
  const { words, organization, checkout, self } = view;
  const { outcome, frame } = words;
  const { deliverables } = bought;
  const url = successUrl(view);
  const isPaid = dueToday(checkout) > 0;
  const again = isPaid ? outcome.alreadyPaid : outcome.alreadyDone;
  const paid = deliverables ? paidInWords(words, deliverables) : isPaid ? outcome.received : "";
  const home = safeUrl(organization.websiteUrl) ?? originOf(safeUrl(checkout.cancelUrl));
  const seller = displayName(organization);
  const onward = url ? linkTo(url, frame.onward, seller, "button") : home && linkTo(home, frame.back, seller, "button");
  const isEnd = onward === null;
  const isAwaited = deliverables !== null && deliverables.awaited.length > 0;
  return messagePage(ctx, {
    words,
    organization,
    title: url && !deliverables ? again : outcome.thanks,
    icon: "done",
    head: html`${stylesheet(deliverablesStylesPath(ctx))}${isAwaited ? reload(self) : ""}`,
    text: sentences(words, paid, doneText(view, paid !== ""), url && !deliverables ? outcome.noAction : ""),
    more: html`${receipt(view, { isNamed: namesProduct(view), isPaidSaid: deliverables !== null && paid !== "" })}
${deliverables ? deliverablesSection(ctx, view, deliverables, isEnd) : whereDeliverablesAre(ctx, view, bought, isEnd)}
${isAwaited ? lookAgain(words, self, progressOf(view, bought)) : ""}
${onward ?? ""}`,
  });
}

/** The form's action that abandons a payment that waits for the buyer's bank. */
export const GIVE_UP = "give-up";

/** The state in one word or two. If these words change, a page that waits reloads. */
export function progressOf({ status, payment, closed }: View, bought: Bought | null = null): string {
  const awaited = bought?.deliverables?.awaited.length;
  const detail = status === "processing" ? payment?.status : status === "open" ? closed : awaited;
  return detail ? `${status} ${detail}` : status;
}

const giveUpForm = (self: string, label: string) => html`<form method="post" action="${self}">
<button class="button other" name="action" value="${GIVE_UP}">${label}</button></form>`;

/** The page of a buyer who has yet to give a card on the provider's page. A second tab shows this page, too. */
function hostedPaymentPage(ctx: Context, view: View, page: URL, again: Html): Html {
  const { words, organization, checkout, self, hosted, payment } = view;
  const { outcome, card } = words;
  const isSaved = payment?.purpose === "setup";
  const amount = words.money(payment?.amount ?? checkout.amount, checkout.currency);
  const provider = html`<bdi>${hosted?.name ?? card.theProvider}</bdi>`;
  const text = isSaved ? outcome.hostedSave.markup({ provider }) : outcome.hostedPay.markup({ amount, provider });
  const [title, onward, back] = isSaved
    ? [outcome.cardAwaited, card.toCard, outcome.cancel]
    : [outcome.paymentAwaited, card.toPayment, outcome.otherWay];
  const more = html`<a class="button" href="${page.href}" rel="noreferrer">${onward}</a>
${giveUpForm(self, back)}${again}`;
  return messagePage(ctx, { words, organization, icon: "waiting", head: reload(self), title, text, more });
}

/** The page while the outcome of a payment is awaited. */
export function processingPage(ctx: Context, view: View): Html {
  const { words, organization, payment, checkout, self } = view;
  const { outcome } = words;
  const common = { words, organization, icon: "waiting", head: reload(self) } as const;
  const amount = words.money(payment?.amount ?? checkout.amount, checkout.currency);
  const isSaved = payment?.purpose === "setup";
  const again = lookAgain(words, self, progressOf(view));
  const page = hostedPage(payment);
  if (page) return hostedPaymentPage(ctx, view, page, again);
  if (payment && isHosted(payment) && payment.actionUrl === null) {
    return messagePage(ctx, { ...common, title: words.frame.oneMoment, text: outcome.preparing, more: again });
  }
  const bank = payment?.status === "requires_action" ? safeUrl(payment.actionUrl) : null;
  if (bank) {
    const text = isSaved ? outcome.confirmCard : outcome.confirmPay({ amount });
    const title = isSaved ? outcome.confirmCardTitle : outcome.confirmTitle;
    // A card that is only saved pays nothing today.
    const other = giveUpForm(self, isSaved ? words.plan.otherCard : view.hosted ? outcome.otherWay : outcome.otherCard);
    const more = html`<a class="button" href="${bank.href}" rel="noreferrer">${outcome.toBank}</a>${other}${again}`;
    return messagePage(ctx, { ...common, title, text, more });
  }
  const processing = isSaved ? outcome.processingCard : outcome.processingPay({ amount });
  const text = sentences(words, payment?.processing ? processing : outcome.waiting, outcome.mayClose);
  return messagePage(ctx, { ...common, title: words.frame.oneMoment, text, more: again });
}

export function expiredPage(ctx: Context, view: View): Html {
  const { words, organization } = view;
  const { expired, expiredTitle: title } = words.outcome;
  const text = expired.markup({ seller: html`<bdi>${displayName(organization)}</bdi>` });
  return messagePage(ctx, { words, organization, title, icon: "late", text, more: backLink(view) });
}
