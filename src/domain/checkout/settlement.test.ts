import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { billingWith, NOW } from "../../../test/support/customer-billing.ts";
import { SUBMITTED } from "../../../test/support/checkout.ts";
import { limitsWith, type ChargeLimits } from "../model/charge-limits.ts";
import { cardNeed, checkoutTotals, dueToday, reopened, type Checkout } from "../model/checkout.ts";
import { mayUseBalance, settledNow, settledWith, settlementOf, shownNow } from "./settlement.ts";

const usd = (amount: number) => ({ currency: "usd", amount });
/** The limits of a provider without steps. */
const USUAL: ChargeLimits = { least: 50, step: 1 };
const STEPS: ChargeLimits = { least: 500, step: 10 };
const OPEN: Checkout = { ...SUBMITTED, id: "chk_2", status: "open", usesBalance: true };
/** A Checkout that is being paid, and has reserved this part of the balance. */
const paying = (balanceApplied: number, more: Partial<Checkout> = {}): Checkout => {
  const settlement = { balanceApplied, basis: { balance: balanceApplied, minimum: 50 } };
  return { ...SUBMITTED, usesBalance: true, settlement, ...more };
};

describe("the part of a total that the balance settles (rule C7b)", () => {
  test.each([
    ["no credit", 3000, 0, 0, 3000],
    ["a part", 3000, 1000, 1000, 2000],
    ["all of it", 3000, 3000, 3000, 0],
    ["less credit than there is", 3000, 9000, 3000, 0],
    ["a rest of just the minimum charge", 3000, 2950, 2950, 50],
    ["less credit, where the rest would be one cent too small", 3000, 2951, 2950, 50],
    ["less credit, where the rest would be one cent", 3000, 2999, 2950, 50],
    ["the example of chapter C: a book for 30.25 with a credit of 30.00", 3025, 3000, 2975, 50],
    ["no credit, where the total is the minimum charge", 50, 49, 0, 50],
    ["all of the minimum charge", 50, 50, 50, 0],
    ["no part of nothing", 0, 500, 0, 0],
  ])("%s", (_, total, available, balanceApplied, rest) => {
    const settlement = settlementOf(total, available, USUAL);
    expect(settlement).toEqual({ balanceApplied, basis: { balance: available, minimum: 50 } });
    expect(total - settlement.balanceApplied).toBe(rest);
  });

  test.each([
    ["no credit, and a part above the step", 1292, 0, 2, 1290],
    ["a credit that covers this part", 1292, 2, 2, 1290],
    ["a credit that does not", 1292, 5, 12, 1280],
    ["a credit that leaves the minimum charge", 1292, 900, 792, 500],
    ["all of it", 1292, 1292, 1292, 0],
  ])("with a step of 10: %s (rule M5)", (_, total, available, balanceApplied, rest) => {
    const settlement = settlementOf(total, available, STEPS);
    expect(settlement).toEqual({ balanceApplied, basis: { balance: available, minimum: 500, step: 10 } });
    expect(total - settlement.balanceApplied).toBe(rest);
  });

  it("is as large as the credit, and leaves no rest or a rest that can be charged", () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 999_999_999_999 }));
    const limits = fc
      .record({ currency: fc.constantFrom("usd", "jpy", "kwd", "czk"), step: fc.constantFrom(1, 10, 100) })
      .map(({ currency, step }) => limitsWith(currency, step));
    fc.assert(
      fc.property(amount, amount, limits, (price, available, { least, step }) => {
        const total = price === 0 ? 0 : Math.max(price, least);
        const { balanceApplied } = settlementOf(total, available, { least, step });
        const most = Math.min(available, total);
        expect(balanceApplied).toBeGreaterThanOrEqual(0);
        expect(balanceApplied).toBeLessThanOrEqual(total);
        // The debt, if there is one, is smaller than a step.
        expect(balanceApplied).toBeLessThan(most + step);
        const rest = total - balanceApplied;
        expect(rest === 0 || rest >= least).toBe(true);
        expect(rest % step).toBe(0);
        // As much as possible: with less credit in use, the card pays exactly the minimum charge.
        expect(balanceApplied >= most || rest === least).toBe(true);
      }),
    );
  });
});

describe("a Checkout and the balance (rule C7)", () => {
  test.each([
    ["an open one of a named Customer", OPEN, true],
    ["one without a named Customer", { ...OPEN, usesBalance: false }, false],
    ["one for nothing", { ...OPEN, amount: 0 }, false],
    ["one with a trial, which may turn out to be used", { ...OPEN, trialDays: 14 }, true],
  ])("%s", (_, checkout, may) => expect(mayUseBalance(checkout)).toBe(may));

  test.each([
    ["a part", OPEN, 1000, { totalAmount: 3000, balanceApplied: 1000, amountDue: 2000 }, "charge"],
    ["all: the card is saved", OPEN, 3000, { totalAmount: 3000, balanceApplied: 3000, amountDue: 0 }, "save"],
    [
      "all of a one-time Product: no card",
      { ...OPEN, interval: null, intervalCount: null },
      3000,
      { totalAmount: 3000, balanceApplied: 3000, amountDue: 0 },
      "none",
    ],
    ["a trial", { ...OPEN, trialDays: 14 }, 3000, { totalAmount: 0, balanceApplied: 0, amountDue: 0 }, "save"],
    [
      "an unknown tax",
      { ...OPEN, tax: null },
      3000,
      { totalAmount: null, balanceApplied: null, amountDue: null },
      "charge",
    ],
    [
      "a buyer that was not named",
      { ...OPEN, usesBalance: false },
      3000,
      { totalAmount: 3000, balanceApplied: 0, amountDue: 3000 },
      "charge",
    ],
  ] as const)("%s", (_, checkout, credit, totals, need) => {
    const settled = settledWith(checkout as Checkout, credit, USUAL);
    expect(checkoutTotals(settled)).toMatchObject(totals);
    expect(dueToday(settled)).toBe(totals.amountDue ?? 3000);
    expect(cardNeed(settled)).toBe(need);
  });

  test.each([
    ["a credit", [usd(700)], [], 700],
    ["a debt", [usd(-700)], [], 0],
    ["another currency", [{ currency: "eur", amount: 700 }], [], 0],
    ["less the part of another one", [usd(700)], [paying(500)], 200],
    ["not below zero", [usd(300)], [paying(500)], 0],
    ["another one in another currency", [usd(700)], [paying(500, { currency: "eur" })], 700],
    ["another one that failed", [usd(700)], [paying(500, { status: "open" })], 700],
    ["its own part", [usd(700)], [paying(500, { id: OPEN.id })], 700],
  ])("can use: %s", (_, balances, checkouts, applied) => {
    const { settlement } = settledNow(billingWith({ balances, checkouts }), OPEN);
    expect(settlement?.balanceApplied).toBe(applied);
  });

  it("collects no debt, and uses no credit that other Checkouts have reserved", () => {
    const balance = fc.integer({ min: -5000, max: 9000 });
    const reserved = fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 3 });
    fc.assert(
      fc.property(balance, reserved, fc.integer({ min: 50, max: 6000 }), (amount, parts, price) => {
        const checkouts = parts.map((part, n) => paying(part, { id: `chk_x${n}` }));
        const billing = billingWith({ balances: [usd(amount)], checkouts });
        const { balanceApplied, amountDue } = checkoutTotals(settledNow(billing, { ...OPEN, amount: price }));
        const free = amount - parts.reduce((sum, part) => sum + part, 0);
        expect(balanceApplied).toBeGreaterThanOrEqual(0);
        expect(balanceApplied).toBeLessThanOrEqual(Math.max(free, 0));
        expect(amountDue).toBe(price - balanceApplied!);
        expect(amountDue === 0 || amountDue! >= 50).toBe(true);
      }),
    );
  });

  it("needs no open items without a named Customer", () => {
    const billing = billingWith({ parts: [] });
    billing.need = () => expect.fail("a part is needed");
    expect(settledNow(billing, { ...OPEN, usesBalance: false }).settlement).toBeNull();
  });

  test.each([
    ["one without a named Customer", { ...OPEN, usesBalance: false }, [usd(700)], 2, 1290],
    ["one of a Customer with a debt", OPEN, [usd(-5)], 2, 1290],
    ["one of a Customer with credit", OPEN, [usd(300)], 302, 990],
    ["one with a trial", { ...OPEN, trialDays: 14 }, [usd(300)], 0, 0],
    ["one with an unknown tax", { ...OPEN, tax: null }, [usd(300)], null, null],
  ])("charges a multiple of the step: %s (rule M5)", (_, checkout, balances, balanceApplied, amountDue) => {
    const settled = settledNow(billingWith({ balances, step: 10 }), { ...checkout, amount: 1292 });
    expect(checkoutTotals(settled)).toMatchObject({ balanceApplied, amountDue });
  });

  it("is shown with the present balance while it is open, and then with the fixed part", () => {
    const billing = billingWith({ balances: [usd(700)] });
    expect(shownNow(billing, OPEN).settlement).toMatchObject({ balanceApplied: 700 });
    expect(shownNow(billing, paying(500)).settlement).toMatchObject({ balanceApplied: 500 });
    expect(shownNow(billing, { ...OPEN, status: "expired" }).settlement).toBeNull();
    const failed = reopened(paying(500), "card_declined", NOW);
    expect(failed.settlement).toBeNull();
  });
});
