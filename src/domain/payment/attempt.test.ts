import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  cardWith,
  customerWith,
  disputeWith,
  invoiceWith,
  NOW,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import {
  abandonAttempt,
  collectByHand,
  collectInvoice,
  collectOnPage,
  LEASE_MILLISECONDS,
  liveAttempt,
} from "./attempt.ts";
import { cardOf, clearDisputedCard, disputedCards, unhinderedCardOf } from "./card.ts";

const open = invoiceWith({ status: "open" });
const card = cardWith();
/** The same card, given again. */
const again = cardWith({ id: "pm_2", fingerprint: card.fingerprint });
const other = cardWith({ id: "pm_3" });
const cards = [card, again, other];
const disputed = {
  payments: [paymentWith({ invoiceId: "inv_0" })],
  cards,
  disputes: [disputeWith({ invoiceId: "inv_0" })],
};

describe("an attempt (rules D1, D6)", () => {
  it("is recorded before the provider is called, due at once for the worker", () => {
    const billing = billingWith({ cards });
    const payment = collectInvoice(billing, open, card, "renewal", NOW);
    expect(payment).toMatchObject({ purpose: "renewal", status: "pending", amount: 1000, checkAt: NOW });
    expect(payment).toMatchObject({ sourceId: "inv_1", invoiceId: "inv_1", checkoutId: null, subscriptionId: "sub_1" });
    expect(payment).toMatchObject({ version: 1, eventSequence: 0, paymentMethodId: "pm_1", method: { last4: "4242" } });
    expect(billing.events).toEqual([]);
    expect(liveAttempt(billing, "inv_1")).toEqual(payment);
  });

  it("is leased to a request that calls the provider itself", () => {
    const billing = billingWith({ cards });
    const request = {
      requestId: "req_1",
      idempotency: { organizationId: "org_1", key: "k", method: "POST", path: "/" },
    };
    const leased = { status: "pending", checkAt: NOW + LEASE_MILLISECONDS };
    expect(collectByHand(billing, open, card, request)).toMatchObject({ ...leased, request, purpose: "hand" });
    expect(collectOnPage(billing, open, card)).toMatchObject({ ...leased, request: null, purpose: "page" });
  });

  it("is refused off-session on a card that is disputed, however often it was given; on the page it is not", () => {
    const billing = billingWith(disputed);
    const failureOf = (method: typeof card) => collectInvoice(billing, open, method, "retry", NOW).failureCode;
    expect(cards.map(failureOf)).toEqual(["card_disputed", "card_disputed", null]);
    expect(collectOnPage(billing, open, card).failureCode).toBeNull();
  });

  it("has the same key in each copy of a database, if Billow begins the attempt by itself (rule D1a)", () => {
    const renewal = invoiceWith({ status: "open", periodNumber: 4 });
    const copy = () => {
      const billing = billingWith({ cards, invoices: [renewal] });
      // The second attempt is given the invoice as it was read before the first one.
      const keys = (["renewal", "retry"] as const).map(
        (purpose) => collectInvoice(billing, renewal, card, purpose, NOW).providerKey,
      );
      return { keys, invoice: billing.invoices.get(renewal.id) };
    };
    expect(copy().keys).toEqual(["sub_1_4_1", "sub_1_4_2"]);
    expect(copy().keys).toEqual(copy().keys);
    expect(copy().invoice).toEqual({ ...renewal, collections: 2 });
    const last = invoiceWith({ status: "open", periodNumber: null });
    expect(collectInvoice(billingWith({ cards }), last, card, "last_invoice", NOW).providerKey).toBe("sub_1_last_1");
  });

  it("has a random key, if a person begins the attempt (rule D1b)", () => {
    const billing = billingWith({ cards });
    const begun = [collectByHand(billing, open, card, null), collectOnPage(billing, open, card)];
    for (const { id, providerKey } of begun) expect(providerKey).toBe(id);
  });

  it("that is given up is due at once for the worker, and given up once", () => {
    const billing = billingWith({ payments: [paymentWith({ status: "requires_action", checkAt: at("2025-07-01") })] });
    abandonAttempt(billing, liveAttempt(billing, "inv_1")!, NOW);
    expect(liveAttempt(billing, "inv_1")).toMatchObject({ abandoned: true, checkAt: NOW, version: 1 });
    const live = liveAttempt(billing, "inv_1")!;
    abandonAttempt(billing, { ...live, checkAt: null }, NOW);
    expect(liveAttempt(billing, "inv_1")).toEqual(live);
  });

  test.each([
    ["pending", true],
    ["requires_action", true],
    ["unknown", true],
    ["failed", false],
    ["succeeded", false],
  ] as const)("that is %s is live: %s", (status, isLive) => {
    expect(liveAttempt(billingWith({ payments: [paymentWith({ status })] }), "inv_1") !== null).toBe(isLive);
  });
});

describe("the card that is charged", () => {
  const onFile = {
    cards: [...cards, cardWith({ id: "pm_dead", dead: true })],
    customer: customerWith({ defaultPaymentMethodId: "pm_3" }),
  };

  test.each([
    ["the Customer's default", {}, "pm_3"],
    ["the Subscription's own", { paymentMethodId: "pm_1" }, "pm_1"],
    ["the Customer's default in the place of a card that was reported lost", { paymentMethodId: "pm_dead" }, "pm_3"],
    ["never the Customer's default while unclaimed", { claimed: false }, null],
    ["no card that was reported lost while unclaimed", { claimed: false, paymentMethodId: "pm_dead" }, null],
  ])("%s", (_, more, id) => expect(cardOf(billingWith(onFile), subscriptionWith(more))?.id ?? null).toBe(id));

  it("is no disputed card off-session, until the buyer pays with it or the dispute is won (rule D6)", () => {
    const billing = billingWith(disputed);
    const paysWithIt = subscriptionWith({ paymentMethodId: "pm_2" });
    expect([cardOf(billing, paysWithIt)?.id, unhinderedCardOf(billing, paysWithIt)]).toEqual(["pm_2", null]);
    clearDisputedCard(billing, { paymentMethodId: "pm_3" }, NOW);
    expect(disputedCards(billing)).toEqual(new Set(["fp_pm_1"]));
    clearDisputedCard(billing, { paymentMethodId: "pm_2" }, NOW);
    expect(disputedCards(billing).size).toBe(0);
    expect(unhinderedCardOf(billing, paysWithIt)?.id).toBe("pm_2");
    expect(billing.disputes.get("dsp_1")).toMatchObject({ cardClearedAt: NOW, version: 1, eventSequence: 1 });
    expect(billing.events).toEqual([]);
    expect(disputedCards(billingWith({ ...disputed, disputes: [disputeWith({ status: "won" })] })).size).toBe(0);
  });
});
