import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createStripeProvider } from "../../src/payments/stripe/stripe.ts";
import { challenged } from "./conformance.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, type StripeWorld } from "./stripe-world.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const START = Date.UTC(2026, 5, 1);

let now = START;
let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  world = await openStripeWorld(stripe, {
    answer: answerOnPage,
    since: 0,
    settings: { baseUrl: stripe.url, installation: "inst_one", now: () => now },
  });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});
beforeEach(() => stripe.clearFaults());

const CONFIRM = "POST /v1/payment_intents/:id/confirm";
const CREATE = "POST /v1/payment_intents";
const PAID = { status: "succeeded" };
const GONE = { status: "declined", code: "card_gone" };

const booked = async (key: string) => (await world.book()).filter((each) => each.key === key);
const intentsOf = (key: string) =>
  [...stripe.book.paymentIntents.values()].filter(({ metadata }) => metadata["billow_key"] === key);
const span = { organizationId: "org_test", from: START as never, to: (START + 10 * WEEK) as never, cursor: null };

describe("a worker that wakes a week later", () => {
  test.each([
    ["pm_card_visa", PAID, 1],
    ["pm_card_chargeCustomerFail", { status: "declined", code: "card_declined" }, 0],
  ])("confirms in vain: the card %s was charged or declined before", async (token, outcome, charges) => {
    const card = await world.attached(token);
    const wanted = chargeOf(card);
    const fault = stripe.fault(CONFIRM, "slow");
    const late = world.provider.charge(wanted);
    await fault.struck;
    expect(await world.another().charge(wanted)).toEqual(outcome);
    now += WEEK;
    // The card would pay now.
    stripe.deeds.turnCard(card, "pm_card_visa");
    fault.release();
    expect(await late).toEqual(outcome);
    expect(await booked(wanted.key)).toHaveLength(charges);
  });

  it("creates an intent in vain: it is canceled at once", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    const fault = stripe.fault(CREATE, "slow");
    const late = world.another({ now: () => START }).charge(wanted);
    await fault.struck;
    now += WEEK;
    expect(await world.another().charge(wanted)).toEqual(PAID);
    fault.release();
    expect(await late).toEqual(PAID);
    expect(intentsOf(wanted.key).map(({ status }) => status)).toEqual(["succeeded", "canceled"]);
    expect(await booked(wanted.key)).toHaveLength(1);
  });

  it("finds a charge that was given up", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    const fault = stripe.fault(CREATE, "slow");
    const late = world.another({ now: () => START }).charge(wanted);
    await fault.struck;
    const givenUp = { status: "declined", code: "canceled" };
    expect(await world.another().cancel(wanted)).toEqual(givenUp);
    now += WEEK;
    fault.release();
    expect(await late).toEqual(givenUp);
    expect(intentsOf(wanted.key)).toMatchObject([{ status: "canceled" }]);
    expect(await booked(wanted.key)).toEqual([]);
  });

  it("sends nothing more after its time", async () => {
    let own = now;
    const frozen = world.another({ now: () => own });
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    const fault = stripe.fault(CREATE, "slow");
    const late = frozen.charge(wanted);
    await fault.struck;
    own += WEEK;
    fault.release();
    expect(await late).toEqual({ status: "unknown" });
    expect(intentsOf(wanted.key)).toMatchObject([{ status: "requires_confirmation" }]);
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    expect(intentsOf(wanted.key)).toHaveLength(1);
  });
});

test("a bank that is slower than our patience leaves the outcome unknown", async () => {
  const wanted = chargeOf(await world.attached("pm_card_visa"));
  await world.provider.charge(chargeOf(await world.attached("pm_card_visa")));
  const hasty = world.another({ patience: 400 });
  const fault = stripe.fault(CONFIRM, "slow done");
  expect(await hasty.charge(wanted)).toEqual({ status: "unknown" });
  fault.release();
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(PAID);
  expect(await booked(wanted.key)).toHaveLength(1);
});

describe("after a day, when Stripe has forgotten the Idempotency-Key", () => {
  it("makes one charge, and the intent with the lost answer is an orphan", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    stripe.fault(CREATE, "after");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual({ status: "absent" });
    now += 25 * HOUR;
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    expect(await booked(wanted.key)).toHaveLength(1);
    const [lost, used] = intentsOf(wanted.key);
    expect([lost!.status, used!.status]).toEqual(["requires_confirmation", "succeeded"]);
    expect((await world.provider.orphans(span)).orphans).toEqual([
      { ref: lost!.id, key: wanted.key, status: "requires_confirmation" },
    ]);
    // Another installation does not take our intents for its own.
    expect((await world.another({ installation: "inst_two" }).orphans(span)).orphans).toEqual([]);
  });

  it("makes one refund", async () => {
    const { organizationId, key: chargeKey } = chargeOf(null);
    const wanted = chargeOf(await world.attached("pm_card_visa"), { key: chargeKey });
    await world.provider.charge(wanted);
    const refund = { organizationId, key: `${chargeKey}_refund`, chargeKey, amount: 300 };
    stripe.fault("POST /v1/refunds", "after");
    expect(await world.provider.refund(refund)).toEqual({ status: "unknown" });
    now += 25 * HOUR;
    expect(await world.provider.refund(refund)).toEqual(PAID);
    const refunds = [...stripe.book.refunds.values()].filter(({ metadata }) => metadata["billow_key"] === refund.key);
    expect(refunds).toHaveLength(1);
  });
});

test("two processes make one charge, and one Customer", async () => {
  const customer = { id: "cus_two_processes", email: "ada@example.com", name: null };
  const wanted = chargeOf("pm_card_visa", { customer });
  const processes = [world.another(), world.another(), world.another()];
  for (let n = 0; n < 3; n += 1) {
    const outcomes = await Promise.all(processes.map((process) => process.charge(wanted)));
    for (const { status } of outcomes) expect(["succeeded", "unknown"]).toContain(status);
  }
  expect(await world.provider.charge(wanted)).toEqual(PAID);
  expect(await booked(wanted.key)).toHaveLength(1);
  const made = [...stripe.book.customers.values()].filter(({ metadata }) => metadata["billow_key"] === customer.id);
  expect(made).toHaveLength(1);
});

describe("a renewal that the bank wants authenticated", () => {
  test.each([
    [true, PAID, 1],
    [false, { status: "declined", code: "authentication_failed" }, 0],
  ])("asks the buyer (passed: %s)", async (pass, outcome, charges) => {
    const wanted = chargeOf(await world.attached("pm_card_authenticationRequired"));
    const asked = challenged(await world.provider.charge(wanted));
    expect(await world.provider.charge(wanted)).toEqual(asked);
    expect(await world.another().read(wanted.organizationId, wanted.key)).toEqual(asked);
    await answerOnPage(asked.url, pass);
    expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(outcome);
    expect(await booked(wanted.key)).toHaveLength(charges);
    expect(intentsOf(wanted.key)).toHaveLength(1);
  });

  it("goes on if the process died before the second confirmation", async () => {
    const wanted = chargeOf(await world.attached("pm_card_authenticationRequired"));
    stripe.fault(CONFIRM, "after");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual({ status: "absent" });
    challenged(await world.provider.charge(wanted));
  });

  it("shows the address of the present challenge", async () => {
    const wanted = chargeOf(await world.attached("pm_card_authenticationRequired"), { presence: "buyer" });
    const first = challenged(await world.provider.charge(wanted));
    const [intent] = intentsOf(wanted.key);
    // Stripe's address of a challenge may change with each read.
    const renewed = `${stripe.url}/3d_secure/${intent!.id}/renewed`;
    intent!.next_action = {
      type: "redirect_to_url",
      redirect_to_url: { url: renewed, return_url: "https://shop.example" },
    };
    expect(first.url).not.toBe(renewed);
    const asked = { status: "requires_action", url: renewed };
    expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(asked);
  });

  it("is over when it is given up", async () => {
    const wanted = chargeOf(await world.attached("pm_card_authenticationRequired"));
    stripe.fault(CONFIRM, "after");
    await world.provider.charge(wanted);
    const over = { status: "declined", code: "authentication_failed" };
    expect(await world.provider.cancel(wanted)).toEqual(over);
    expect(await world.provider.charge(wanted)).toEqual(over);
  });
});

test("a payment that the bank still processes has no outcome yet", async () => {
  stripe.deeds.processNext();
  const wanted = chargeOf(await world.attached("pm_card_visa"));
  expect(await world.provider.charge(wanted)).toEqual({ status: "processing" });
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual({ status: "processing" });
  stripe.deeds.settlePayment(intentsOf(wanted.key)[0]!.id);
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(PAID);
});

describe("a card that Stripe does not have any more is gone for good", () => {
  test("if it was detached", async () => {
    const card = await world.attached("pm_card_visa");
    stripe.deeds.detachCard(card);
    expect(await world.provider.charge(chargeOf(card))).toEqual(GONE);
    expect(await world.provider.saveCard(saveOf(card))).toEqual(GONE);
  });

  test("if it was detached between creation and confirmation", async () => {
    const card = await world.attached("pm_card_visa");
    const wanted = chargeOf(card);
    stripe.fault(CONFIRM, "before");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    stripe.deeds.detachCard(card);
    expect(await world.provider.charge(wanted)).toEqual(GONE);
    expect(intentsOf(wanted.key)).toMatchObject([{ status: "canceled" }]);
  });

  test("if Stripe does not know it", async () => {
    expect(await world.provider.charge(chargeOf("pm_never_made"))).toEqual(GONE);
  });

  test("if it is another Customer's", async () => {
    const customer = { id: "cus_other", email: "bob@example.com", name: null };
    expect(await world.provider.charge(chargeOf(await world.attached("pm_card_visa"), { customer }))).toEqual(GONE);
  });

  test("but not if the key is of the other mode", async () => {
    stripe.deeds.existsElsewhere("pm_of_live_mode");
    const refused = { status: "refused", scope: "account", reason: "key_invalid" };
    expect(await world.provider.charge(chargeOf("pm_of_live_mode"))).toEqual(refused);
  });
});

describe("a refusal of the account", () => {
  const refused = (reason: string) => ({ status: "refused", scope: "account", reason });

  test.each([
    ["key_invalid", () => stripe.deeds.revokeKey(stripe.key), () => stripe.deeds.restoreKey(stripe.key)],
    [
      "permission_missing",
      () => stripe.deeds.takePermission(stripe.key, "payment_intent_write"),
      () => stripe.deeds.givePermission(stripe.key, "payment_intent_write"),
    ],
    ["account_restricted", () => stripe.deeds.restrictAccount(), () => stripe.deeds.liftRestriction()],
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
    [{ amount: 100_000_000 }, "amount_too_large"],
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

  test("for an unexpected reason is reported to the operator", async () => {
    const warnings: unknown[] = [];
    const provider = world.another({ warn: (message, details) => void warnings.push({ message, ...details }) });
    const wanted = chargeOf(await world.attached("pm_card_visa"), { presence: "buyer", returnUrl: "not a URL" });
    const outcome = await provider.charge({ ...wanted, card: null });
    expect(outcome).toEqual({ status: "refused", scope: "charge", reason: "request_invalid" });
    expect(warnings).toMatchObject([{ message: "Stripe refused a request", status: 400, code: "url_invalid" }]);
  });
});

describe("the objects at Stripe", () => {
  test("name installation, Organization and key, and show the seller", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"), { statement: "Müller & Söhne GmbH" });
    await world.provider.charge(wanted);
    expect(intentsOf(wanted.key)).toMatchObject([
      {
        description: "Acme: inv_1",
        statement_descriptor_suffix: "Muller & S",
        payment_method_types: ["card"],
        metadata: { billow_installation: "inst_one", billow_organization: "org_test", billow_key: wanted.key },
      },
    ]);
  });

  test("follow the Customer's e-mail and name, but not a deletion", async () => {
    const card = "pm_card_visa";
    const stepsOf = (email: string | null, name: string | null) =>
      world.provider.saveCard(saveOf(card, { customer: { id: "cus_renamed", email, name } }));
    const shown = () =>
      [...stripe.book.customers.values()]
        .filter(({ metadata }) => metadata["billow_key"] === "cus_renamed")
        .map(({ email, name }) => ({ email, name }));
    await stepsOf("ada@example.com", "Ada");
    expect(shown()).toEqual([{ email: "ada@example.com", name: "Ada" }]);
    await stepsOf("ada@lovelace.example", null);
    expect(shown()).toEqual([{ email: "ada@lovelace.example", name: null }]);
    await stepsOf(null, null);
    expect(shown()).toEqual([{ email: "ada@lovelace.example", name: null }]);
    await world.provider.forget("org_test", "cus_renamed");
    expect(shown()).toEqual([]);
  });

  test("name the version of the API in each request", () => {
    const versions = new Set(stripe.requests.map(({ headers }) => headers.get("stripe-version")));
    expect([...versions]).toEqual(["2026-08-26.dahlia"]);
  });
});

test("refunds that a bank holds back are processing, and a failed one is declined", async () => {
  const wanted = chargeOf(await world.attached("pm_card_pendingRefund"));
  await world.provider.charge(wanted);
  const refund = { organizationId: "org_test", key: `${wanted.key}_refund`, chargeKey: wanted.key, amount: 1000 };
  expect(await world.provider.refund(refund)).toEqual({ status: "processing" });
  const [made] = [...stripe.book.refunds.values()].filter(({ metadata }) => metadata["billow_key"] === refund.key);
  stripe.deeds.settleRefund(made!.id);
  expect(await world.provider.read("org_test", refund.key)).toEqual(PAID);
  stripe.deeds.failRefund(made!.id);
  expect(await world.provider.read("org_test", refund.key)).toEqual({ status: "declined", code: "card_lost" });
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
