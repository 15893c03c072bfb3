import fc from "fast-check";
import { DAY } from "../../src/domain/calendar.ts";
import type { ProrationBehavior } from "../../src/domain/model/proration.ts";
import { cardWith, customerWith, invoiceWith, lineWith, paymentWith, productWith } from "./customer-billing.ts";
import { organizationWith } from "./organization.ts";
import { addressIn } from "./any-catalogue.ts";
import { old } from "./any-subscription.ts";
import { Books } from "./books.ts";
import { at, subscriptionWith } from "./subscription.ts";
import { fullLine } from "../../src/domain/model/invoice.ts";
import { ONE_UNIT } from "../../src/domain/model/quantity.ts";
import { taxFor } from "../../src/domain/tax/tax.ts";

const START = at("2025-06-01");
const END = at("2025-07-01");
const PRICES = { free: 0, basic: 1000, plus: 1999, pro: 3000, team: 6000, odd: 3333 };
type Plan = keyof typeof PRICES;
const PLANS = Object.keys(PRICES) as Plan[];

const products = ["a", "b"].flatMap((group) =>
  PLANS.map((name) =>
    productWith([], {
      id: `prd_${group}_${name}`,
      name,
      groupKey: group,
      prices: [{ currency: "usd", amount: PRICES[name] }],
    }),
  ),
);

const RATE = { country: "DE", region: null, basisPoints: 1900, name: "VAT", inclusive: false, reverseCharge: false };

/** Two Subscriptions that a card has paid on 1 June. `taxed`: with 19 % on top. */
export function newBooks(taxed: boolean): Books {
  const organization = organizationWith({ taxRates: taxed ? [RATE] : [] });
  const billingAddress = taxed ? addressIn("DE") : null;
  const customer = customerWith({ billingAddress, defaultPaymentMethodId: old("pm", "1") });
  const tax = taxFor(organization, { address: billingAddress, taxId: null });
  const sold = (["a", "b"] as const).map((group, n) => {
    const [id, invoiceId] = [old("sub", group), old("inv", group)];
    const { price, productId } = { price: PRICES.pro, productId: `prd_${group}_pro` };
    const span = { start: START, end: END };
    const full = fullLine({ id: productId, name: "pro", price, currency: "usd", ...ONE_UNIT }, span, {
      discount: null,
      tax,
    });
    const line = lineWith({ ...full, id: old("iln", group), invoiceId, subscriptionId: id });
    const total = line.amount + line.taxAmount;
    return {
      subscription: subscriptionWith({ id, productId, groupKey: group, amount: price, paidTax: tax }),
      invoice: invoiceWith({ id: invoiceId, number: `INV-${n}`, subscriptionId: id, totalAmount: total }),
      line,
      payment: paymentWith({
        id: old("pay", group),
        invoiceId,
        subscriptionId: id,
        amount: total,
        paymentMethodId: old("pm", "1"),
      }),
    };
  });
  return new Books({
    organization,
    customer,
    now: START,
    products,
    cards: [cardWith({ id: old("pm", "1") })],
    subscriptions: sold.map(({ subscription }) => subscription),
    invoices: sold.map(({ invoice }) => invoice),
    lines: sold.map(({ line }) => line),
    payments: sold.map(({ payment }) => payment),
  });
}

const share = fc.constantFrom(null, 0.01, 0.3, 0.5, 0.9, 1, 1.2);
const behavior = fc.constantFrom<ProrationBehavior>(
  "invoice_now",
  "invoice_now",
  "next_invoice",
  "next_period",
  "none",
);
const isGood = fc.constantFrom(true, true, true, false);
const group = fc.constantFrom("a", "a", "b");

export const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      group,
      plan: fc.constantFrom(...PLANS),
      behavior,
      good: fc.constantFrom(true, true, true, false, null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      days: fc.constantFrom(1, 5, 10, 15, 31),
      good: fc.constantFrom(true, true, true, false, null),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      nth: fc.nat(9),
      share,
      to: fc.constantFrom<"card" | "balance">("card", "balance"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("settleRefunds" as const), good: isGood, most: fc.constantFrom(1, 9) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("payOut" as const), share }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("adjust" as const),
      amount: fc.constantFrom(1, 700, 3000, -20, -700, -3000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("failLate" as const), nth: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("refundOutside" as const), nth: fc.nat(9), share }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("dispute" as const), nth: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("decideDispute" as const),
      nth: fc.nat(9),
      outcome: fc.constantFrom<"won" | "lost">("won", "lost"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settleCharges" as const), good: isGood }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("void" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("markPaid" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), group }) },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** Carries out a step. The step has no effect if its invoice, payment or dispute does not exist. */
export function play(books: Books, step: Step): unknown {
  const { rows } = books;
  const pick = <Row>(list: readonly Row[], nth: number) => (list.length === 0 ? null : list[nth % list.length]!);
  switch (step.kind) {
    case "change": {
      const asked = { productId: `prd_${step.group}_${step.plan}`, prorationBehavior: step.behavior };
      const answer = books.change(old("sub", step.group), asked);
      if (step.good !== null) books.settleCharges(step.good);
      return answer;
    }
    case "advance":
      books.advance(step.days * DAY);
      if (step.good !== null) books.settleCharges(step.good);
      return null;
    case "refund": {
      const invoice = pick(
        rows.invoices.filter(({ status }) => status === "paid"),
        step.nth,
      );
      if (!invoice) return null;
      const whole = Math.max(invoice.totalAmount, invoice.amountPaid, 1);
      const amount = step.share === null ? null : Math.max(Math.round(whole * step.share), 1);
      return books.refund(invoice.id, { amount, to: step.to });
    }
    case "settleRefunds":
      return books.settleRefunds(step.good, step.most);
    case "payOut":
      return books.payOut(step.share === null ? null : Math.round(1000 * step.share));
    case "adjust":
      return books.adjust(step.amount);
    case "failLate": {
      const refund = pick(
        rows.refunds.filter(({ to, status }) => to === "card" && status === "succeeded"),
        step.nth,
      );
      return refund && books.failLate(refund.id);
    }
    case "refundOutside": {
      const payment = pick(
        rows.payments.filter(({ status }) => status === "succeeded"),
        step.nth,
      );
      const given = rows.refunds.filter(({ paymentId, status }) => paymentId === payment?.id && status !== "failed");
      const taken = rows.disputes.filter(({ paymentId, status }) => paymentId === payment?.id && status !== "won");
      const back = [...given, ...taken].reduce((sum, { amount }) => sum + amount, 0);
      const amount = Math.round((payment ? payment.amount - back : 0) * Math.min(step.share ?? 1, 1));
      return payment && amount > 0 ? books.refundOutside(payment.id, amount) : null;
    }
    case "dispute": {
      const payment = pick(rows.payments, step.nth);
      return payment && books.dispute(payment.id);
    }
    case "decideDispute": {
      const dispute = pick(
        rows.disputes.filter(({ status }) => status === "open"),
        step.nth,
      );
      return dispute && books.decideDispute(dispute.id, step.outcome);
    }
    case "settleCharges":
      return books.settleCharges(step.good);
    case "void":
    case "markPaid": {
      const invoice = rows.invoices.find(({ status }) => status === "open");
      if (!invoice) return null;
      return step.kind === "void" ? books.voidInvoice(invoice.id) : books.markPaid(invoice.id);
    }
    case "cancel":
      return books.cancel(old("sub", step.group));
  }
}
