import { describe, expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { discountOn, recountDiscount, type HeldDiscount } from "./discount.ts";
import { restOfDiscount } from "./imported-discount.ts";
import { importedPeriod } from "./imported-period.ts";

const MONTH = { interval: "month", intervalCount: 1 } as const;
const period = importedPeriod(
  { anchorAt: at("2025-11-20"), periodStart: at("2026-02-20"), periodEnd: at("2026-03-20"), trialEnd: null },
  "UTC",
  MONTH,
);
const held = (more: Partial<HeldDiscount> = {}): HeldDiscount => ({
  id: "dsc_1",
  code: "SPRING",
  type: "percentage",
  basisPoints: 2500,
  amount: null,
  currency: null,
  duration: "repeating",
  months: 3,
  productIds: null,
  startedAt: at("2026-01-05"),
  endsAt: at("2026-04-05"),
  first: null,
  ...more,
});

describe("the rest of a discount of another system (rule V3)", () => {
  test.each([
    ["an end within the next period covers that period whole", "2026-04-05", "2026-04-20"],
    ["an end with the period in progress covers no further one", "2026-03-20", "2026-03-20"],
    ["an end within the period in progress covers it, and no further one", "2026-03-01", "2026-03-20"],
    ["an end at a later boundary is that boundary", "2026-05-20", "2026-05-20"],
  ])("%s", (_, end, ends) => {
    expect(restOfDiscount(held({ endsAt: at(end) }), period)).toMatchObject({ endsAt: at(ends) });
  });

  test("an end before the period in progress leaves no discount", () => {
    expect(restOfDiscount(held({ endsAt: at("2026-02-20") }), period)).toBeNull();
  });

  test.each([
    ["none", null],
    ["one for ever", held({ duration: "forever", months: null, endsAt: null })],
    ["one that was not used yet", held({ duration: "once", months: null, startedAt: null, endsAt: null })],
  ])("%s stays as it is", (_, discount) => expect(restOfDiscount(discount, period)).toEqual(discount));

  test("takes its share off each period that begins before the end there, and off no later one", () => {
    const rest = restOfDiscount(held(), period)!;
    const spans = [
      ["2026-03-20", "2026-04-20"],
      ["2026-04-20", "2026-05-20"],
    ].map(([start, end]) => ({ start: at(start!), end: at(end!) }));
    const off = spans.map((span) => discountOn(rest, { productId: "prd_1", price: 2800 }, span));
    expect(off).toEqual([700, 0]);
  });

  test("moves with the periods, when they are counted anew", () => {
    const rest = restOfDiscount(held(), period)!;
    const moved = { from: at("2026-03-20"), to: at("2026-03-30"), zones: ["UTC", "UTC"] as [string, string] };
    expect(recountDiscount(rest, moved)).toMatchObject({ endsAt: at("2026-04-30") });
  });
});
