import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { displayName, type Html } from "../layout.ts";
import { money } from "./terms.ts";
import type { View } from "./view.ts";

/** The merchant's page that the buyer goes to after paying. */
function successUrl({ checkout }: View): URL | null {
  return safeUrl(checkout.successUrl?.replaceAll("{CHECKOUT_ID}", checkout.id) ?? null);
}

function backLink({ checkout }: View): Html | undefined {
  const success = safeUrl(checkout.successUrl);
  const url = safeUrl(checkout.cancelUrl) ?? (success && new URL(success.origin));
  return url ? linkTo(url, "Back to", "button") : undefined;
}

function receipt({ checkout, terms }: View): Html {
  return html`<dl class="figures">
<div><dt>What you bought</dt><dd><bdi>${checkout.productName}</bdi></dd></div>
<div><dt>Paid</dt><dd>${terms.today}</dd></div>
</dl>
${terms.later === null ? "" : html`<p class="later">${terms.later}</p>`}`;
}

/** On the way to the merchant. This is a page and not a redirect: browsers refuse to follow a form's answer to another site. */
export function arrivalPage(ctx: Context, view: View): Html {
  const url = successUrl(view);
  if (!url) return thanksPage(ctx, view);
  return messagePage(ctx, {
    organization: view.organization,
    title: "Thank you",
    icon: "done",
    head: html`<meta http-equiv="refresh" content="0; url=${url.href}">`,
    text: "Your order is complete. You are being taken back.",
    more: linkTo(url, "Continue to", "button"),
  });
}

/** For whoever opens the link of a completed Checkout. */
export function thanksPage(ctx: Context, view: View): Html {
  const { organization, checkout } = view;
  const url = successUrl(view);
  const isPaid = checkout.amount > 0 && checkout.trialDays === null;
  const text = isPaid ? "Your payment was received." : checkout.trialDays === null ? "Your order is complete." : "Your trial has begun.";
  const again = isPaid ? "Already paid" : "Already done";
  return messagePage(ctx, {
    organization,
    title: url ? again : "Thank you",
    icon: "done",
    text: url ? `${text} There is nothing more to do here.` : text,
    more: html`${receipt(view)}${url ? linkTo(url, "Continue to", "button") : ""}`,
  });
}

/** What the form of a buyer sends who does not go to their bank. */
export const GIVE_UP = "give-up";

/** One word or two that change when the page of a Checkout in `processing` has something else to say. */
export function progressOf({ status, payment }: View): string {
  return status === "processing" && payment ? `${status} ${payment.status}` : status;
}

/**
 * While an answer is waited for. Without a script the page loads itself again; with one, pages.js asks and reloads once there is
 * something to see, so that nobody who reads or listens to the page is interrupted.
 */
export function processingPage(ctx: Context, view: View): Html {
  const { organization, payment, checkout, self } = view;
  const head = html`<noscript><meta http-equiv="refresh" content="3"></noscript>`;
  const common = { organization, icon: "waiting", head } as const;
  const amount = money(payment?.amount ?? checkout.amount, checkout.currency);
  const what = payment?.kind === "setup" ? "the use of your card" : `the payment of ${amount}`;
  const again = html`<p class="aside" data-poll="${self}/status" data-progress="${progressOf(view)}"><a href="${self}">Look again</a></p>`;
  const bank = payment?.status === "requires_action" ? safeUrl(payment.actionUrl) : null;
  if (bank) {
    const text = `Confirm ${what} there; then you are brought back here.`;
    const button = html`<button class="button other" name="action" value="${GIVE_UP}">Pay with another card</button>`;
    const other = html`<form method="post" action="${self}">${button}</form>`;
    const more = html`<a class="button" href="${bank.href}" rel="noreferrer">Continue to your bank</a>${other}${again}`;
    return messagePage(ctx, { ...common, title: "Your bank has a question", text, more });
  }
  const text = `Your bank is still to answer about ${what}. You need not stay on this page, and you are not charged twice.`;
  return messagePage(ctx, { ...common, title: "One moment please", text, more: again });
}

export function expiredPage(ctx: Context, view: View): Html {
  const { organization } = view;
  const merchant = html`<bdi>${displayName(organization)}</bdi>`;
  const text = html`This page could be used for a limited time only. Nothing was charged. Go back to ${merchant} and start again.`;
  return messagePage(ctx, { organization, title: "This page has expired", icon: "late", text, more: backLink(view) });
}

/** Why an open Checkout can't be paid, whatever the buyer types. */
export type Obstacle = "product_archived" | "too_many_attempts" | "no_provider" | "already_subscribed";

const OBSTACLES: Record<Obstacle, { title: string; text: string }> = {
  product_archived: { title: "No longer for sale", text: "This product was withdrawn meanwhile. Nothing was charged." },
  too_many_attempts: {
    title: "Too many cards were declined",
    text: "This page takes no more cards. Nothing was charged. Ask your bank, then start again where you came from.",
  },
  no_provider: {
    title: "Payments are not set up yet",
    text: "The seller can't take payments at the moment. Nothing was charged. Please tell them.",
  },
  already_subscribed: {
    title: "You have a subscription already",
    text: "Nothing was charged. Change the one you have instead of buying another.",
  },
};

export function obstaclePage(ctx: Context, view: View, obstacle: Obstacle): Html {
  return messagePage(ctx, { organization: view.organization, ...OBSTACLES[obstacle], icon: "stopped", more: backLink(view) });
}
