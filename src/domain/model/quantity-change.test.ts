import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { change, currentTarget, facts, other } from "../../../test/support/change.ts";
import { anyTerms } from "../../../test/support/discount.ts";
import { at, renew, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { instant } from "../calendar.ts";
import { billedOf, type LineTax } from "../tax/tax.ts";
import { beginDiscount, discountOn } from "./discount.ts";
import { lineTotal, type LineDraft } from "./invoice.ts";
import { planChange, type ChangeTarget } from "./plan-change.ts";
import { PRORATION_BEHAVIORS, type ProrationBehavior } from "./proration.ts";
import { ONE_UNIT } from "./quantity.ts";
import { withDerived, type Subscription } from "./subscription.ts";

const SEATS = { en: { one: "seat", other: "seats" } };
const mid = at("2025-06-16");
const [start, end] = [at("2025-06-01"), at("2025-07-01")];
const VAT: LineTax = {
  country: "DE",
  region: null,
  basisPoints: 1900,
  name: "VAT",
  inclusive: false,
  reverseCharge: false,
};
const anyTax = fc.constantFrom<LineTax | null>(null, VAT, { ...VAT, inclusive: true });
const anyHeld = fc.option(anyTerms({ duration: "forever" }), { nil: null });
const anyQuantity = fc.integer({ min: 1, max: 100_000 });
const anyUnitAmount = fc.integer({ min: 1, max: 1_000_000 });
const anyBehavior = fc.constantFrom(...PRORATION_BEHAVIORS);

/** A paid month of `quantity` units at this price, with tax and discount. */
function sold(unitAmount: number, quantity: number, tax: LineTax | null, held: Subscription["discount"]): Subscription {
  const [amount, discount] = [unitAmount * quantity, beginDiscount(held, start, "UTC")];
  const off = discountOn(discount, { productId: "prd_current", price: amount }, { start, end });
  return subscriptionWith({ amount, quantity, paidRate: billedOf(amount - off, tax), paidTax: tax, discount });
}
const units = (unitAmount: number, quantity: number): ChangeTarget => ({
  ...currentTarget(unitAmount * quantity),
  quantity,
});

describe("a change of the quantity (rule Q6)", () => {
  const team = subscriptionWith({ amount: 6000, quantity: 5 });
  const eight = { ...currentTarget(9600), quantity: 8, unitName: SEATS };
  test.each<[behavior: ProrationBehavior, amounts: number[], quantity: number, paidRate: number]>([
    ["invoice_now", [-3000, 4800], 8, 9600],
    ["next_invoice", [-3000, 4800], 8, 9600],
    ["none", [], 8, 6000],
    ["next_period", [], 5, 6000],
  ])("from 5 to 8 by %s: %j", (behavior, amounts, quantity, paidRate) => {
    const changed = change(team, eight, behavior, mid, { unitName: SEATS });
    expect(changed.amounts).toEqual(amounts);
    expect(changed.after).toMatchObject({ quantity, paidRate, periodNumber: 1 });
    const renewed = renew(changed.after, "Present", "UTC");
    expect(renewed.line).toMatchObject({ amount: 9600, basis: { quantity: 8 } });
    expect(renewed.subscription).toMatchObject({ amount: 9600, quantity: 8 });
  });

  it("keeps quantity, noun and price in its lines (rule Q5)", () => {
    const { lines } = change(team, eight, "invoice_now", mid, { unitName: SEATS });
    expect(lines.map(({ description }) => description.replaceAll("\u00a0", " "))).toEqual([
      "Present, 5 seats × US$12.00, unused rest of the period",
      "Present, 8 seats × US$12.00, rest of the period",
    ]);
    expect(lines.map(({ basis }) => basis)).toMatchObject([
      { rate: 6000, price: 6000, quantity: 5, unitName: SEATS },
      { rate: 9600, price: 9600, quantity: 8, unitName: SEATS },
    ]);
  });

  it("keeps neither quantity nor noun in a line of one unit without a noun", () => {
    const { lines } = change(subscriptionWith(), other(2000), "invoice_now", mid);
    expect(lines.map(({ basis }) => Object.keys(basis!))).toEqual(
      [1, 2].map(() => ["kind", "rate", "price", "from", "periodStart", "periodEnd"]),
    );
  });

  it("has no effect for the present quantity, and clears a pending one (rules P6, Q6c)", () => {
    const five = { ...currentTarget(6000), quantity: 5 };
    expect(planChange(team, facts(five, "invoice_now", mid))).toEqual({ unchanged: true });
    const { after } = change(team, eight, "next_period", mid);
    expect(after.pendingChange).toMatchObject({ amount: 9600, quantity: 8 });
    expect(planChange(after, facts(eight, "next_period", mid))).toEqual({ unchanged: true });
    expect(planChange(after, facts(five, "next_period", mid))).toMatchObject({ set: { pendingChange: null } });
  });

  it("is at once and without lines in a trial (rule P4)", () => {
    const { after, lines } = change(trialWith({ amount: 6000, quantity: 5 }), eight, "invoice_now", at("2025-06-05"));
    expect(lines).toEqual([]);
    expect(after).toMatchObject({ amount: 9600, quantity: 8, trialEnd: at("2025-06-15") });
  });

  it("begins no period of a free Subscription (rule Q6d)", () => {
    const free = subscriptionWith({ amount: 0, quantity: 5 });
    const { after, lines, restarted } = change(free, { ...currentTarget(0), quantity: 8 }, "invoice_now", mid);
    expect({ lines, restarted }).toEqual({ lines: [], restarted: false });
    expect(after).toMatchObject({ quantity: 8, currentPeriodStart: free.currentPeriodStart, periodNumber: 1 });
  });
});

describe("for every price, quantity, tax and discount", () => {
  const anyInstant = fc.integer({ min: start, max: end }).map(instant);

  it("a rise and a fall at one instant come back to the cent", () => {
    const moving = fc.constantFrom<ProrationBehavior>("invoice_now", "next_invoice");
    fc.assert(
      fc.property(
        anyUnitAmount,
        anyQuantity,
        anyQuantity,
        anyTax,
        anyHeld,
        moving,
        moving,
        anyInstant,
        (unitAmount, from, to, tax, held, there, back, now) => {
          fc.pre(from !== to);
          const before = sold(unitAmount, from, tax, held);
          const first = change(before, units(unitAmount, to), there, now, { tax });
          const second = change(first.after, units(unitAmount, from), back, now, { tax });
          expect([...first.lines, ...second.lines].reduce((sum, line) => sum + lineTotal(line), 0)).toBe(0);
          expect(second.after).toEqual(before);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("n units of a price equal one unit of n × the price, in each line and for the rest of the Subscription", () => {
    const noted = (line: LineDraft) => ({ ...line, description: "", basis: null });
    const asOne = (subscription: Subscription) => ({
      ...subscription,
      quantity: 1,
      pendingChange: subscription.pendingChange && { ...subscription.pendingChange, ...ONE_UNIT },
    });
    fc.assert(
      fc.property(
        anyUnitAmount,
        anyQuantity,
        anyQuantity,
        anyTax,
        anyHeld,
        anyBehavior,
        anyInstant,
        (unitAmount, from, to, tax, held, behavior, now) => {
          fc.pre(from !== to);
          const many = change(sold(unitAmount, from, tax, held), units(unitAmount, to), behavior, now, { tax });
          const one = change(
            withDerived({ ...sold(unitAmount, from, tax, held), quantity: 1 }),
            currentTarget(unitAmount * to),
            behavior,
            now,
            { tax },
          );
          expect(many.lines.map(noted)).toEqual(one.lines.map(noted));
          expect(asOne(many.after)).toEqual(asOne(one.after));
          const [next, single] = [renew(many.after, "Present", "UTC"), renew(one.after, "Present", "UTC")];
          expect(noted(next.line)).toEqual(noted(single.line));
          expect(asOne(next.subscription)).toEqual(asOne(single.subscription));
        },
      ),
      { numRuns: 500 },
    );
  });
});
