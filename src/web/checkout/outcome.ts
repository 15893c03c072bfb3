import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { formatDate } from "../../domain/calendar.ts";
import { dueToday } from "../../domain/checkout/checkout.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { isHosted } from "../../domain/payment/payment.ts";
import { CONTINUE_TO_CARD, CONTINUE_TO_PAYMENT, hostedPage } from "../components/hosted.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { lookAgain, RELOAD } from "../components/progress.ts";
import type { Html } from "../layout.ts";
import { money } from "../money.ts";
import { settledParts } from "./terms.ts";
import type { View } from "./view.ts";

/** The merchant's page to which the buyer goes after paying. */
export function successUrl({ checkout }: View): URL | null {
  return safeUrl(checkout.successUrl?.replaceAll("{CHECKOUT_ID}", checkout.id) ?? null);
}

/** The button that leads back to the merchant; undefined: no address of the merchant is known. */
export function backLink({ checkout }: View): Html | undefined {
  const success = safeUrl(checkout.successUrl);
  const url = safeUrl(checkout.cancelUrl) ?? (success && new URL(success.origin));
  return url ? linkTo(url, "Back to", "button") : undefined;
}

function receipt({ checkout, terms }: View): Html {
  const row = (label: string, amount: string) => html`<div><dt>${label}</dt><dd class="amount">${amount}</dd></div>`;
  return html`<dl class="figures">
<div><dt>${checkout.change ? "Changed to" : "Your purchase"}</dt><dd><bdi>${checkout.productName}</bdi></dd></div>
${settledParts(checkout).map(({ label, amount }) => row(label, money(amount, checkout.currency)))}
${row("Paid", terms.today)}
</dl>
${terms.later === null ? "" : html`<p class="later">${terms.later}</p>`}`;
}

/**
 * The page that leads back to the merchant. A redirect is not possible: browsers do not follow a form's redirect to
 * another site.
 */
export function arrivalPage(ctx: Context, view: View): Html {
  const url = successUrl(view);
  if (!url) return thanksPage(ctx, view);
  return messagePage(ctx, {
    organization: view.organization,
    title: "Thank you",
    icon: "done",
    head: html`<meta http-equiv="refresh" content="0; url=${url.href}">`,
    text:
      `${view.checkout.change ? "Your subscription was changed." : "Your order is complete."} You are being ` +
      "taken back.",
    more: linkTo(url, "Continue to", "button"),
  });
}

/** The result of the purchase, in words. */
function doneText({ checkout, organization, nextChargeAt }: View, isPaid: boolean): Html | string {
  const { change, trialDays, productName } = checkout;
  if (!change) return trialDays !== null ? "Your trial has begun." : isPaid ? "" : "Your order is complete.";
  // Later changes to the Subscription are shown on other pages.
  if (nextChargeAt === null) return "Your subscription was changed.";
  if (change.behavior !== "next_period") return html`Your subscription is <bdi>${productName}</bdi> now.`;
  const date = formatDate(nextChargeAt, organization.timeZone);
  return html`Your subscription changes to <bdi>${productName}</bdi> on ${date}.`;
}

/** The page behind the link of a completed Checkout. */
export function thanksPage(ctx: Context, view: View): Html {
  const { organization, checkout } = view;
  const url = successUrl(view);
  const isPaid = dueToday(checkout) > 0;
  const text = html`${isPaid ? "Your payment was received." : ""} ${doneText(view, isPaid)}`;
  const again = isPaid ? "Already paid" : "Already done";
  return messagePage(ctx, {
    organization,
    title: url ? again : "Thank you",
    icon: "done",
    text: url ? html`${text} This page needs no further action.` : text,
    more: html`${receipt(view)}${url ? linkTo(url, "Continue to", "button") : ""}`,
  });
}

/** The form's action that abandons a payment that waits for the buyer's bank. */
export const GIVE_UP = "give-up";

/** The state in one word or two. If these words change, a page that waits reloads. */
export function progressOf({ status, payment, closed }: View): string {
  const detail = status === "processing" ? payment?.status : status === "open" ? closed : null;
  return detail ? `${status} ${detail}` : status;
}

const giveUpForm = (self: string, label: string) => html`<form method="post" action="${self}">
<button class="button other" name="action" value="${GIVE_UP}">${label}</button></form>`;

/** The page of a buyer who has yet to give a card on the provider's page. A second tab shows this page, too. */
function hostedPaymentPage(ctx: Context, view: View, page: URL, again: Html): Html {
  const { organization, checkout, self, hosted, payment } = view;
  const isSaved = payment?.purpose === "setup";
  const deed = isSaved ? "Give your card" : `Pay ${money(payment?.amount ?? checkout.amount, checkout.currency)}`;
  const there = html`on the page of <bdi>${hosted?.name ?? "the payment provider"}</bdi>`;
  const text = html`${deed} ${there}. Then you come back to this page.`;
  const [title, onward, back] = isSaved
    ? ["Your card is awaited", CONTINUE_TO_CARD, "Cancel"]
    : ["Your payment is awaited", CONTINUE_TO_PAYMENT, "Pay another way"];
  const more = html`<a class="button" href="${page.href}" rel="noreferrer">${onward}</a>
${giveUpForm(self, back)}${again}`;
  return messagePage(ctx, { organization, icon: "waiting", head: RELOAD, title, text, more });
}

/** The page while the outcome of a payment is awaited. */
export function processingPage(ctx: Context, view: View): Html {
  const { organization, payment, checkout, self } = view;
  const common = { organization, icon: "waiting", head: RELOAD } as const;
  const amount = money(payment?.amount ?? checkout.amount, checkout.currency);
  const what = payment?.purpose === "setup" ? "the use of your card" : `the payment of ${amount}`;
  const again = lookAgain(self, progressOf(view));
  const page = hostedPage(payment);
  if (page) return hostedPaymentPage(ctx, view, page, again);
  if (payment && isHosted(payment) && payment.actionUrl === null) {
    const text = "The page for your card is being made ready. You were not charged.";
    return messagePage(ctx, { ...common, title: "One moment please", text, more: again });
  }
  const bank = payment?.status === "requires_action" ? safeUrl(payment.actionUrl) : null;
  if (bank) {
    const text = `Confirm ${what} there. Then you come back to this page.`;
    const other = giveUpForm(self, view.hosted ? "Pay another way" : "Pay with another card");
    const more = html`<a class="button" href="${bank.href}" rel="noreferrer">Continue to your bank</a>${other}${again}`;
    return messagePage(ctx, { ...common, title: "Your bank has a question", text, more });
  }
  const state = payment?.processing
    ? `${what[0]!.toUpperCase()}${what.slice(1)} is being processed. This may take a while. `
    : `Your bank has not answered yet about ${what}. `;
  const text = `${state}You need not stay on this page, and you will not be charged twice.`;
  return messagePage(ctx, { ...common, title: "One moment please", text, more: again });
}

export function expiredPage(ctx: Context, view: View): Html {
  const { organization } = view;
  const merchant = html`<bdi>${displayName(organization)}</bdi>`;
  const text = html`This page could be used for a limited time only. You were not charged.
Go back to ${merchant} and start again.`;
  return messagePage(ctx, { organization, title: "This page has expired", icon: "late", text, more: backLink(view) });
}
