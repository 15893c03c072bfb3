import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "./client.ts";
import { startStripe, type StripeServer } from "./server.ts";

// The server that the Stripe adapter is tested against must itself follow Stripe's documents.
let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
const now = Date.UTC(2026, 5, 1);

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  send = clientOf(stripe);
});
afterAll(() => stripe.close());

/** A Customer with a saved card. */
async function saved(token = "pm_card_visa"): Promise<{ customer: string; payment_method: string }> {
  const customer = (await send("POST /v1/customers", { email: "ada@example.com" })).body["id"] as string;
  const card = await send(`POST /v1/payment_methods/${token}/attach`, { customer });
  expect(card.body["error"]).toBeUndefined();
  return { customer, payment_method: card.body["id"] as string };
}

const PRICE = { amount: 1900, currency: "eur", payment_method_types: ["card"] };

/** An unconfirmed intent. */
async function intended(more = {}): Promise<string> {
  const made = await send("POST /v1/payment_intents", { ...PRICE, ...more });
  expect(made.status).toBe(200);
  return made.body["id"] as string;
}

describe("a payment", () => {
  test.each([
    ["pm_card_visa", 200, "succeeded", undefined],
    ["pm_card_chargeCustomerFail", 402, "requires_payment_method", "generic_decline"],
    ["pm_card_authenticationRequired", 402, "requires_payment_method", "authentication_required"],
    ["pm_card_authenticationRequiredOnSetup", 402, "requires_payment_method", "authentication_required"],
    ["pm_card_authenticationRequiredSetupForOffSession", 200, "succeeded", undefined],
  ])("with %s off-session is answered with %i and is %s", async (token, status, state, decline) => {
    const id = await intended(await saved(token));
    const answer = await send(`POST /v1/payment_intents/${id}/confirm`, { off_session: true });
    expect(answer.status).toBe(status);
    expect(answer.body.error?.["decline_code"]).toBe(decline);
    const read = await send(`GET /v1/payment_intents/${id}`);
    expect(read.body).toMatchObject({ status: state });
  });
});
