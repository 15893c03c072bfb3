import { describe, expect, it } from "vitest";
import {
  billingWith,
  creditWith,
  customerWith,
  eventsOf,
  invoiceWith,
  lineWith,
  NOW,
} from "../../../test/support/customer-billing.ts";
import { at } from "../../../test/support/subscription.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { PartsMissing } from "../billing/parts.ts";
import { quote } from "../balance/quote.ts";
import { balanceIn } from "../balance/move.ts";
import { fullLine, type InvoiceLine } from "../model/invoice.ts";
import { ONE_UNIT } from "../model/quantity.ts";
import { openInvoicesOf, readBill, waitingLines, type Bill } from "./bills.ts";
import { issueInvoice, recordWaitingLines } from "./issue.ts";
import { bankUnapplied, payInvoice, payInvoiceOutside, voidInvoice } from "./pay.ts";

const span = { start: at("2025-07-01"), end: at("2025-08-01") };
const product = { id: "prd_current", name: "Present", currency: "usd", ...ONE_UNIT };
const month = (price: number) => fullLine({ ...product, price }, span, { discount: null, tax: null });

function issue(billing: CustomerBilling, price: number, waiting: readonly InvoiceLine[] = []): Bill {
  const lines = [month(price)];
  const ids = {
    subscriptionId: "sub_1",
    checkoutId: null,
    periodNumber: 2,
    fieldAnswers: null,
    metadata: {},
    billing: null,
  };
  const totals = quote(billing, "usd", [...waiting, ...lines]);
  return issueInvoice(billing, { reason: "renewal", ...ids, span, currency: "usd", lines, waiting, totals }, NOW);
}

const transfersOf = (billing: CustomerBilling) =>
  billing.transfers
    .where(() => true)
    .map(({ kind, debitAccount, creditAccount, amount }) => [kind, debitAccount, creditAccount, amount]);

describe("an invoice that is made (rules I1, I4, S3)", () => {
  it("is numbered, posted and told, and open while an amount is due", () => {
    const billing = billingWith({
      numbers: { invoice: 4, creditNote: 0 },
      customer: customerWith({ id: "cus_12345678" }),
    });
    const { invoice, lines } = issue(billing, 1000);
    expect(invoice).toMatchObject({
      number: "INV-12345678-0005",
      status: "open",
      amountDue: 1000,
      periodStart: span.start,
      version: 1,
    });
    expect(lines).toMatchObject([{ invoiceId: invoice.id, subscriptionId: "sub_1", position: 0, amount: 1000 }]);
    expect(billing.numbers.invoice).toBe(5);
    expect(openInvoicesOf(billing, "sub_1")).toEqual([invoice]);
    expect(readBill(billing, invoice.id)).toEqual({ invoice, lines });
    expect(eventsOf(billing)).toEqual(["invoice.created"]);
    expect(transfersOf(billing)).toEqual([["invoice_issued", "receivable", "revenue", 1000]]);
  });

  it("takes its share of the balance, and is paid at once where that settles it", () => {
    const billing = billingWith({ balances: [{ currency: "usd", amount: 1500 }] });
    const { invoice } = issue(billing, 1000);
    expect(invoice).toMatchObject({ status: "paid", balanceApplied: 1000, amountDue: 0, paidAt: NOW, version: 2 });
    expect(balanceIn(billing, "usd")).toBe(500);
    expect(billing.balanceEntries.changes().inserted).toMatchObject([
      { amount: -1000, reason: "invoice", invoiceId: invoice.id },
    ]);
    expect(eventsOf(billing)).toEqual(["invoice.created", "invoice.paid"]);
    expect(billing.emails).toMatchObject([{ kind: "receipt", invoiceId: invoice.id }]);
  });

  it("takes the lines that waited first, as the same rows", () => {
    const billing = billingWith({ lines: [creditWith(300)] });
    const { invoice, lines } = issue(billing, 1000, waitingLines(billing, "sub_1"));
    expect(lines.map(({ id, position, amount }) => [id === "iln_2", position, amount])).toEqual([
      [true, 0, -300],
      [false, 1, 1000],
    ]);
    expect(invoice.amountDue).toBe(700);
    expect(waitingLines(billing, "sub_1")).toEqual([]);
    const { inserted, updated } = billing.lines.changes();
    expect([inserted.length, updated.length]).toEqual([1, 1]);
  });

  it("keeps lines for the next one in their order", () => {
    const billing = billingWith();
    recordWaitingLines(billing, "sub_1", [month(300), month(200)]);
    expect(waitingLines(billing, "sub_1")).toMatchObject([
      { position: 0, amount: 300, invoiceId: null },
      { position: 1, amount: 200 },
    ]);
  });
});

describe("the end of an open invoice", () => {
  it("is its payment, with or without the provider", () => {
    const billing = billingWith();
    expect(payInvoice(billing, issue(billing, 1000), NOW).invoice).toMatchObject({
      status: "paid",
      amountPaid: 1000,
      paidOutside: false,
    });
    const outside = payInvoiceOutside(billing, issue(billing, 200), "by bank transfer", NOW).invoice;
    expect(outside).toMatchObject({
      status: "paid",
      amountPaid: 200,
      paidOutside: true,
      paymentNote: "by bank transfer",
    });
    expect(transfersOf(billing)).toEqual([
      ["invoice_issued", "receivable", "revenue", 1000],
      ["invoice_paid", "provider", "receivable", 1000],
      ["invoice_issued", "receivable", "revenue", 200],
      ["invoice_paid_outside", "outside", "receivable", 200],
    ]);
  });

  it("is that it becomes void: the balance comes back, and credit waits again (rule S5)", () => {
    const lines = [
      lineWith({ id: "iln_2", invoiceId: null, amount: 200, proration: true }),
      creditWith(100, { id: "iln_3", creditedLineId: "iln_2" }),
      creditWith(400, { id: "iln_4" }),
    ];
    const billing = billingWith({ lines, balances: [{ currency: "usd", amount: 100 }] });
    const { invoice } = voidInvoice(billing, issue(billing, 1000, waitingLines(billing, "sub_1")), NOW, "a mistake");
    expect(invoice).toMatchObject({ status: "void", voidedAt: NOW, voidReason: "a mistake" });
    expect(balanceIn(billing, "usd")).toBe(100);
    const again = waitingLines(billing, "sub_1");
    expect(again.map(({ amount }) => amount)).toEqual([200, -100, -400]);
    // A credit of another of these lines now credits its copy. A credit of a line elsewhere still credits that line.
    expect(again.map(({ creditedLineId }) => creditedLineId)).toEqual([null, again[0]!.id, "iln_1"]);
    expect(eventsOf(billing)).toEqual(["invoice.created", "invoice.voided"]);
  });

  it("may come before its money: that goes to the balance (rule S5)", () => {
    const billing = billingWith();
    bankUnapplied(billing, invoiceWith({ status: "void" }), "pay_1", 700, NOW);
    expect(balanceIn(billing, "usd")).toBe(700);
    expect(transfersOf(billing)).toEqual([["unapplied_payment", "provider", "balance", 700]]);
  });
});

describe("an invoice with its lines", () => {
  it("is whole where it was loaded, and needs its part where it was not", () => {
    const lines = [lineWith({ id: "iln_8", position: 1 }), lineWith({ id: "iln_9" })];
    const billing = billingWith({ invoices: [invoiceWith()], lines, parts: [] });
    expect(readBill(billing, "inv_1")).toEqual({ invoice: invoiceWith(), lines: lines.toReversed() });
    expect(() => readBill(billing, "inv_2")).toThrow(PartsMissing);
  });

  it("is null for an unknown id", () => expect(readBill(billingWith(), "inv_9")).toBeNull());
});
