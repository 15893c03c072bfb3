import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import type { Charge, SaveCard } from "../../src/payments/provider.ts";
import { challenged } from "./conformance.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, payOnPage, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, type StripeWorld } from "./stripe-world.ts";

let now = Date.UTC(2026, 5, 1);
let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  const settings = { baseUrl: stripe.url, now: () => now };
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

const pay = (parts: Partial<Charge> = {}) => chargeOf(null, { presence: "buyer", ...parts });
const send = (request: Charge | SaveCard) =>
  "amount" in request ? world.provider.charge(request) : world.provider.saveCard(request);
const read = ({ organizationId, key }: SaveCard) => world.provider.read(organizationId, key);
const booked = async ({ key }: SaveCard) => (await world.book()).filter((each) => each.key === key);

const VISA = "4242 4242 4242 4242";
const DECLINES = "4000 0000 0000 0002";
const AUTHENTICATES = "4000 0000 0000 3220";
const CANCELED = { status: "declined", code: "canceled" };
const succeededWith = (last4: string) => ({
  status: "succeeded",
  card: {
    ref: expect.stringMatching(/^pm_/),
    fingerprint: expect.any(String),
    type: "card",
    brand: "visa",
    last4,
    expMonth: 12,
    expYear: 2040,
  },
});

it.each([
  ["pays", () => pay(), 1],
  ["saves a card", () => saveOf(null), 0],
])("a buyer %s on Stripe's page, and the card is charged later", async (_, request, charges) => {
  const wanted = request();
  const asked = challenged(await send(wanted));
  expect(await send(wanted)).toEqual(asked);
  expect(await read(wanted)).toEqual(asked);
  expect(await payOnPage(asked.url, VISA)).toMatchObject({ location: wanted.returnUrl });
  const outcome = await read(wanted);
  expect(outcome).toEqual(succeededWith("4242"));
  expect(await send(wanted)).toEqual(outcome);
  expect(await booked(wanted)).toHaveLength(charges);

  const { card } = outcome as { card: { ref: string } };
  const renewal = chargeOf(card.ref);
  expect(await world.provider.charge(renewal)).toEqual({ status: "succeeded" });
});

test("a declined buyer gives another card on the page", async () => {
  const wanted = pay();
  const asked = challenged(await send(wanted));
  expect((await payOnPage(asked.url, DECLINES)).text).toContain("declined");
  expect(await read(wanted)).toEqual(asked);
  await payOnPage(asked.url, VISA);
  expect(await read(wanted)).toEqual(succeededWith("4242"));
  expect(await booked(wanted)).toHaveLength(1);
});

test("a buyer authenticates on the way", async () => {
  const wanted = pay();
  const { url } = challenged(await send(wanted));
  const { location } = await payOnPage(url, AUTHENTICATES);
  expect(await read(wanted)).toMatchObject({ status: "requires_action" });
  await answerOnPage(location!, true);
  expect(await read(wanted)).toEqual(succeededWith("3220"));
});

/** The article on the page, as Stripe keeps it. */
function articleOf(wanted: string): string {
  const session = [...stripe.book.sessions.values()].find(({ metadata }) => metadata["billow_key"] === wanted)!;
  const [line] = stripe.book.hidden.intentData.get(session.id)!["line_items"] as { description: string }[];
  return line!.description;
}

test.each([
  [{ article: "Größe L – 年間プラン", locale: "ja" }, "Größe L – 年間プラン", "ja"],
  [{ article: `${"x".repeat(249)}𝄞𝄞`, locale: "de-AT" }, "x".repeat(249), "de"],
  [{ article: " ", locale: "sw" }, "Acme", null],
  [{ article: "Pro", locale: null }, "Pro", null],
])("the page names the article and speaks the buyer's language: %o", async (page, article, locale) => {
  for (const request of [pay({ page }), saveOf(null, { page })]) {
    challenged(await send(request));
    const session = [...stripe.book.sessions.values()].find(({ metadata }) => metadata["billow_key"] === request.key)!;
    expect(session).toMatchObject({ locale });
    if ("amount" in request) expect(articleOf(request.key)).toBe(article);
  }
});

test("the page shows the amount and no more", async () => {
  const wanted = pay({ amount: 1050, currency: "isk", description: "Acme: inv_9", statement: "Acme" });
  await send(wanted);
  const session = [...stripe.book.sessions.values()].find(({ metadata }) => metadata["billow_key"] === wanted.key)!;
  expect(session).toMatchObject({
    mode: "payment",
    amount_total: 105_000,
    currency: "isk",
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    allow_promotion_codes: null,
    payment_method_types: ["card"],
  });
  expect(articleOf(wanted.key)).toBe("Pro");
  const minutes = (session.expires_at - session.created) / 60;
  expect(minutes).toBeGreaterThanOrEqual(30);
  expect(minutes).toBeLessThanOrEqual(33);
});

it.each([
  ["payment", () => pay()],
  ["card", () => saveOf(null)],
])("a %s that is given up can't be made on the page any more", async (_, request) => {
  const wanted = request();
  const { url } = challenged(await send(wanted));
  expect(await world.provider.cancel(wanted)).toEqual(CANCELED);
  expect((await payOnPage(url, VISA)).text).toContain("expired");
  expect(await world.provider.cancel(wanted)).toEqual(CANCELED);
  expect(await send(wanted)).toEqual(CANCELED);
  expect(await booked(wanted)).toEqual([]);
});

test("a buyer who pays while the payment is given up has paid", async () => {
  const wanted = pay();
  const { url } = challenged(await send(wanted));
  const fault = stripe.fault("POST /v1/checkout/sessions/:id/expire", "slow");
  const canceling = world.provider.cancel(wanted);
  await fault.struck;
  await payOnPage(url, VISA);
  fault.release();
  expect(await canceling).toEqual(succeededWith("4242"));
  expect(await booked(wanted)).toHaveLength(1);
});

test("a buyer who never returns has not paid", async () => {
  const wanted = pay();
  await send(wanted);
  now += 40 * 60_000;
  expect(await read(wanted)).toEqual(CANCELED);
  expect(await send(wanted)).toEqual(CANCELED);
});

/** Stripe's documents do not say that an expiry stops an authentication that has begun. */
describe("a page that expires while the buyer is at the bank", () => {
  afterEach(() => stripe.operations.onExpiry("cancels"));

  /** The buyer waits at the bank, and the page expires there, by our request or by its time. */
  async function leftAtTheBank(wanted: Charge | SaveCard, effect: "leaves" | "holds", byRequest: boolean) {
    stripe.operations.onExpiry(effect);
    const { url } = challenged(await send(wanted));
    const { location } = await payOnPage(url, AUTHENTICATES);
    if (byRequest) {
      const canceling = await world.provider.cancel(wanted);
      return { bank: location!, first: canceling };
    }
    now += 40 * 60_000;
    return { bank: location!, first: await read(wanted) };
  }

  describe.each([
    ["a payment", () => pay(), 1],
    ["a card", () => saveOf(null), 0],
  ])("%s", (_, request, charges) => {
    test.each([true, false])(
      "is paid if the bank's answer comes after the expiry (by request: %s)",
      async (byRequest) => {
        const wanted = request();
        const { bank, first } = await leftAtTheBank(wanted, "holds", byRequest);
        expect(first).toEqual({ status: "unknown" });
        expect(await read(wanted)).toEqual({ status: "unknown" });
        await answerOnPage(bank, true);
        expect(await read(wanted)).toEqual(succeededWith("3220"));
        expect(await send(wanted)).toEqual(succeededWith("3220"));
        expect(await world.provider.cancel(wanted)).toEqual(succeededWith("3220"));
        expect(await booked(wanted)).toHaveLength(charges);
      },
    );

    test("is over if the bank refuses", async () => {
      const wanted = request();
      const { bank } = await leftAtTheBank(wanted, "holds", true);
      await answerOnPage(bank, false);
      expect(await read(wanted)).toEqual(CANCELED);
      expect(await booked(wanted)).toEqual([]);
    });

    test.each([true, false])("is canceled if Stripe allows this (by request: %s)", async (byRequest) => {
      const wanted = request();
      const { bank, first } = await leftAtTheBank(wanted, "leaves", byRequest);
      expect(first).toEqual(CANCELED);
      await answerOnPage(bank, true);
      expect(await read(wanted)).toEqual(CANCELED);
      expect(await booked(wanted)).toEqual([]);
    });
  });

  test("has no outcome while the bank processes the payment", async () => {
    const wanted = pay();
    stripe.operations.onExpiry("holds");
    const { location } = await payOnPage(challenged(await send(wanted)).url, AUTHENTICATES);
    now += 40 * 60_000;
    expect(await read(wanted)).toEqual({ status: "unknown" });
    stripe.operations.processNext();
    await answerOnPage(location!, true);
    expect(await read(wanted)).toEqual({ status: "processing" });
  });
});

test("a page that was made twice can be paid once", async () => {
  const wanted = pay();
  stripe.fault("POST /v1/checkout/sessions", "after");
  expect(await send(wanted)).toEqual({ status: "unknown" });
  expect(await read(wanted)).toEqual({ status: "absent" });
  // The expiry of the second creation differs, so Stripe refuses the Idempotency-Key, and a new one is taken.
  now += 60_000;
  const asked = challenged(await send(wanted));
  const sessions = [...stripe.book.sessions.values()].filter(({ metadata }) => metadata["billow_key"] === wanted.key);
  expect(sessions).toHaveLength(2);
  expect(asked.url).toContain(sessions[1]!.id);
});

test("two tabs see one page", async () => {
  const wanted = pay();
  const [one, other] = [world.another(), world.another()];
  const outcomes = await Promise.all([one.charge(wanted), other.charge(wanted)]);
  const asked = await send(wanted);
  for (const outcome of outcomes) expect([asked, { status: "unknown" }]).toContainEqual(outcome);
});

test("a payment that is processing when the buyer returns has no outcome yet", async () => {
  for (const [refusal, outcome] of [
    [undefined, succeededWith("4242")],
    [
      { code: "card_declined", decline_code: "insufficient_funds", message: "No funds." },
      { status: "declined", code: "insufficient_funds" },
    ],
  ] as const) {
    const wanted = pay();
    const { url } = challenged(await send(wanted));
    stripe.operations.processNext();
    await payOnPage(url, VISA);
    expect(await read(wanted)).toEqual({ status: "processing" });
    const [intent] = [...stripe.book.paymentIntents.values()].filter(
      ({ metadata }) => metadata["billow_key"] === wanted.key,
    );
    stripe.operations.settlePayment(intent!.id, refusal);
    expect(await read(wanted)).toEqual(outcome);
  }
});

test("a Customer that was deleted at Stripe gets a successor there", async () => {
  const customer = { id: "cus_deleted_there", email: "ada@example.com", name: null };
  await world.provider.saveCard(saveOf("pm_card_visa", { customer }));
  const refOf = () =>
    [...stripe.book.customers.values()].find(({ metadata }) => metadata["billow_key"] === customer.id)!.id;
  const before = refOf();
  stripe.operations.deleteCustomer(before);
  challenged(await send(pay({ customer })));
  expect(refOf()).not.toBe(before);
});

test("a charge from the page is refunded, read or not", async () => {
  for (const reads of [true, false]) {
    const wanted = pay();
    const { url } = challenged(await send(wanted));
    const refund = { organizationId: wanted.organizationId, chargeKey: wanted.key, amount: 300 };
    const early = { ...refund, key: `${wanted.key}_early` };
    expect(await world.provider.refund(early)).toMatchObject({ status: "declined" });
    await payOnPage(url, VISA);
    if (reads) await read(wanted);
    expect(await world.provider.refund({ ...refund, key: `${wanted.key}_refund` })).toEqual({ status: "succeeded" });
  }
});
