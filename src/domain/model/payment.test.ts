import { describe, expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { isCharge, isForInvoice, isNewerCard, isOffSession, purposeOfNext, purposesOf, triggerOf } from "./payment.ts";
import type { PaymentTrigger, Purpose } from "./payment.ts";

describe("the purpose of a payment", () => {
  type Row = [
    purpose: Purpose,
    trigger: PaymentTrigger,
    isCharge: boolean,
    isOffSession: boolean,
    isForInvoice: boolean,
    next: Purpose,
  ];
  const table: Row[] = [
    ["checkout", "checkout", true, false, false, "renewal"],
    ["setup", "checkout", false, false, false, "renewal"],
    ["change", "product_change", true, true, false, "renewal"],
    ["renewal", "renewal", true, true, true, "renewal"],
    ["retry", "retry", true, true, true, "renewal"],
    ["new_card", "new_card", true, true, true, "new_card"],
    ["page", "new_card", true, false, true, "new_card"],
    ["hand", "manual", true, true, true, "hand"],
    ["last_invoice", "product_change", true, true, true, "renewal"],
  ];
  test.each(table)("%s is told as %s", (purpose, trigger, charge, offSession, forInvoice, next) => {
    expect(triggerOf({ purpose })).toBe(trigger);
    expect([isCharge({ purpose }), isOffSession({ purpose }), isForInvoice({ purpose })]).toEqual([
      charge,
      offSession,
      forInvoice,
    ]);
    expect(purposeOfNext(purpose)).toBe(next);
    expect(purposesOf(trigger)).toContain(purpose);
  });

  test("a trigger has no other purposes than those that are told as it", () => {
    expect(purposesOf("checkout")).toEqual(["checkout", "setup"]);
    expect(purposesOf("product_change")).toEqual(["change", "last_invoice"]);
    expect(purposesOf("new_card")).toEqual(["new_card", "page"]);
    expect(purposesOf("retry")).toEqual(["retry"]);
  });
});

describe("the newer one of two cards", () => {
  const [early, late] = [at("2025-06-01"), at("2025-06-02")];
  test.each([
    ["was given later", { id: "pm_b", createdAt: late }, { id: "pm_a", createdAt: early }, true],
    [
      "was given later, though its id is the smaller one",
      { id: "pm_a", createdAt: late },
      { id: "pm_b", createdAt: early },
      true,
    ],
    ["was not given earlier", { id: "pm_b", createdAt: early }, { id: "pm_a", createdAt: late }, false],
    [
      "has the greater id where both were given at one instant",
      { id: "pm_b", createdAt: early },
      { id: "pm_a", createdAt: early },
      true,
    ],
    ["is not itself", { id: "pm_a", createdAt: early }, { id: "pm_a", createdAt: early }, false],
  ])("%s", (_, card, other, isNewer) => expect(isNewerCard(card, other)).toBe(isNewer));
});
