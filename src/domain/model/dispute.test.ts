import { describe, expect, it, test } from "vitest";
import { disputable, disputedOf, type DisputeStatus } from "./dispute.ts";
import type { Payment } from "./payment.ts";
import type { Refund } from "./refund.ts";

type Given = Pick<Refund, "status" | "amount" | "lines" | "paymentId">;
const refund = (status: Refund["status"], amount: number, paymentId: string | null = "pay_1"): Given => ({
  status,
  amount,
  paymentId,
  lines: [{ invoiceLineId: "a", amount, taxAmount: 0 }],
});

describe("the part of a charge that a bank takes back (rule D5)", () => {
  type Row = [what: string, purpose: Payment["purpose"], status: Payment["status"], refunds: Given[], amount: number];
  const table: Row[] = [
    ["all of it", "renewal", "succeeded", [], 1000],
    ["less a refund to the card", "renewal", "succeeded", [refund("succeeded", 300)], 700],
    [
      "less refunds that are on their way to the card",
      "renewal",
      "succeeded",
      [refund("pending", 300), refund("unknown", 200)],
      500,
    ],
    ["whole after a refund that failed", "renewal", "succeeded", [refund("failed", 300)], 1000],
    [
      "whole after a refund to the balance, which the bank does not know",
      "renewal",
      "succeeded",
      [refund("succeeded", 300, null)],
      1000,
    ],
    ["zero of a charge that was given back whole", "renewal", "succeeded", [refund("succeeded", 1000)], 0],
    ["zero of a charge that failed", "renewal", "failed", [], 0],
    ["zero of a charge with an unknown outcome", "renewal", "unknown", [], 0],
    ["zero of a card that was only saved", "setup", "succeeded", [], 0],
  ];
  test.each(table)("%s", (_, purpose, status, refunds, amount) => {
    expect(disputable({ id: "pay_1", purpose, status, amount: 1000 }, refunds)).toBe(amount);
  });

  it("is held until it was won", () => {
    const dispute = (status: DisputeStatus, amount: number) => ({ status, amount });
    expect(disputedOf([dispute("won", 1), dispute("lost", 20), dispute("open", 300)])).toBe(320);
    expect(disputedOf([])).toBe(0);
  });
});
