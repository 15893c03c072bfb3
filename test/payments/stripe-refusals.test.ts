import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createStripeProvider } from "../../src/payments/stripe/stripe.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, type StripeWorld } from "./stripe-world.ts";

let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe();
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings: { baseUrl: stripe.url } });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});
beforeEach(() => stripe.clearFaults());

const CREATE = "POST /v1/payment_intents";
const CONFIRM = "POST /v1/payment_intents/:id/confirm";
const PAID = { status: "succeeded" };
const GONE = { status: "declined", code: "card_gone" };

const booked = async (key: string) => (await world.book()).filter((each) => each.key === key);
const intentsOf = (key: string) =>
  [...stripe.book.paymentIntents.values()].filter(({ metadata }) => metadata["billow_key"] === key);

describe("a card that Stripe does not have any more is gone for good", () => {
  test("if it was detached", async () => {
    const card = await world.attached("pm_card_visa");
    stripe.operations.detachCard(card);
    expect(await world.provider.charge(chargeOf(card))).toEqual(GONE);
    expect(await world.provider.saveCard(saveOf(card))).toEqual(GONE);
  });

  test("if it was detached between creation and confirmation", async () => {
    const card = await world.attached("pm_card_visa");
    const wanted = chargeOf(card);
    stripe.fault(CONFIRM, "before");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    stripe.operations.detachCard(card);
    expect(await world.provider.charge(wanted)).toEqual(GONE);
    expect(intentsOf(wanted.key)).toMatchObject([{ status: "canceled" }]);
  });

  test("if its Customer was deleted at Stripe", async () => {
    const customer = { id: "cus_gone", email: "gone@example.com", name: null };
    await world.provider.saveCard(saveOf("pm_card_visa", { customer }));
    const ref = [...stripe.book.customers.values()].find(({ metadata }) => metadata["billow_key"] === customer.id)!.id;
    const card = [...stripe.book.paymentMethods.values()].find((each) => each.customer === ref)!.id;
    stripe.operations.deleteCustomer(ref);
    for (const presence of ["off_session", "buyer"] as const) {
      const wanted = chargeOf(card, { customer, presence });
      expect(await world.provider.charge(wanted)).toEqual(GONE);
      expect(await world.provider.charge(wanted)).toEqual(GONE);
    }
  });

  test.each([CREATE, CONFIRM])("if its state does not allow a charge (%s)", async (endpoint) => {
    const card = await world.attached("pm_card_visa");
    const wanted = chargeOf(card);
    stripe.fault(endpoint, "before");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    stripe.operations.detachCard(card);
    const fault = stripe.fault(endpoint, "card state", 9);
    expect(await world.provider.charge(wanted)).toEqual(GONE);
    expect(fault.count()).toBe(1);
    expect(await world.provider.charge(wanted)).toEqual(GONE);
    expect(await booked(wanted.key)).toEqual([]);
  });

  test("if Stripe does not know it", async () => {
    expect(await world.provider.charge(chargeOf("pm_never_made"))).toEqual(GONE);
  });

  test("if it is another Customer's", async () => {
    const customer = { id: "cus_other", email: "bob@example.com", name: null };
    expect(await world.provider.charge(chargeOf(await world.attached("pm_card_visa"), { customer }))).toEqual(GONE);
  });

  test("but not if the key is of the other mode", async () => {
    stripe.operations.existsElsewhere("pm_of_live_mode");
    const refused = { status: "refused", scope: "account", reason: "key_invalid" };
    expect(await world.provider.charge(chargeOf("pm_of_live_mode"))).toEqual(refused);
  });
});

test.each([
  ["do_not_try_again", "do_not_retry"],
  ["try_again_later", "card_declined"],
])("a decline with the network's advice %s is %s", async (advice, code) => {
  const card = await world.attached("pm_card_chargeCustomerFail");
  stripe.operations.adviseOn(card, advice);
  for (const presence of ["off_session", "buyer"] as const) {
    expect(await world.provider.charge(chargeOf(card, { presence }))).toEqual({ status: "declined", code });
  }
  // The bank declines the save, too.
  stripe.operations.turnCard(card, "pm_card_visa_chargeDeclined");
  expect(await world.provider.saveCard(saveOf(card))).toEqual({ status: "declined", code });
});

describe("a refusal of the account", () => {
  const refused = (reason: string) => ({ status: "refused", scope: "account", reason });

  test.each([
    ["key_invalid", () => stripe.operations.revokeKey(stripe.key), () => stripe.operations.restoreKey(stripe.key)],
    [
      "permission_missing",
      () => stripe.operations.takePermission(stripe.key, "payment_intent_write"),
      () => stripe.operations.givePermission(stripe.key, "payment_intent_write"),
    ],
    ["account_restricted", () => stripe.operations.restrictAccount(), () => stripe.operations.liftRestriction()],
  ])("%s: the same key pays after the repair", async (reason, spoil, repair) => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    spoil();
    expect(await world.provider.charge(wanted)).toEqual(refused(reason));
    expect(await world.another().charge(wanted)).toEqual(refused(reason));
    repair();
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    expect(await booked(wanted.key)).toHaveLength(1);
  });

  test("between creation and confirmation leaves the intent as it is", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    stripe.fault(CONFIRM, "403");
    expect(await world.provider.charge(wanted)).toEqual(refused("permission_missing"));
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    expect(intentsOf(wanted.key)).toHaveLength(1);
  });

  test("a key of another account sends no request but one", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    const before = stripe.requests.length;
    const other = world.another({ account: "acct_other" });
    expect(await other.charge(wanted)).toEqual(refused("key_invalid"));
    expect(stripe.requests.slice(before).map(({ path }) => path)).toEqual(["/v1/account"]);
    await expect(other.forget(wanted.organizationId, "cus_conformance")).rejects.toThrow("acct_other");
  });

  test("a charge that was never sent is given up without a key", async () => {
    const keyless = world.another({ key: "rk_test_none" });
    const canceled = { status: "declined", code: "canceled" };
    expect(await keyless.cancel(chargeOf(await world.attached("pm_card_visa")))).toEqual(canceled);
  });
});

describe("a refusal of one charge", () => {
  test.each([
    [{ amount: 1 }, "amount_too_small"],
    [{ amount: 1_000_000_000_000 }, "amount_too_large"],
    [{ currency: "irr" }, "currency_unsupported"],
    [{ currency: "mga", amount: 150 }, "request_invalid"],
  ])("%o is %s, and stays refused", async (parts, reason) => {
    const refused = { status: "refused", scope: "charge", reason };
    for (const card of [await world.attached("pm_card_visa"), null]) {
      const wanted = chargeOf(card, { presence: "buyer", ...parts });
      expect(await world.provider.charge(wanted)).toEqual(refused);
      expect(await world.provider.charge(wanted)).toEqual(refused);
      expect(intentsOf(wanted.key)).toEqual([]);
    }
  });

  test("tells that a card takes no amount of ten digits", async () => {
    const amount = 1_000_000_000;
    const refused = { status: "refused", scope: "charge", reason: "amount_too_large" };
    const wanted = chargeOf(await world.attached("pm_card_amex"), { amount });
    expect(await world.provider.charge(wanted)).toEqual(refused);
    expect(await world.provider.charge(wanted)).toEqual(refused);
    expect(await booked(wanted.key)).toEqual([]);
    expect(await world.provider.charge(chargeOf(await world.attached("pm_card_visa"), { amount }))).toEqual(PAID);
  });

  test("for an unexpected reason is reported to the operator", async () => {
    const warnings: unknown[] = [];
    const provider = world.another({ warn: (message, details) => void warnings.push({ message, ...details }) });
    const wanted = chargeOf(await world.attached("pm_card_visa"), { presence: "buyer", returnUrl: "not a URL" });
    const outcome = await provider.charge({ ...wanted, card: null });
    expect(outcome).toEqual({ status: "refused", scope: "charge", reason: "request_invalid" });
    expect(warnings).toMatchObject([{ message: "Stripe refused a request", status: 400, code: "url_invalid" }]);
  });
});

test("the key is sent over TLS, or on this machine", () => {
  const open = (baseUrl: string) => () =>
    createStripeProvider({
      db: world.db,
      account: "acct_1",
      key: "sk_test_1",
      webhookSecrets: [],
      installation: "i",
      baseUrl,
    });
  expect(open("http://api.stripe.com")).toThrow("without TLS");
  expect(open("https://api.stripe.com")).not.toThrow();
  expect(open("http://127.0.0.1:1")).not.toThrow();
});
