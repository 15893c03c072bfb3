import { SOURCES } from "../../domain/model/credit-source.ts";
import { formatDate, type Instant } from "../../domain/calendar.ts";
import { formatMoney } from "../../domain/currency.ts";
import type { ExplainedAmount, Words } from "./amount.ts";
import { explainLine, type ExplainedLine } from "./line.ts";
import type { BalanceBasis, Invoice, InvoiceLine } from "../../domain/model/invoice.ts";
import { sumOf } from "../../domain/money.ts";

function explainTotal(invoice: Invoice, { money }: Words): ExplainedAmount {
  const { subtotalAmount, discountAmount, taxAmount, taxIncludedAmount, totalAmount } = invoice;
  const on = taxAmount - taxIncludedAmount;
  const parts = [`${money(subtotalAmount)} in all`];
  if (discountAmount !== 0) parts.push(`less ${money(discountAmount)} discount`);
  if (on !== 0) parts.push(`plus ${money(on)} tax`);
  if (taxIncludedAmount !== 0) parts.push(`in which ${money(taxIncludedAmount)} tax is contained`);
  return {
    amount: totalAmount,
    rule: "M4",
    inputs: { subtotalAmount, discountAmount, taxAmount, taxIncludedAmount },
    expression: `${subtotalAmount} − ${discountAmount} + ${taxAmount} − ${taxIncludedAmount}`,
    text: parts.length === 1 ? "The sum of the lines." : `${parts.join(", ")}: ${money(totalAmount)}.`,
  };
}

const SOURCE_WORDS = {
  payment: "came from payments",
  refund_failed: "came from refunds that failed",
  outside: "came from money outside of Billow",
  granted: "was granted",
} as const;

/** The sources of the credit that an invoice used or gave to the balance (rule I6), as a sentence; empty without credit. */
function explainSources({ balanceSources }: Invoice, money: Words["money"]): string {
  const parts = SOURCES.flatMap((source) => {
    const amount = sumOf((balanceSources ?? []).filter((part) => part.source === source).map((part) => part.amount));
    return amount === 0 ? [] : [`${money(Math.abs(amount))} ${SOURCE_WORDS[source]}`];
  });
  return parts.length === 0 ? "" : ` Of this credit, ${parts.join(", ")}.`;
}

/** The part of an amount to pay above the provider's step, which moves to the balance as a debt (rule M5). */
const aboveStep = (part: number, step: number, money: Words["money"]) =>
  `A card is charged in multiples of ${money(step)}. The rest, ${money(part)}, stays on the balance as owed, and is ` +
  "paid with a later invoice.";

/** The part of the total that the balance settled, with the sources of this credit. */
function explainBalance(invoice: Invoice, words: Words): ExplainedAmount {
  const explained = explainApplied(invoice, words);
  return { ...explained, text: `${explained.text}${explainSources(invoice, words.money)}` };
}

/**
 * The part of the total that the balance settled, as `totalsOf` decides it (rules M4, M5), or `settlementOf` for a
 * purchase (rule C7).
 */
function explainApplied(invoice: Invoice, { money }: Words): ExplainedAmount {
  const { totalAmount, balanceApplied, balanceBasis, amountDue } = invoice;
  const { balance, minimum, step = 1 } = balanceBasis ?? { balance: 0, minimum: 0 };
  const inputs = { totalAmount, balance, minimum, ...(step === 1 ? {} : { step }) };
  const explained = (expression: string, text: string, rule = "M4") => ({
    amount: balanceApplied,
    rule,
    inputs,
    expression,
    text,
  });
  if (!balanceBasis) return explained(`${balanceApplied}`, "The balance of that time was not stored.");
  if (balanceBasis.held !== undefined) return explainHeld(invoice, { ...balanceBasis, held: balanceBasis.held }, money);
  if (totalAmount < 0)
    return explained(`${totalAmount}`, `The total is below zero: ${money(-totalAmount)} goes to the balance.`, "P2");
  if (totalAmount === 0) return explained("0", "There is no amount to settle.");
  const used = Math.min(balance, totalAmount);
  if (amountDue > 0 && balanceApplied > used) {
    const settled = used > 0 ? `The balance had ${money(balance)}. ` : "";
    const owed = balance < 0 ? `${money(-balance)} that was owed on the balance is added. ` : settled;
    const above = balanceApplied - used;
    const text = `${owed}${aboveStep(above, step, money)}`;
    return explained(`min(${balance}, ${totalAmount}) + ${above}`, text, "M5");
  }
  if (invoice.reason === "checkout" && balance > 0) {
    const had = `The balance had ${money(balance)}. It settles ${money(balanceApplied)} of the total`;
    if (balanceApplied === used) return explained(`min(${balance}, ${totalAmount})`, `${had}.`, "C7");
    const rest = `${money(minimum)}, the smallest amount that can be charged`;
    return explained(`${totalAmount} − ${minimum}`, `${had}, and leaves ${rest}.`, "C7");
  }
  if (balanceApplied !== used) {
    const settled = used > 0 ? `The balance had ${money(balance)}. ` : "";
    const small = `${settled}The rest, ${money(totalAmount - used)}, is less than can be charged (${money(minimum)}). `;
    return explained(
      `${totalAmount}`,
      `${small}It stays on the balance as owed, and is paid with a later invoice.`,
      "M5",
    );
  }
  if (balance < 0)
    return explained(
      `min(${balance}, ${totalAmount})`,
      `${money(-balance)} that was owed on the balance is collected, too.`,
    );
  if (balance === 0) return explained("0", "The balance is not used, or was zero.");
  return explained(
    `min(${balance}, ${totalAmount})`,
    `The balance had ${money(balance)}. It settles ${money(used)} of the total.`,
  );
}

/** Held credit on the invoice goes to the balance, and the rest is settled as usual (rule D7). */
function explainHeld(
  { totalAmount, balanceApplied, amountDue }: Invoice,
  { balance, minimum, step = 1, held }: BalanceBasis & { held: number },
  money: Words["money"],
): ExplainedAmount {
  const inputs = { totalAmount, balance, minimum, ...(step === 1 ? {} : { step }), held };
  const why =
    `${money(held)} of the credit on this invoice came from a payment that its bank took back: ` +
    "the balance holds it.";
  const explained = (expression: string, text: string) => ({
    amount: balanceApplied,
    rule: "D7",
    inputs,
    expression,
    text,
  });
  const toSettle = totalAmount + held;
  if (toSettle <= 0) return explained(`${totalAmount}`, `${why} The other credit covers the rest.`);
  const used = Math.min(balance, toSettle);
  const above = balanceApplied - (used - held);
  if (amountDue > 0 && above > 0) {
    return explained(`min(${balance}, ${toSettle}) − ${held} + ${above}`, `${why} ${aboveStep(above, step, money)}`);
  }
  if (above !== 0) {
    return explained(
      `${totalAmount}`,
      `${why} The rest is less than can be charged (${money(minimum)}), and stays as owed.`,
    );
  }
  return explained(`min(${balance}, ${toSettle}) − ${held}`, `${why} The balance settles ${money(used)} of the rest.`);
}

function explainDue({ totalAmount, balanceApplied, amountDue }: Invoice, { money }: Words): ExplainedAmount {
  const text = amountDue === 0 ? "No amount was left to pay." : `${money(amountDue)} was due.`;
  return {
    amount: amountDue,
    rule: "M4",
    inputs: { totalAmount, balanceApplied },
    expression: `${totalAmount} − ${balanceApplied}`,
    text,
  };
}

export type Explanation = {
  lines: ExplainedLine[];
  total: ExplainedAmount;
  balance: ExplainedAmount;
  due: ExplainedAmount;
};

/**
 * Explains each amount of an invoice from the data that was stored with the invoice; dates are in `zone`. `noticedAt`:
 * the notice of the new price that begins with the invoice's period; null: no new price begins.
 */
export function explainInvoice(
  invoice: Invoice,
  invoiceLines: readonly InvoiceLine[],
  zone: string,
  noticedAt: Instant | null = null,
): Explanation {
  const words: Words = {
    zone,
    money: (amount) => formatMoney(amount, invoice.currency),
    date: (at) => formatDate(at, zone),
    noticedAt,
  };
  return {
    lines: invoiceLines.map((line) => explainLine(line, words)),
    total: explainTotal(invoice, words),
    balance: explainBalance(invoice, words),
    due: explainDue(invoice, words),
  };
}
