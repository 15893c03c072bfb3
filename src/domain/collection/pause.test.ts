import { describe, expect, it } from "vitest";
import { billingWith, cardWith, customerWith, eventsOf } from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import type { Instant } from "../calendar.ts";
import { withDerived, type Subscription } from "../model/subscription.ts";
import { voidByHand } from "./by-hand.ts";
import { runFirst } from "./due.ts";
import { resumeSubscription } from "./pause.ts";
import { recoverIfSettled } from "./recovery.ts";

const RESUMES = at("2025-09-15");
const paused = withDerived(
  subscriptionWith({
    status: "paused",
    pause: { resumesAt: RESUMES, access: "revoke" },
    grantsSuspended: true,
    noticedUntil: RESUMES,
  }),
);
const billingAt = (now: Instant, ...subscriptions: Subscription[]) =>
  billingWith({
    now,
    customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
    cards: [cardWith()],
    subscriptions,
  });

describe("due items of a pause (rules T4c, T4e, S8d, S8g)", () => {
  it("come after a renewal and before a notice of the same instant", () => {
    const others = [
      subscriptionWith({ id: "sub_notice", groupKey: "a", currentPeriodEnd: at("2025-09-22") }),
      subscriptionWith({
        id: "sub_pauses",
        groupKey: "b",
        currentPeriodEnd: RESUMES,
        pause: paused.pause && { ...paused.pause, resumesAt: null },
      }),
      subscriptionWith({ id: "sub_renews", groupKey: "c", currentPeriodEnd: RESUMES, noticedUntil: RESUMES }),
    ];
    const billing = billingAt(RESUMES, ...others, paused);
    runFirst(billing, RESUMES, 4);
    const own = eventsOf(billing).filter((type) => type.startsWith("subscription."));
    expect(own).toEqual([
      "subscription.renewed",
      "subscription.paused",
      "subscription.resumed",
      "subscription.renewal_upcoming",
    ]);
  });

  it("are carried out as of their own instants after a downtime", () => {
    const scheduled = subscriptionWith({ pause: paused.pause, noticedUntil: at("2025-07-01") });
    const billing = billingAt(at("2025-09-20"), scheduled);
    runFirst(billing, at("2025-09-20"));
    const dated = billing.events
      .map(({ type, at: when }) => [type, when])
      .filter(([type]) => `${type}`.startsWith("sub"));
    expect(dated).toEqual([
      ["subscription.paused", at("2025-07-01")],
      ["subscription.resume_upcoming", at("2025-09-12")],
      ["subscription.resumed", RESUMES],
    ]);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ anchorAt: RESUMES, currentPeriodEnd: at("2025-10-15") });
    const [payment] = billing.payments.where(() => true);
    expect(payment!.createdAt).toBe(at("2025-09-20"));
  });
});

describe("a resume that is paid late (rule S8h)", () => {
  it("begins another period if the first one is over by then, as after a suspension (rule D8d)", () => {
    const paidAt = at("2025-11-01");
    const billing = billingAt(paidAt, paused);
    const { invoice } = resumeSubscription(billing, paused, RESUMES);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ status: "active", grantsSuspended: true, dueAt: null });
    billing.invoices.put({ ...invoice, status: "paid", paidAt });
    recoverIfSettled(billing, billing.subscriptions.get("sub_1")!, true, paidAt);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({
      status: "active",
      grantsSuspended: false,
      anchorAt: paidAt,
      periodNumber: 3,
    });
    expect(eventsOf(billing)).not.toContain("subscription.recovered");
  });

  it("begins another period, too, if an operator voids the first invoice after its period", () => {
    const voidedAt = at("2025-11-01");
    const billing = billingAt(voidedAt, paused);
    const { invoice } = resumeSubscription(billing, paused, RESUMES);
    voidByHand(billing, invoice.id, { reason: null });
    expect(billing.subscriptions.get("sub_1")).toMatchObject({
      status: "active",
      grantsSuspended: false,
      anchorAt: voidedAt,
      periodNumber: 3,
    });
  });

  it("gives access at once if no amount is due", () => {
    const free = { ...paused, amount: 0 };
    const billing = billingAt(RESUMES, free);
    resumeSubscription(billing, free, RESUMES);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ status: "active", grantsSuspended: false });
  });
});
