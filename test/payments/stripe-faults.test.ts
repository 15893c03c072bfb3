import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import { ProviderBusy } from "../../src/payments/limits.ts";
import type { Charge, SaveCard } from "../../src/payments/provider.ts";
import type { StripeProvider } from "../../src/payments/stripe/stripe.ts";
import type { FaultKind } from "./stripe/faults.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, payOnPage, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, type StripeWorld } from "./stripe-world.ts";

// Each request that the adapter sends meets each fault. The caller repeats as Billow does, and one charge results.

let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe();
  // Without the proxy: a fault of the server reaches the adapter as it is.
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings: { baseUrl: stripe.url } });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});
beforeEach(() => stripe.clearFaults());

const payer = (id: string) => ({ id, email: "ada@example.com", name: "Ada" });

/** Repeats a request while its outcome is unknown: first a status query, then the request again if it is absent. */
async function play(provider: StripeProvider, request: Charge | SaveCard): Promise<Outcome[]> {
  const send = () => ("amount" in request ? provider.charge(request) : provider.saveCard(request));
  return repeat(provider, request, send);
}

async function repeat(
  provider: StripeProvider,
  { organizationId, key }: Pick<SaveCard, "organizationId" | "key">,
  send: () => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const busy = (error: unknown): Outcome => {
    if (error instanceof ProviderBusy) return { status: "unknown" };
    throw error;
  };
  for (let n = 0; n < 8; n += 1) {
    const known = n === 0 ? ABSENT : await provider.read(organizationId, key).catch(busy);
    const outcome = known.status === "absent" ? await send().catch(busy) : known;
    outcomes.push(outcome);
    // A key that a fault refuses once is repaired at the next look.
    if (outcome.status !== "unknown" && outcome.status !== "refused") return outcomes;
  }
  return outcomes;
}

const ABSENT = { status: "absent" } as const;
const last = (outcomes: Outcome[]) => outcomes.at(-1);
const booked = async (key: string) => (await world.book()).filter((each) => each.key === key);

const KINDS: readonly FaultKind[] = [
  "before",
  "after",
  "cut",
  "500",
  "500 done",
  "502",
  "429",
  "lock",
  "lock 409",
  "401",
  "403",
];
const each = (requests: readonly string[]) =>
  requests.flatMap((request) => KINDS.map((kind) => [request, kind] as [string, FaultKind]));

describe("a charge", () => {
  it.each(
    each(["GET /v1/account", "POST /v1/customers", "POST /v1/payment_intents", "POST /v1/payment_intents/:id/confirm"]),
  )("is made once though %s meets %s", async (request, kind) => {
    const provider = world.another({ baseUrl: stripe.url });
    const isNew = request === "POST /v1/customers";
    // A card that belongs to no Customer yet, so that a new Customer can be made for the request.
    const card = isNew ? "pm_card_visa" : await world.attached("pm_card_visa");
    const customer = payer(isNew ? `cus_${request.length}_${kind}` : "cus_conformance");
    const fault = stripe.fault(request, kind);
    const wanted = chargeOf(card, { customer });
    const outcomes = await play(provider, wanted);
    expect(fault.count()).toBe(1);
    expect(last(outcomes)).toEqual({ status: "succeeded" });
    expect(await booked(wanted.key)).toMatchObject([{ amount: 1000, currency: "usd" }]);
    expect(await provider.charge(wanted)).toEqual({ status: "succeeded" });
  });

  it.each(each(["GET /v1/payment_intents/:id"]))("is found though %s meets %s", async (request, kind) => {
    const { provider } = world;
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    stripe.fault("POST /v1/payment_intents/:id/confirm", "after");
    const fault = stripe.fault(request, kind);
    expect(last(await play(provider, wanted))).toEqual({ status: "succeeded" });
    expect(fault.count()).toBe(1);
    expect(await booked(wanted.key)).toHaveLength(1);
  });

  it.each(each(["POST /v1/payment_intents/:id/confirm", "POST /v1/payment_intents/:id/cancel"]))(
    "is declined once though %s meets %s",
    async (request, kind) => {
      const wanted = chargeOf(await world.attached("pm_card_chargeCustomerFail"));
      const fault = stripe.fault(request, kind);
      const outcomes = await play(world.provider, wanted);
      expect(fault.count()).toBe(1);
      expect(last(outcomes)).toEqual({ status: "declined", code: "card_declined" });
      const intents = [...stripe.book.paymentIntents.values()].filter(
        ({ metadata }) => metadata["billow_key"] === wanted.key,
      );
      // An intent that a repetition made beside the stored one is never confirmed.
      for (const { status } of intents) expect(["canceled", "requires_confirmation"]).toContain(status);
      expect(intents.filter(({ status }) => status === "canceled")).toHaveLength(1);
      const failed = [...stripe.book.charges.values()].filter(({ metadata }) => metadata["billow_key"] === wanted.key);
      expect(failed).toHaveLength(1);
    },
  );
});

it.each(each(["POST /v1/setup_intents", "POST /v1/setup_intents/:id/confirm"]))(
  "a card is saved though %s meets %s",
  async (request, kind) => {
    const fault = stripe.fault(request, kind);
    const wanted = saveOf(await world.attached("pm_card_visa"));
    expect(last(await play(world.provider, wanted))).toEqual({ status: "succeeded" });
    expect(fault.count()).toBe(1);
    const saved = [...stripe.book.setupIntents.values()].filter(
      ({ metadata, status }) => metadata["billow_key"] === wanted.key && status === "succeeded",
    );
    expect(saved).toHaveLength(1);
  },
);

it.each(each(["POST /v1/checkout/sessions", "GET /v1/checkout/sessions/:id"]))(
  "one page can be paid though %s meets %s",
  async (request, kind) => {
    const fault = stripe.fault(request, kind);
    const wanted = chargeOf(null, { presence: "buyer" });
    const asked = last(await play(world.provider, wanted));
    if (asked?.status !== "requires_action") throw new Error(`no page: ${asked?.status}`);
    await payOnPage(asked.url, "4242424242424242");
    expect(last(await play(world.provider, wanted))).toMatchObject({ status: "succeeded" });
    expect(fault.count()).toBe(1);
    expect(await booked(wanted.key)).toHaveLength(1);
  },
);

it.each(each(["POST /v1/refunds", "GET /v1/refunds", "GET /v1/refunds/:id"]))(
  "a refund is made once though %s meets %s",
  async (request, kind) => {
    const { provider, organizationId } = world;
    const wanted = chargeOf(await world.attached("pm_card_visa"));
    await provider.charge(wanted);
    // The list and the refund itself are only read after a lost answer.
    if (request !== "POST /v1/refunds") stripe.fault("POST /v1/refunds", "after");
    const fault = stripe.fault(request, kind);
    const refund = { organizationId, key: `${wanted.key}_refund`, chargeKey: wanted.key, amount: 400 };
    for (let n = 0; n < 2; n += 1) {
      const outcomes = await repeat(provider, refund, () => provider.refund(refund));
      expect(last(outcomes)).toEqual({ status: "succeeded" });
    }
    expect(fault.count()).toBe(1);
    const made = [...stripe.book.refunds.values()].filter(({ metadata }) => metadata["billow_key"] === refund.key);
    expect(made).toMatchObject([{ amount: 400 }]);
  },
);

it.each(each(["DELETE /v1/customers/:id"]))("a Customer is forgotten though %s meets %s", async (request, kind) => {
  const { provider, organizationId } = world;
  const customer = payer(`cus_forgotten_${kind}`);
  await provider.saveCard(saveOf("pm_card_visa", { customer }));
  const before = stripe.book.customers.size;
  const fault = stripe.fault(request, kind);
  await provider.forget(organizationId, customer.id).catch(() => undefined);
  await provider.forget(organizationId, customer.id);
  await provider.forget(organizationId, customer.id);
  expect(fault.count()).toBe(1);
  expect(stripe.book.customers.size).toBe(before - 1);
});
