import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  benefitWith,
  cardWith,
  creditWith,
  customerWith,
  eventsOf,
  grantWith,
} from "../../../test/support/customer-billing.ts";
import { invoiceWith, lineWith, loadedAsNeeded, NOW, paymentWith } from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { balancesOf } from "../balance/move.ts";
import type { Checkout } from "../model/checkout.ts";
import { Refusal } from "../refusal.ts";
import { deleteCustomer } from "./delete.ts";

const usd = (amount: number) => ({ currency: "usd", amount });
const any = () => {};
const challenge = paymentWith({ status: "requires_action" });
const live = { subscriptions: [subscriptionWith()] };
const debit = lineWith({ id: "iln_9", invoiceId: null, amount: 900 });
const open = { ...live, invoices: [invoiceWith({ status: "open", balanceApplied: 200 })], lines: [lineWith()] };

describe("a Customer is not deleted (rule I5)", () => {
  const stale = () => {
    throw new Refusal("precondition_failed");
  };
  const inProgress = "payment_in_progress";
  test.each([
    ["twice", { customer: customerWith({ deletedAt: NOW }) }, stale, "not_found"],
    ["where they changed meanwhile", { payments: [paymentWith({ status: "pending" })] }, stale, "precondition_failed"],
    [
      "while a payment is not settled",
      { payments: [paymentWith({ status: "unknown" })], balances: [usd(1)] },
      any,
      inProgress,
    ],
    [
      "while a Checkout's challenge waits",
      { payments: [{ ...challenge, invoiceId: null, sourceId: "chk_1" }] },
      any,
      inProgress,
    ],
    ["where they would lose their balance", { balances: [usd(5)], payments: [challenge] }, any, "balance_left"],
  ])("%s", (_, rows, checkVersion, code) => {
    expect(() => deleteCustomer(billingWith(rows), false, checkVersion)).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    ["the balance", { balances: [usd(5), { currency: "eur", amount: -5 }] }, [usd(5)]],
    ["the part of an open invoice that the balance had settled", open, [usd(200)]],
    ["credit that waits", { ...live, lines: [creditWith(300)] }, [usd(300)]],
    ["no credit that waiting debits use up", { ...live, lines: [creditWith(300), debit] }, null],
    ["no debt", { balances: [usd(-5)] }, null],
  ])("for credit alone, which the refusal names: %s", (_, rows, balances) => {
    const refusal = expect.objectContaining({ code: "balance_left", values: { balances } });
    const run = () => deleteCustomer(billingWith(rows), false, any);
    if (balances) expect(run).toThrow(refusal);
    else expect(run).not.toThrow();
    expect(deleteCustomer(billingWith(rows), true, any)).toHaveProperty("deleted");
  });

  it("before a challenge is given up", () => {
    const billing = billingWith({ ...open, payments: [challenge] });
    expect(deleteCustomer(billing, true, any)).toEqual({ challenge });
    expect([billing.isForgotten, billing.events]).toEqual([false, []]);
  });
});

describe("a deleted Customer (rule I5)", () => {
  const [soon, past] = [at("2025-06-20"), at("2025-06-10")];
  const checkout = (id: string, expiresAt: typeof soon) =>
    ({
      id,
      customerId: "cus_1",
      status: "open",
      expiresAt,
      dueAt: expiresAt,
      version: 1,
      eventSequence: 1,
      updatedAt: past,
    }) as Checkout;
  const grants = [grantWith(), grantWith({ id: "bgr_2", subscriptionId: null, invoiceId: "inv_0" })];

  it("has no Subscription, grant, invoice or Checkout that goes on, and no balance", () => {
    const billing = billingWith({
      ...open,
      grants,
      benefits: [benefitWith()],
      cards: [cardWith()],
      balances: [usd(50), { currency: "eur", amount: -7 }],
      checkouts: [checkout("chk_1", past), checkout("chk_2", soon)],
      customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
    });
    const result = deleteCustomer(billing, true, any);
    const blank = { email: "", emailKey: "", defaultPaymentMethodId: null, deletedAt: NOW, version: 2 };
    expect(result).toEqual({ deleted: billing.customer });
    expect(billing.customer).toMatchObject(blank);
    expect(billing.isForgotten).toBe(true);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ status: "canceled", endedAt: NOW });
    expect(billing.invoices.get("inv_1")?.status).toBe("void");
    expect(billing.grants.where(({ status }) => status === "active")).toEqual([]);
    expect(["chk_1", "chk_2"].map((id) => billing.checkouts.get(id))).toMatchObject([
      { status: "expired", expiresAt: past, dueAt: null },
      { status: "expired", expiresAt: NOW, dueAt: null },
    ]);
    expect(balancesOf(billing)).toEqual([{ currency: "eur", amount: 0 }, usd(0)]);
    const writtenOff = billing.transfers.where(({ kind }) => kind === "balance_written_off");
    expect(writtenOff.map(({ currency, amount }) => [currency, amount])).toEqual([
      ["eur", 7],
      ["usd", 250],
    ]);
    expect(eventsOf(billing)).toEqual([
      "subscription.canceled",
      "invoice.voided",
      "benefit_grant.revoked",
      "benefit_grant.revoked",
      "checkout.expired",
      "checkout.expired",
      "customer.deleted",
    ]);
  });

  it("is loaded with all grants at once, however many purchases there are", () => {
    const purchases = [1, 2, 3].map((n) => grantWith({ id: `bgr_${n}`, subscriptionId: null, invoiceId: `inv_${n}` }));
    const rows = { ...live, grants: purchases, benefits: [benefitWith()] };
    const { parts } = loadedAsNeeded(rows, (billing) => deleteCustomer(billing, false, any));
    expect(parts).toEqual([
      ["purchase_grants", "open_checkouts", "grants sub_1"],
      ["grants inv_1", "grants inv_2", "grants inv_3"],
    ]);
  });

  it("is charged no more: a debt that waits is given up", () => {
    const billing = billingWith({ ...live, lines: [lineWith({ invoiceId: null })], cards: [cardWith()] });
    deleteCustomer(billing, false, any);
    expect(billing.invoices.where(() => true)).toMatchObject([{ status: "void", totalAmount: 1000 }]);
    expect(billing.payments.where(() => true)).toEqual([]);
  });
});
