import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
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
    stripe.operations.turnCard(card, "pm_card_visa");
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

test("a bank that is slower than our deadline leaves the outcome unknown", async () => {
  const wanted = chargeOf(await world.attached("pm_card_visa"));
  await world.provider.charge(chargeOf(await world.attached("pm_card_visa")));
  const hasty = world.another({ deadline: 400 });
  const fault = stripe.fault(CONFIRM, "slow done");
  expect(await hasty.charge(wanted)).toEqual({ status: "unknown" });
  fault.release();
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(PAID);
  expect(await booked(wanted.key)).toHaveLength(1);
});

describe("after a day, when Stripe has forgotten the Idempotency-Key", () => {
  it("makes one charge, and the intent with the lost answer is an orphan", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"), { presence: "buyer" });
    stripe.fault(CREATE, "after");
    expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
    expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual({ status: "absent" });
    now += 25 * HOUR;
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    expect(await booked(wanted.key)).toHaveLength(1);
    const [lost, used] = intentsOf(wanted.key);
    expect([lost!.status, used!.status]).toEqual(["requires_confirmation", "succeeded"]);
    expect((await world.provider.orphans(span)).orphans).toMatchObject([
      {
        ref: lost!.id,
        key: wanted.key,
        status: "requires_confirmation",
        amount: wanted.amount,
        currency: wanted.currency,
      },
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

describe("another copy of the database, or a restored backup, days later", () => {
  const forgetOurs = sql("test.forget_stripe_requests", "DELETE FROM stripe_requests WHERE organization_id = $1");
  /** Our table as a copy has it that was made before the charge. */
  const restore = () => world.db.tx((tx) => tx.query(forgetOurs, ["org_test"]));

  test.each([
    ["pm_card_visa", PAID, 1],
    ["pm_card_chargeCustomerFail", { status: "declined", code: "card_declined" }, 0],
  ])("learns the outcome of a renewal with %s, and charges nothing", async (token, outcome, charges) => {
    const card = await world.attached(token);
    const wanted = chargeOf(card, { key: `sub_1_4_${token}` });
    expect(await world.provider.charge(wanted)).toEqual(outcome);
    await restore();
    now += WEEK;
    stripe.operations.turnCard(card, "pm_card_visa");
    expect(await world.another().charge(wanted)).toEqual(outcome);
    expect(await booked(wanted.key)).toHaveLength(charges);
    expect(intentsOf(wanted.key)).toHaveLength(1);
  });

  test("charges no other amount under the same key", async () => {
    const wanted = chargeOf(await world.attached("pm_card_visa"), { key: "sub_1_5_1" });
    expect(await world.provider.charge(wanted)).toEqual(PAID);
    await restore();
    for (const pause of [0, WEEK]) {
      now += pause;
      await expect(world.provider.charge({ ...wanted, amount: 900 })).rejects.toThrow("another request");
      expect(await booked(wanted.key)).toHaveLength(1);
    }
  });

  test("goes on with a challenge that the original has begun", async () => {
    const card = await world.attached("pm_card_authenticationRequired");
    const wanted = chargeOf(card, { key: "sub_1_6_1" });
    const asked = challenged(await world.provider.charge(wanted));
    await restore();
    now += WEEK;
    expect(await world.provider.charge(wanted)).toEqual(asked);
    expect(intentsOf(wanted.key)).toHaveLength(1);
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

describe("the creation of a Customer whose answer was lost", () => {
  test.each([
    ["e-mail", { email: "ada@lovelace.example", name: "Ada" }],
    ["name", { email: "ada@example.com", name: "Ada Lovelace" }],
  ])("holds up no payment, though the %s has changed since", async (what, changed) => {
    for (const card of ["pm_card_visa", null]) {
      const customer = { id: `cus_lost_${what}_${card}`, email: "ada@example.com", name: "Ada" };
      const wanted = chargeOf(card, { customer, presence: "buyer" });
      stripe.fault("POST /v1/customers", "after");
      expect(await world.provider.charge(wanted)).toEqual({ status: "unknown" });
      const outcome = await world.provider.charge({ ...wanted, customer: { ...customer, ...changed } });
      expect(outcome.status).toBe(card === null ? "requires_action" : "succeeded");
      const made = [...stripe.book.customers.values()].filter(({ metadata }) => metadata["billow_key"] === customer.id);
      // The first one is a spare without a card.
      expect(made).toHaveLength(2);
      const payers = [...stripe.book.paymentIntents.values(), ...stripe.book.sessions.values()]
        .filter(({ metadata }) => metadata["billow_key"] === wanted.key)
        .map((each) => each.customer);
      expect(payers).toEqual([made[1]!.id]);
    }
  });
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

  it("asks the buyer, though the bank would trust in the buyer's presence", async () => {
    const card = await world.attached("pm_card_authenticationRequired");
    stripe.operations.trustPresence(card);
    const wanted = chargeOf(card);
    const asked = challenged(await world.provider.charge(wanted));
    expect(await booked(wanted.key)).toEqual([]);
    await answerOnPage(asked.url, true);
    expect(await booked(wanted.key)).toHaveLength(1);
    // A present buyer is asked only if the bank wants it.
    expect(await world.provider.charge(chargeOf(card, { presence: "buyer" }))).toEqual(PAID);
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
  stripe.operations.processNext();
  const wanted = chargeOf(await world.attached("pm_card_visa"));
  expect(await world.provider.charge(wanted)).toEqual({ status: "processing" });
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual({ status: "processing" });
  stripe.operations.settlePayment(intentsOf(wanted.key)[0]!.id);
  expect(await world.provider.read(wanted.organizationId, wanted.key)).toEqual(PAID);
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
    const customersThere = () =>
      [...stripe.book.customers.values()]
        .filter(({ metadata }) => metadata["billow_key"] === "cus_renamed")
        .map(({ email, name }) => ({ email, name }));
    await stepsOf("ada@example.com", "Ada");
    expect(customersThere()).toEqual([{ email: "ada@example.com", name: "Ada" }]);
    await stepsOf("ada@lovelace.example", null);
    expect(customersThere()).toEqual([{ email: "ada@lovelace.example", name: null }]);
    await stepsOf(null, null);
    expect(customersThere()).toEqual([{ email: "ada@lovelace.example", name: null }]);
    await world.provider.forget("org_test", "cus_renamed");
    expect(customersThere()).toEqual([]);
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
  stripe.operations.settleRefund(made!.id);
  expect(await world.provider.read("org_test", refund.key)).toEqual(PAID);
  stripe.operations.failRefund(made!.id);
  expect(await world.provider.read("org_test", refund.key)).toEqual({ status: "declined", code: "card_lost" });
});
