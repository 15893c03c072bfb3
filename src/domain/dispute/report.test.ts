import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { billingWith, disputeWith, eventsOf, invoiceWith, lineWith } from "../../../test/support/customer-billing.ts";
import { NOW, paymentWith, refundWith } from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import type { DisputeReport } from "../model/dispute-report.ts";
import { reportDispute } from "./report.ts";

const charged = {
  subscriptions: [subscriptionWith()],
  invoices: [invoiceWith()],
  lines: [lineWith()],
  payments: [paymentWith()],
};
type Status = DisputeReport["status"];
const fact = (status: Status, others: Partial<DisputeReport> = {}): DisputeReport => ({
  ref: "dp_1",
  chargeKey: "pay_1",
  status,
  reason: "fraudulent",
  amount: 1000,
  currency: "usd",
  evidenceDueAt: null,
  fee: null,
  feeCurrency: null,
  ...others,
});

/** The states, events and posted amounts after facts in this order. */
function after(statuses: readonly Status[], rows: object = {}) {
  const billing = billingWith({ ...charged, ...rows });
  const answers = statuses.map((status) => reportDispute(billing, "pay_1", fact(status)));
  return {
    answers,
    states: billing.disputes.where(() => true).map(({ status }) => status),
    events: eventsOf(billing),
    posted: billing.transfers.where(() => true).map(({ kind, amount }) => `${kind} ${amount}`),
  };
}

describe("a dispute as the provider reports it (rule D5)", () => {
  type Row = [statuses: Status[], state: Status | null, posted: string[], events: string[]];
  test.each<Row>([
    [["inquiry"], "inquiry", [], ["dispute.created"]],
    [["inquiry", "inquiry"], "inquiry", [], ["dispute.created"]],
    [["inquiry", "closed"], "closed", [], ["dispute.created", "dispute.closed"]],
    [["closed"], null, [], []],
    [["open"], "open", ["dispute_opened 1000"], ["dispute.created"]],
    [["open", "inquiry"], "open", ["dispute_opened 1000"], ["dispute.created"]],
    [["inquiry", "open"], "open", ["dispute_opened 1000"], ["dispute.created", "dispute.updated"]],
    [["open", "won"], "won", ["dispute_opened 1000", "dispute_won 1000"], ["dispute.created", "dispute.closed"]],
    [["open", "closed"], "won", ["dispute_opened 1000", "dispute_won 1000"], ["dispute.created", "dispute.closed"]],
    [["lost"], "lost", ["dispute_opened 1000", "dispute_lost 1000"], ["dispute.created", "dispute.closed"]],
    [["won", "open", "won"], "won", ["dispute_opened 1000", "dispute_won 1000"], ["dispute.created", "dispute.closed"]],
    [
      ["inquiry", "lost"],
      "lost",
      ["dispute_opened 1000", "dispute_lost 1000"],
      ["dispute.created", "dispute.updated", "dispute.closed"],
    ],
  ])("%j", (statuses, state, posted, events) => {
    const found = after(statuses);
    expect(found.answers).toEqual(statuses.map(() => "taken"));
    expect(found.states).toEqual(state === null ? [] : [state]);
    expect(found.posted).toEqual(posted);
    expect(found.events).toEqual(events);
  });

  test.each<[what: string, statuses: Status[], rows: object]>([
    ["a decision that the provider takes back", ["lost", "won"], {}],
    ["a charge of which nothing is left", ["open"], { refunds: [refundWith({ to: "card", amount: 1000 })] }],
    ["a second dispute of a charge", ["open"], { disputes: [disputeWith({ providerRef: "dp_0" })] }],
  ])("%s is for an operator, and changes nothing", (_, statuses, rows) => {
    const found = after(statuses, rows);
    expect(found.answers.at(-1)).toBe("unmatched");
    expect(found.posted).toEqual(after(statuses.slice(0, -1), rows).posted);
  });

  it("shows a new deadline, and keeps the amount that the bank has taken", () => {
    const billing = billingWith(charged);
    reportDispute(billing, "pay_1", fact("open", { amount: 600 }));
    reportDispute(billing, "pay_1", fact("open", { amount: 800, evidenceDueAt: NOW }));
    const [dispute] = billing.disputes.where(() => true);
    expect(dispute).toMatchObject({ amount: 600, evidenceDueAt: NOW, version: 2 });
    expect(eventsOf(billing)).toEqual(["dispute.created", "dispute.updated"]);
  });

  it.each(["won", "lost"] as const)("shows the fee that is left after a dispute was %s", (end) => {
    const billing = billingWith(charged);
    for (const fee of [1500, 1500, 500, 500]) reportDispute(billing, "pay_1", fact(end, { fee, feeCurrency: "usd" }));
    // A reading without a move of the balance tells no fee.
    reportDispute(billing, "pay_1", fact(end, { fee: null, feeCurrency: null }));
    const [dispute] = billing.disputes.where(() => true);
    expect(dispute).toMatchObject({ status: end, fee: 500, feeCurrency: "usd" });
    expect(eventsOf(billing).filter((type) => type === "dispute.updated")).toHaveLength(1);
  });

  it("is booked once, however often and in whatever order the facts come", () => {
    const status = fc.constantFrom<Status>("inquiry", "open", "won", "closed");
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 8 }), (statuses) => {
        const { states, posted } = after(statuses);
        expect(states.length).toBeLessThanOrEqual(2);
        expect(posted.filter((each) => each.startsWith("dispute_opened")).length).toBe(
          states.filter((each) => each === "open" || each === "won").length,
        );
      }),
    );
  });
});
