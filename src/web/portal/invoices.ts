import { html } from "hono/html";
import type { Billed } from "../../actions/invoice/movements.ts";
import { creditNoteUrl, invoiceUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { creditNoteWords } from "../../texts/credit-note.ts";
import type { Words } from "../../texts/words.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";
import type { PortalRequest } from "./request.ts";

/** Whether the buyer can pay the invoice now. */
const isDue = ({ status, amountDue }: Invoice, isCharging: boolean) =>
  status === "open" && amountDue > 0 && !isCharging;

function paidInWords(
  { portal }: Words,
  { invoice: { amountPaid, balanceApplied, totalAmount }, card }: Billed,
): string {
  if (totalAmount < 0) return portal.invoiceCredited;
  if (totalAmount === 0) return portal.invoiceSettled;
  if (amountPaid > 0) return card ? portal.paidWith({ card: cardName(card) }) : portal.invoicePaid;
  return balanceApplied > 0 ? portal.paidFromBalance : portal.invoicePaid;
}

/** The state of an invoice. `isCharging`: the charge is under way, and the buyer need not do anything. */
function stateOf(words: Words, billed: Billed, isCharging: boolean): string {
  const { portal, money } = words;
  const { status, amountDue, currency, refundedAmount, totalAmount } = billed.invoice;
  if (status === "void") return portal.invoiceVoid;
  if (status === "open")
    return isCharging ? portal.invoiceCharging : portal.invoiceDue({ amount: money(amountDue, currency) });
  const paid = paidInWords(words, billed);
  if (refundedAmount === 0) return paid;
  return `${refundedAmount >= totalAmount ? portal.refunded : portal.refundedPart} · ${paid}`;
}

/** A refund in words; null: the refund was declined, so the money never left. */
function refundInWords(words: Words, zone: string, { card }: Billed, { refund }: Billed["refunds"][number]) {
  const { portal, money, day } = words;
  const { status, to, settledAt, failedLate, currency } = refund;
  const amount = money(refund.amount, currency);
  const target = card ? cardName(card) : portal.theCard;
  if (failedLate) return portal.refundFailed({ amount, card: target });
  if (status === "failed") return null;
  if (status !== "succeeded" || settledAt === null) return portal.refundPending({ amount });
  const on = { amount, day: day(settledAt, zone) };
  return to === "card" ? portal.refundToCard({ ...on, card: target }) : portal.refundToBalance(on);
}

function refundEntry(
  ctx: Context,
  { organization, words }: PortalRequest,
  billed: Billed,
  each: Billed["refunds"][number],
) {
  const { portal } = words;
  const said = refundInWords(words, organization.timeZone, billed, each);
  if (said === null) return "";
  const { creditNote } = each;
  if (!creditNote) return html`<li>${said}</li>`;
  const page = pathOf(creditNoteUrl(ctx, creditNote));
  const { number } = creditNote;
  const name = creditNoteWords(words, creditNote.seller).named.markup({
    number: html`<span class="whole">${number}</span>`,
  });
  return html`<li>${said} · <a href="${page}">${name}</a> ·
<a href="${page}/pdf" aria-label="${portal.pdfOf({ number })}">PDF</a></li>`;
}

function invoiceEntry(ctx: Context, request: PortalRequest, billed: Billed, isCharging: boolean): Html {
  const { organization, words } = request;
  const { portal, money, day } = words;
  const { invoice, refunds } = billed;
  const { number, currency, totalAmount, createdAt } = invoice;
  const page = pathOf(invoiceUrl(ctx, invoice));
  const pay = html`<a class="pay" href="${page}" aria-label="${portal.payInvoice({ number })}">${portal.pay}</a>`;
  const given = refunds.map((each) => refundEntry(ctx, request, billed, each));
  return html`<li class="invoice">
<p><a href="${page}">${number}</a> <span class="note">${day(createdAt, organization.timeZone)}</span></p>
<p>${money(totalAmount, currency)} <span class="note">${stateOf(words, billed, isCharging)}</span></p>
<p class="ways">
${isDue(invoice, isCharging) ? pay : ""}
<a href="${page}/pdf" aria-label="${portal.pdfOf({ number })}">PDF</a>
</p>
${refunds.length === 0 ? "" : html`<ul class="refunds">${given}</ul>`}
</li>`;
}

/**
 * Invoices with a charge under way, or behind such an invoice. A past-due Subscription and a held invoice need action.
 */
function chargingIn({ holdings }: Account): Set<string> {
  const going = holdings.filter(({ subscription }) => subscription.status !== "past_due");
  const open = going.flatMap(({ outlook }) => outlook?.open ?? []);
  return new Set(open.filter(({ invoice }) => invoice.heldReason === null).map(({ invoice }) => invoice.id));
}

/** A page of the invoices, newest first. */
export function invoicesSection(ctx: Context, request: PortalRequest, billing: Account): Html {
  const { invoices, older } = billing;
  const { portal } = request.words;
  const charging = chargingIn(billing);
  const next = older === null ? "" : html`<p class="aside"><a href="?cursor=${older}">${portal.olderInvoices}</a></p>`;
  const entries = invoices.map((billed) => invoiceEntry(ctx, request, billed, charging.has(billed.invoice.id)));
  return section("invoices", portal.invoices, entries, portal.noInvoice, next);
}
