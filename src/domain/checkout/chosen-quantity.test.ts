import { describe, expect, it, test } from "vitest";
import { SUBMITTED } from "../../../test/support/checkout.ts";
import { held } from "../../../test/support/discount.ts";
import { isRefusal } from "../refusal.ts";
import { atQuantity } from "./chosen-quantity.ts";

const USD = { least: 50, step: 1 };
const open = { ...SUBMITTED, status: "open" as const, amount: 6000, quantity: 5 };
const free = { ...open, quantityChange: { minimum: 2, maximum: 50 } };

describe("another quantity on the page of a Checkout (rule Q3)", () => {
  test.each([2, 5, 50])("%d units of 2 to 50 keep the price of a unit", (quantity) => {
    expect(atQuantity(free, quantity, USD)).toEqual({ quantity, amount: quantity * 1200 });
  });

  const codeOf = (choose: () => unknown) => {
    try {
      return choose();
    } catch (error) {
      if (isRefusal(error, "quantity_not_offered", "quantity_too_expensive", "discount_refused"))
        return [error.code, error.values];
      throw error;
    }
  };

  it("is refused beyond the limits of the page, and without a choice", () => {
    const limits = { field: "/quantity", minimum: 2, maximum: 50, unitName: null };
    expect(codeOf(() => atQuantity(free, 1, USD))).toEqual(["quantity_not_offered", limits]);
    expect(codeOf(() => atQuantity(free, 51, USD))).toEqual(["quantity_not_offered", limits]);
    const fixed = { field: "/quantity", minimum: 5, maximum: 5, unitName: null };
    expect(codeOf(() => atQuantity(open, 6, USD))).toEqual(["quantity_not_offered", fixed]);
    expect(atQuantity(open, 5, USD)).toEqual({ quantity: 5, amount: 6000 });
  });

  it("is refused if the total is too large, or the discounted total too small (rules M1, M5a)", () => {
    const dear = { ...free, amount: 5 * 99_999_999_999, quantityChange: { minimum: 1, maximum: 100 } };
    expect(codeOf(() => atQuantity(dear, 11, USD))).toMatchObject(["quantity_too_expensive", {}]);
    const discount = held({ basisPoints: 9900 });
    const reason = { field: "/discountCode", reason: "discount_below_minimum" };
    expect(codeOf(() => atQuantity({ ...free, discount }, 2, USD))).toEqual(["discount_refused", reason]);
    expect(atQuantity({ ...free, discount }, 5, USD)).toEqual({ quantity: 5, amount: 6000 });
  });
});
