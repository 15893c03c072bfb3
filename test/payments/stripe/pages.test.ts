import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authenticateOn, payOn, submit, typed } from "./buyer.ts";
import { clientOf, type Value } from "./client.ts";
import type { Session } from "./objects.ts";
import { startStripe, type StripeServer } from "./server.ts";

let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
let now = Date.UTC(2026, 5, 1);

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  send = clientOf(stripe);
});
afterAll(() => stripe.close());

const LINE = { price_data: { currency: "eur", unit_amount: 1900, product_data: { name: "Pro" } }, quantity: 1 };
const URLS = { success_url: "http://127.0.0.1:9/done?s={CHECKOUT_SESSION_ID}", cancel_url: "http://127.0.0.1:9/back" };
const PAYMENT = {
  ...URLS,
  mode: "payment",
  line_items: [LINE],
  payment_method_types: ["card"],
  payment_intent_data: { setup_future_usage: "off_session", metadata: { payment: "pay_1" } },
};

const secondsFromNow = (minutes: number) => now / 1000 + minutes * 60;

async function opened(params: Record<string, Value> = PAYMENT): Promise<Session> {
  const customer = String((await send("POST /v1/customers", { email: "ada@example.com" })).body["id"]);
  const made = await send("POST /v1/checkout/sessions", { ...params, customer, expires_at: secondsFromNow(31) });
  expect(made.body.error).toBeUndefined();
  return made.body as unknown as Session;
}

const readSession = async (id: string) => (await send(`GET /v1/checkout/sessions/${id}`)).body as unknown as Session;

const pay = (session: Session, number: string) => payOn(session.url!, number);

describe("the page of a Checkout Session", () => {
  test("takes a card, keeps the card for the Customer, and goes on to success_url", async () => {
    const session = await opened();
    expect(session).toMatchObject({ status: "open", payment_status: "unpaid", payment_intent: null });
    const form = await (await fetch(session.url!)).text();
    expect(form).toContain('name="cardNumber"');
    expect(form).toContain(`href="${URLS.cancel_url}"`);
    expect(form).not.toContain("<script");
    const { status, location } = await pay(session, "4242 4242 4242 4242");
    expect({ status, location }).toEqual({ status: 303, location: `http://127.0.0.1:9/done?s=${session.id}` });

    const done = await readSession(session.id);
    expect(done).toMatchObject({ status: "complete", payment_status: "paid", url: null });
    const intent = await send(`GET /v1/payment_intents/${done.payment_intent}`, { expand: ["payment_method"] });
    expect(intent.body).toMatchObject({
      amount_received: 1900,
      metadata: { payment: "pay_1" },
      payment_method: { customer: session.customer, card: { exp_month: 12, exp_year: 2034 } },
    });
    const event = stripe.events.find(
      ({ type, data }) => type === "checkout.session.completed" && data.object["id"] === session.id,
    );
    expect(event).toMatchObject({ data: { object: { status: "complete", payment_status: "paid" } } });
    // The page of a paid Session charges no second time.
    expect((await pay(session, "4242424242424242")).status).toBe(303);
    expect([...stripe.book.charges.values()].filter((each) => each.customer === session.customer)).toHaveLength(1);
  });

  test("shows a decline, and takes another card", async () => {
    const session = await opened();
    const declined = await pay(session, "4000 0000 0000 0002");
    expect(declined.html).toContain("Your card was declined.");
    expect(await readSession(session.id)).toMatchObject({ status: "open", payment_intent: expect.any(String) });
    expect((await pay(session, "4242424242424242")).status).toBe(303);
    expect(await readSession(session.id)).toMatchObject({ status: "complete" });
  });

  test.each([
    [{ ...typed("1234"), cardCvc: "123" }, "card number is invalid"],
    [{ ...typed("4242424242424242"), cardExpiry: "04 / 26" }, "in the past"],
    [{ ...typed("4242424242424242"), cardCvc: "" }, "security code is incomplete"],
  ])("refuses the typed card %j", async (fields, message) => {
    const { html } = await submit((await opened()).url!, fields);
    expect(html).toContain(message);
  });

  test("asks for authentication, which may fail and be passed", async () => {
    const session = await opened();
    const asked = await pay(session, "4000 0027 6000 3184");
    expect(asked.location).toContain("/3d_secure/");
    expect(await (await fetch(asked.location)).text()).toContain('value="complete"');
    const failed = await authenticateOn(asked.location, "fail");
    expect(failed.location).toBe(session.url);
    expect(await (await fetch(failed.location)).text()).toContain("failed authentication");
    // The page of an authentication that is over has no effect.
    expect((await authenticateOn(asked.location, "complete")).status).toBe(410);
    const again = await pay(session, "4000 0000 0000 3220");
    const passed = await authenticateOn(again.location, "complete");
    expect(passed.location).toContain("/done");
    expect(await readSession(session.id)).toMatchObject({ status: "complete", payment_status: "paid" });
  });

  test("saves a card without a charge", async () => {
    const setup = {
      ...URLS,
      mode: "setup",
      payment_method_types: ["card"],
      setup_intent_data: { metadata: { save: "1" } },
    };
    const session = await opened(setup);
    expect(session).toMatchObject({ payment_status: "no_payment_required", setup_intent: expect.any(String) });
    const intent = `/v1/setup_intents/${session.setup_intent}`;
    expect((await send(`POST ${intent}/cancel`)).status).toBe(400);
    expect((await pay(session, "4242424242424242")).location).toContain("/done");
    const done = await send(`GET ${intent}`, { expand: ["payment_method"] });
    expect(done.body).toMatchObject({
      status: "succeeded",
      metadata: { save: "1" },
      payment_method: { customer: session.customer },
    });
  });

  test("is over when the Session expires, by time or by request", async () => {
    const [late, ended] = [await opened(), await opened()];
    await pay(late, "4000000000000002");
    const intent = (await readSession(late.id)).payment_intent!;
    const error = { code: "payment_intent_unexpected_state" };
    expect((await send(`POST /v1/payment_intents/${intent}/cancel`)).body).toMatchObject({ error });
    expect((await send(`POST /v1/payment_intents/${intent}/confirm`)).body).toMatchObject({ error });
    expect((await send(`POST /v1/checkout/sessions/${ended.id}/expire`)).body).toMatchObject({ status: "expired" });
    expect((await send(`POST /v1/checkout/sessions/${ended.id}/expire`)).status).toBe(400);
    now += 31 * 60_000;
    expect((await pay(late, "4242424242424242")).html).toContain("expired");
    expect((await pay(ended, "4242424242424242")).html).toContain("expired");
    expect((await send(`GET /v1/payment_intents/${intent}`)).body).toMatchObject({ status: "canceled" });
    expect(stripe.events.at(-1)).toMatchObject({ type: "checkout.session.expired", data: { object: { id: late.id } } });
  });

  test("completes a payment that is still processing, unpaid", async () => {
    const session = await opened();
    stripe.operations.processNext();
    expect((await pay(session, "4242424242424242")).location).toContain("/done");
    const done = await readSession(session.id);
    expect(done).toMatchObject({ status: "complete", payment_status: "unpaid" });
    stripe.operations.settlePayment(done.payment_intent!);
    expect(await readSession(session.id)).toMatchObject({ payment_status: "paid" });
  });
});

test.each<[string, Record<string, Value>, string]>([
  ["29 minutes", { expires_at: -1 }, "expires_at"],
  ["more than a day", { expires_at: 24 * 60 + 1 }, "expires_at"],
  ["no success_url", { success_url: "" }, "success_url"],
  ["no lines", { line_items: [] }, "line_items"],
  ["too little", { line_items: [{ ...LINE, price_data: { ...LINE.price_data, unit_amount: 10 } }] }, "amount"],
  ["a whole descriptor", { payment_intent_data: { statement_descriptor: "ACME" } }, "statement_descriptor"],
  ["the data of a setup", { setup_intent_data: { description: "x" } }, "setup_intent_data"],
])("a Checkout Session with %s is refused", async (_, params, param) => {
  const expires = typeof params["expires_at"] === "number" ? params["expires_at"] : 60;
  const given = { ...PAYMENT, ...params, expires_at: secondsFromNow(expires === -1 ? 29 : expires) };
  const answer = await send("POST /v1/checkout/sessions", given);
  expect(answer).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error", param } } });
});

describe("the authentication of an intent on-session", () => {
  const FIELDS = { amount: 1900, currency: "eur", payment_method_types: ["card"] };
  const HERE = { return_url: "http://127.0.0.1:9/return?a=1", use_stripe_sdk: false };

  /** An intent that asks for authentication, and the address of the bank's page. */
  async function asking(payment_method: string) {
    const made = await send("POST /v1/payment_intents", { ...FIELDS, payment_method });
    const id = String(made.body["id"]);
    const asked = await send(`POST /v1/payment_intents/${id}/confirm`, HERE);
    expect(asked.body).toMatchObject({ status: "requires_action", next_action: { type: "redirect_to_url" } });
    return { id, page: (asked.body["next_action"] as { redirect_to_url: { url: string } }).redirect_to_url.url };
  }

  test.each<[string, "complete" | "fail", string, string | undefined]>([
    ["pm_card_authenticationRequired", "complete", "succeeded", undefined],
    ["pm_card_authenticationRequired", "fail", "failed", "payment_intent_authentication_failure"],
    ["pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "complete", "failed", "card_declined"],
  ])("with %s and the button %s has %s", async (card, result, redirect_status, code) => {
    const { id, page } = await asking(card);
    const back = new URL((await authenticateOn(page, result)).location);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      a: "1",
      payment_intent: id,
      payment_intent_client_secret: expect.stringContaining(`${id}_secret_`),
      redirect_status,
    });
    const read = await send(`GET /v1/payment_intents/${id}`);
    expect(read.body).toMatchObject({
      status: code === undefined ? "succeeded" : "requires_payment_method",
      last_payment_error: code === undefined ? null : { code },
    });
  });

  test("is over after a cancellation, a new confirmation or the end of its time", async () => {
    const canceled = await asking("pm_card_authenticationRequired");
    await send(`POST /v1/payment_intents/${canceled.id}/cancel`);
    expect((await authenticateOn(canceled.page, "complete")).status).toBe(410);

    const twice = await asking("pm_card_authenticationRequired");
    const anew = await send(`POST /v1/payment_intents/${twice.id}/confirm`, HERE);
    expect(anew.body).toMatchObject({ status: "requires_action" });
    expect((await authenticateOn(twice.page, "complete")).status).toBe(410);

    const late = await asking("pm_card_authenticationRequired");
    stripe.operations.expireAuthentication(late.id);
    expect((await authenticateOn(late.page, "complete")).status).toBe(410);
    const code = "payment_intent_payment_attempt_expired";
    const read = (await send(`GET /v1/payment_intents/${late.id}`)).body;
    expect(read).toMatchObject({ status: "requires_payment_method", last_payment_error: { code } });
  });
});
