import { html } from "hono/html";
import type { Bought, PaidDeliverables } from "../../actions/checkout/purchase.ts";
import { invoiceUrl, portalPurchaseUrl, portalUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { checkoutTotals } from "../../domain/model/checkout.ts";
import { maskedEmail } from "../../domain/customer/masked-email.ts";
import { displayName } from "../../domain/model/organization.ts";
import { brandName } from "../../domain/model/card-name.ts";
import { isCharge } from "../../domain/model/payment.ts";
import type { Words } from "../../texts/words.ts";
import { awaitedEntry, grantEntry } from "../components/grant-entry.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import type { View } from "./view.ts";

/** The amount and the card, in a sentence; empty if there was no attempt. */
export function paidInWords({ deliverables: texts, money }: Words, { payment }: PaidDeliverables): string {
  if (!payment) return "";
  const { method, currency } = payment;
  const card = method && texts.cardName({ brand: brandName(method.brand), last4: method.last4 });
  if (!isCharge(payment)) return card === null ? "" : texts.cardSaved({ card });
  const amount = money(payment.amount, currency);
  return card === null ? texts.paid({ amount }) : texts.paidWith({ amount, card });
}

function invoiceLinks(ctx: Context, { deliverables: texts }: Words, { invoice }: PaidDeliverables): Html | "" {
  if (!invoice) return "";
  const { number } = invoice;
  const page = pathOf(invoiceUrl(ctx, invoice));
  const name = texts.invoice.markup({ number: html`<span class="whole">${number}</span>` });
  return html`<p class="ways"><a href="${page}">${name}</a>
<a href="${page}/pdf" aria-label="${texts.pdfOf({ number })}">${texts.pdf}</a></p>`;
}

const button = (isButton: boolean) => (isButton ? html`class="button"` : "");

function accountLink(ctx: Context, { words, organization }: View, isButton: boolean): Html {
  const text = words.deliverables.account.markup({ seller: html`<bdi>${displayName(organization)}</bdi>` });
  const path = pathOf(portalUrl(ctx, organization.id));
  return html`<p class="ways"><a ${button(isButton)} href="${path}">${text}</a></p>`;
}

/** The deliverables of the purchase, its invoice, and the way to the portal. `isEnd`: the page has no other way on. */
export function deliverablesSection(ctx: Context, view: View, deliverables: PaidDeliverables, isEnd: boolean): Html {
  const { words } = view;
  const { grants, awaited } = deliverables;
  const entries = [
    ...grants.map((grant) => grantEntry(words, grant)),
    ...awaited.map((benefit) => awaitedEntry(words, benefit)),
  ];
  const list =
    entries.length === 0
      ? ""
      : html`<section class="deliverables" aria-labelledby="deliverables">
<h2 id="deliverables">${words.deliverables.title}</h2>
<ul>${entries}</ul>
</section>`;
  return html`${list}
<div class="records">
${invoiceLinks(ctx, words, deliverables)}
${accountLink(ctx, view, isEnd)}
</div>`;
}

/**
 * Whether an e-mail has the license key, or the receipt if there is no key. A receipt goes out for an amount of more
 * than 0. The e-mails about a trial and about a purchase of 0 are no receipts. The Organization can switch all off.
 */
function isMailed({ organization, checkout }: View, hasKey: boolean): boolean {
  const { emailsOff } = organization;
  const isPaid = (checkoutTotals(checkout).totalAmount ?? 0) > 0;
  if (checkout.trialDays !== null && !checkout.change) return hasKey && !emailsOff.includes("trial_started");
  if (!isPaid && !checkout.change) return hasKey && !emailsOff.includes("order_confirmation");
  return !emailsOff.includes("receipt") && isPaid;
}

/** For readers who may not see the purchase: where its buyer finds it. `isEnd`: the page has no other way on. */
export function whereDeliverablesAre(ctx: Context, view: View, { customer }: Bought, isEnd: boolean): Html | "" {
  if (!customer) return "";
  const { words, benefits, organization, checkout } = view;
  const { deliverables: texts } = words;
  const email = html`<bdi>${maskedEmail(customer.email)}</bdi>`;
  const hasKey = benefits.some(({ type }) => type === "license_key");
  const sent = hasKey ? texts.keySent : texts.receiptSent;
  const where = (isMailed(view, hasKey) ? sent : texts.signInFor).markup({ email });
  const path = pathOf(portalPurchaseUrl(ctx, organization.id, checkout.id));
  return html`<p class="later">${where}</p>
<p class="ways"><a ${button(isEnd)} href="${path}">${texts.signIn}</a></p>`;
}
