import { html } from "hono/html";
import type { BalanceEntry, BalanceReason } from "../../../domain/model/balance.ts";
import type { HeldBalance } from "../../../domain/model/balance.ts";
import type { SOURCES } from "../../../domain/model/credit-source.ts";
import type { Refund } from "../../../domain/model/refund.ts";
import { allows } from "../../../domain/team/role.ts";
import { valueInWords } from "../../../domain/words.ts";
import { presentPage } from "../../../resources/page.ts";
import { heldBalances, listBalanceEntries } from "../../../store/balances.ts";
import { refunds } from "../../../store/refunds.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyCell, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { table } from "../table.ts";
import { listOf, type CustomerPageData } from "./part.ts";

const REASONS: Record<Exclude<BalanceReason, "invoice">, string> = {
  invoice_voided: "An invoice became void, and the balance got its part back",
  unapplied_payment: "Money was taken for a void invoice",
  refund: "A refund to the balance",
  adjustment: "An adjustment by hand",
  written_off: "Written off, because the Customer was deleted",
  paid_out: "Paid out to a card",
  payout_failed: "A payout failed, and the credit returned to the balance",
  dispute_lost: "A dispute was lost, so the credit of this payment was written off",
  refund_failed: "A refund to a card failed late",
};

const SOURCE_WORDS: Record<(typeof SOURCES)[number], string> = {
  payment: "from a payment",
  refund_failed: "from a refund that failed",
  outside: "from money outside of Billow",
  granted: "granted",
};

function reasonOf({ reason, amount }: BalanceEntry): string {
  if (reason !== "invoice") return REASONS[reason];
  return amount < 0 ? "An invoice used credit, or left a debt" : "An invoice gave credit, or collected a debt";
}

/** The refund that moved the balance, with its outcome: the page of the Customer has no other row for a payout. */
function refundOf(refund: Refund | undefined): Html | "" {
  if (refund === undefined) return "";
  const { id, to, status, failureCode } = refund;
  const why = failureCode === null ? "" : ` (${valueInWords(failureCode)})`;
  return html` Refund to the ${to} ${statusBadge("refund", status)}${why} ${shownId(id)}`;
}

function row({ self, zone }: CustomerPageData, entry: BalanceEntry, refund: Refund | undefined): Html {
  const { id, currency, amount, remaining, source, note, invoiceId, createdAt } = entry;
  const link = invoiceId === null ? "" : html` <a href="${self}?at=${invoiceId}#${invoiceId}">Invoice</a>`;
  const rest =
    remaining === 0
      ? "Used or settled"
      : remaining > 0
        ? `${moneyText(remaining, currency)} left`
        : `${moneyText(-remaining, currency)} owed`;
  return html`<tr id="${id}">
<th scope="row">${reasonOf(entry)}${note === null ? "" : html` <span class="note"><bdi>${note}</bdi></span>`}</th>
${moneyCell(amount, currency)}
<td>${time(createdAt, zone)}</td>
<td class="wide">${rest}${source === null ? "" : html` <span class="note">${SOURCE_WORDS[source]}</span>`}</td>
<td class="wide">${link}${refundOf(refund)}</td>
</tr>`;
}

/** The balance as the sum of its movements, with the credit that can't be spent. */
function sumOf({ currency, amount, held }: HeldBalance): Html {
  const kind = amount < 0 ? "owed by the Customer" : "in the Customer’s favour";
  const heldBack = held === 0 ? "" : ` A dispute holds ${moneyText(held, currency)} of it back.`;
  return html`<p class="sum-of"><b>${moneyText(Math.abs(amount), currency)}</b> ${kind}: the sum of the movements in
${currency.toUpperCase()}.${heldBack}</p>`;
}

function operationLinks({ request, self, customer }: CustomerPageData, balances: readonly HeldBalance[]): Html | "" {
  if (customer.deletedAt !== null || !allows(request.role, "money")) return "";
  const [credit] = balances.filter(({ amount }) => amount > 0);
  const payOut = credit
    ? html`<a class="button small other" href="${self}/balance/pay-out?currency=${credit.currency}">Pay credit out</a>`
    : "";
  const adjust = html`<a class="button small other" href="${self}/balance/adjust">Adjust the balance</a>`;
  return html`<p class="actions">${adjust} ${payOut}</p>`;
}

const HEADINGS = [
  "Movement",
  { label: "Amount", isNumber: true },
  "Time",
  { label: "Remaining", isWide: true },
  { label: "For", isWide: true },
];

type Movement = { entry: BalanceEntry; refund: Refund | undefined };

/** The movements of a Customer's balance, newest first. */
export const balanceList = listOf<{ movements: Movement[]; balances: HeldBalance[] }>({
  name: "balance",
  title: "Balance",
  cursor: "bal",
  few: 5,
  older: "Older movements",
  async read(pageData, wanted) {
    const { ctx, request, customer } = pageData;
    const { id } = request.organization;
    const [rows, balances] = await Promise.all([
      listBalanceEntries(ctx.db.stale, id, customer.id, wanted),
      customer.deletedAt === null ? heldBalances(ctx.db.stale, id, customer.id) : [],
    ]);
    const made = rows.flatMap(({ refundId }) => refundId ?? []);
    const moved = made.length === 0 ? new Map<string, Refund>() : await refunds.findAll(ctx.db.stale, id, made);
    const { data: movements, nextCursor: next } = presentPage(rows, wanted.limit, (entry) => ({
      entry,
      refund: moved.get(entry.refundId ?? ""),
    }));
    return { ids: movements.map(({ entry }) => entry.id), next, data: { movements, balances } };
  },
  draw(pageData, { movements, balances }) {
    const rows = movements.map(({ entry, refund }) => row(pageData, entry, refund));
    const body =
      rows.length === 0
        ? emptyState("There are no movements yet. Credit and debts of this Customer appear here.")
        : html`${balances.map(sumOf)}${table("Movements of the balance", HEADINGS, rows)}`;
    return html`${body}${operationLinks(pageData, balances)}`;
  },
});
