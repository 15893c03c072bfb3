import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authenticateOn } from "./buyer.ts";
import { clientOf, type Value } from "./client.ts";
import { startStripe, type StripeServer } from "./server.ts";

// The Stripe adapter is tested against this server, so the server itself must follow Stripe's documents.
let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
let now = Date.UTC(2026, 5, 1);

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  send = clientOf(stripe);
});
afterAll(() => stripe.close());

/** A Customer with a saved card. */
async function saved(token = "pm_card_visa"): Promise<{ customer: string; payment_method: string }> {
  const customer = String((await send("POST /v1/customers", { email: "ada@example.com" })).body["id"]);
  const card = await send(`POST /v1/payment_methods/${token}/attach`, { customer });
  expect(card.body.error).toBeUndefined();
  return { customer, payment_method: String(card.body["id"]) };
}

const PRICE = { amount: 1900, currency: "eur", payment_method_types: ["card"] };

/** An unconfirmed PaymentIntent. */
async function intended(more: Record<string, Value> = {}): Promise<string> {
  const made = await send("POST /v1/payment_intents", { ...PRICE, ...more });
  expect(made.status).toBe(200);
  return String(made.body["id"]);
}

const confirm = (id: string, params: Record<string, Value> = {}) =>
  send(`POST /v1/payment_intents/${id}/confirm`, params);
const chargesOf = (intent: string) =>
  [...stripe.book.charges.values()].filter((each) => each.payment_intent === intent);

describe("a PaymentIntent", () => {
  test.each([
    ["pm_card_visa", "succeeded", undefined],
    ["pm_card_chargeCustomerFail", "requires_payment_method", "generic_decline"],
    ["pm_card_authenticationRequired", "requires_payment_method", "authentication_required"],
    ["pm_card_authenticationRequiredOnSetup", "requires_payment_method", "authentication_required"],
    ["pm_card_authenticationRequiredSetupForOffSession", "succeeded", undefined],
  ])("off-session, with the saved card %s, is %s", async (token, status, decline) => {
    const id = await intended(await saved(token));
    const answer = await confirm(id, { off_session: true });
    const read = (await send(`GET /v1/payment_intents/${id}`, { expand: ["latest_charge"] })).body;
    expect(read).toMatchObject({ status, latest_charge: { paid: decline === undefined, payment_intent: id } });
    if (decline === undefined) {
      expect(answer).toMatchObject({ status: 200, body: { id, amount_received: 1900, last_payment_error: null } });
      return;
    }
    const error = { type: "card_error", decline_code: decline };
    expect(answer).toMatchObject({ status: 402, body: { error: { ...error, payment_intent: { id, status } } } });
    expect(read).toMatchObject({ last_payment_error: error, payment_method: null });
  });

  test.each([
    ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline"],
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
    ["pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card"],
    ["pm_card_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card"],
    ["pm_card_chargeDeclinedProcessingError", "processing_error", "processing_error"],
    ["pm_card_radarBlock", "card_declined", "fraudulent"],
  ])("with %s is declined: %s, %s", async (payment_method, code, decline_code) => {
    const answer = await send("POST /v1/payment_intents", { ...PRICE, payment_method, confirm: true });
    expect(answer).toMatchObject({ status: 402, body: { error: { type: "card_error", code, decline_code } } });
    // Such a card can't be saved either.
    const { customer } = await saved();
    const refused = await send(`POST /v1/payment_methods/${payment_method}/attach`, { customer });
    expect(refused).toMatchObject({ status: 402, body: { error: { code, decline_code } } });
  });

  test("is confirmed once, and canceled only before", async () => {
    const id = await intended({ payment_method: "pm_card_visa" });
    expect((await confirm(id)).body).toMatchObject({ status: "succeeded" });
    for (const operation of ["confirm", "cancel"]) {
      const again = await send(`POST /v1/payment_intents/${id}/${operation}`);
      expect(again).toMatchObject({
        status: 400,
        body: { error: { code: "payment_intent_unexpected_state", payment_intent: { id, status: "succeeded" } } },
      });
    }
    expect(chargesOf(id)).toHaveLength(1);

    const other = await intended({ payment_method: "pm_card_visa" });
    const canceled = await send(`POST /v1/payment_intents/${other}/cancel`, { cancellation_reason: "abandoned" });
    expect(canceled.body).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
    expect((await confirm(other)).body.error?.code).toBe("payment_intent_unexpected_state");
    expect(chargesOf(other)).toHaveLength(0);
  });

  test("that was declined needs another card, and takes it", async () => {
    const id = await intended({ payment_method: "pm_card_visa_chargeDeclined" });
    expect((await confirm(id)).status).toBe(402);
    expect((await confirm(id)).body.error?.message).toContain("missing a payment method");
    expect((await confirm(id, { payment_method: "pm_card_visa" })).body).toMatchObject({ status: "succeeded" });
  });

  test("off-session needs no authentication any more once the card was set up", async () => {
    const { customer } = await saved();
    const setup = await send("POST /v1/setup_intents", {
      customer,
      payment_method: "pm_card_authenticationRequiredOnSetup",
      payment_method_types: ["card"],
      confirm: true,
      return_url: "http://127.0.0.1:9/back",
    });
    expect(setup.body).toMatchObject({ status: "requires_action", next_action: { type: "redirect_to_url" } });
    const card = String(setup.body["payment_method"]);
    const { redirect_to_url: to } = setup.body["next_action"] as { redirect_to_url: { url: string } };
    await authenticateOn(to.url, "complete");
    const id = await intended({ customer, payment_method: card });
    expect((await confirm(id, { off_session: true })).body).toMatchObject({ status: "succeeded" });
  });

  test("stays `processing` until the bank has answered", async () => {
    stripe.operations.processNext();
    const id = await intended({ payment_method: "pm_card_visa" });
    expect((await confirm(id)).body).toMatchObject({ status: "processing", latest_charge: null });
    stripe.operations.settlePayment(id);
    expect((await send(`GET /v1/payment_intents/${id}`)).body).toMatchObject({ status: "succeeded" });
  });

  test.each<[string, Record<string, Value>, Record<string, Value>]>([
    ["too little", { amount: 49 }, { code: "amount_too_small", param: "amount" }],
    ["too much", { amount: 1_000_000_000_000 }, { code: "amount_too_large", param: "amount" }],
    ["nothing", { amount: 0 }, { code: "parameter_invalid_integer", param: "amount" }],
    ["a fraction", { amount: 1.5 }, { code: "parameter_invalid_integer", param: "amount" }],
    ["no whole ten fils", { amount: 1001, currency: "kwd" }, { param: "amount" }],
    ["no whole krona", { amount: 1050, currency: "isk" }, { param: "amount" }],
    ["an unknown currency", { currency: "xxx" }, { param: "currency" }],
    ["an unknown parameter", { price: 1 }, { code: "parameter_unknown", param: "price" }],
    ["an unknown card", { payment_method: "pm_none" }, { code: "resource_missing", param: "payment_method" }],
    ["an unknown Customer", { customer: "cus_none" }, { code: "resource_missing", param: "customer" }],
    ["a whole descriptor", { statement_descriptor: "ACME" }, { param: "statement_descriptor" }],
    ["a suffix without letters", { statement_descriptor_suffix: "12" }, { param: "statement_descriptor_suffix" }],
    ["a long suffix", { statement_descriptor_suffix: "ABCDEFGHIJKLMNO" }, { param: "statement_descriptor_suffix" }],
    ["off_session before its time", { off_session: true }, { param: "off_session" }],
  ])("of %s is refused", async (_, params, error) => {
    const answer = await send("POST /v1/payment_intents", { ...PRICE, ...params });
    expect(answer).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error", ...error } } });
  });

  test("needs an amount", async () => {
    const error = { code: "parameter_missing", param: "amount" };
    expect((await send("POST /v1/payment_intents", { currency: "eur" })).body).toMatchObject({ error });
  });

  test("is listed by Customer, newest first", async () => {
    const { customer, payment_method } = await saved();
    const ids = [await intended({ customer, payment_method }), await intended({ customer, payment_method })];
    const list = (await send("GET /v1/payment_intents", { customer, limit: 1 })).body;
    expect(list).toMatchObject({ object: "list", has_more: true, url: "/v1/payment_intents", data: [{ id: ids[1] }] });
    const rest = (await send("GET /v1/payment_intents", { customer, starting_after: ids[1]! })).body;
    expect(rest).toMatchObject({ has_more: false, data: [{ id: ids[0] }] });
  });
});

describe("a card", () => {
  test("has one fingerprint for its number", async () => {
    const cards = [await saved(), await saved(), await saved("pm_card_mastercard")];
    const prints = cards.map(({ payment_method: id }) => stripe.book.paymentMethods.get(id)!.card.fingerprint);
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  test("is given as a token, and never as a number", async () => {
    const given = await send("POST /v1/payment_methods", { type: "card", card: { token: "tok_visa" } });
    expect(given.body).toMatchObject({ object: "payment_method", card: { last4: "4242" }, customer: null });
    const card = { number: "4242424242424242", exp_month: 12, exp_year: 2034, cvc: "123" };
    const typed = await send("POST /v1/payment_methods", { type: "card", card });
    expect(typed).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("unsafe") } } });
  });

  test("may turn bad at its bank", async () => {
    const ids = await saved();
    stripe.operations.turnCard(ids.payment_method, "pm_card_visa_chargeDeclinedLostCard");
    const answer = await confirm(await intended(ids), { off_session: true });
    expect(answer.body.error).toMatchObject({ decline_code: "lost_card", charge: expect.stringMatching(/^ch_/) });
  });

  test("can be detached by request, once", async () => {
    const { payment_method: id } = await saved();
    expect((await send(`POST /v1/payment_methods/${id}/detach`)).body).toMatchObject({ customer: null });
    expect((await send(`POST /v1/payment_methods/${id}/detach`)).status).toBe(400);
    expect((await send("POST /v1/payment_methods/pm_none/detach")).status).toBe(404);
  });

  test("belongs to its Customer alone", async () => {
    const [one, other] = [await saved(), await saved()];
    const params = { ...PRICE, payment_method: one.payment_method };
    const strange = await send("POST /v1/payment_intents", { ...params, customer: other.customer });
    expect(strange).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("does not belong") } },
    });
    expect((await send("POST /v1/payment_intents", params)).status).toBe(400);
  });

  test("can't be used after it was detached, or used once without a Customer", async () => {
    const { customer, payment_method } = await saved();
    const id = await intended({ customer, payment_method });
    stripe.operations.detachCard(payment_method);
    expect((await confirm(id, { off_session: true })).body.error?.message).toContain("may not be used again");

    const first = await intended({ payment_method: "pm_card_visa" });
    const card = String((await confirm(first)).body["payment_method"]);
    const second = await send("POST /v1/payment_intents", { ...PRICE, payment_method: card });
    expect(second).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
  });

  test("is detached when its Customer is deleted", async () => {
    const { customer, payment_method } = await saved();
    const cards = `GET /v1/customers/${customer}/payment_methods`;
    expect((await send(cards)).body).toMatchObject({ data: [{ id: payment_method }] });
    expect((await send(`DELETE /v1/customers/${customer}`)).body).toMatchObject({ id: customer, deleted: true });
    expect((await send(`GET /v1/payment_methods/${payment_method}`)).body).toMatchObject({ customer: null });
    expect((await send(`GET /v1/customers/${customer}`)).body).toMatchObject({ deleted: true });
    expect((await send(cards)).status).toBe(404);
    expect((await send("POST /v1/payment_intents", { ...PRICE, customer })).body.error?.code).toBe("resource_missing");
  });
});

describe("a SetupIntent", () => {
  const SETUP = { payment_method_types: ["card"], usage: "off_session" };

  test.each([
    ["pm_card_visa", 200, "succeeded", undefined],
    ["pm_card_chargeCustomerFail", 200, "succeeded", undefined],
    ["pm_card_visa_chargeDeclined", 402, "requires_payment_method", "card_declined"],
  ])("with %s is answered with %i and is %s", async (payment_method, status, state, code) => {
    const customer = String((await send("POST /v1/customers")).body["id"]);
    const made = await send("POST /v1/setup_intents", { ...SETUP, customer, payment_method });
    expect(made.body).toMatchObject({ status: "requires_confirmation" });
    const path = `/v1/setup_intents/${String(made.body["id"])}`;
    expect((await send(`POST ${path}/confirm`)).status).toBe(status);
    const read = (await send(`GET ${path}`)).body;
    expect(read).toMatchObject({ status: state, last_setup_error: code === undefined ? null : { code } });
    const cards = (await send(`GET /v1/customers/${customer}/payment_methods`)).body["data"];
    expect(cards).toHaveLength(code === undefined ? 1 : 0);
    const canceled = await send(`POST ${path}/cancel`);
    if (code === undefined) expect(canceled.body.error?.code).toBe("setup_intent_unexpected_state");
    else expect(canceled.body).toMatchObject({ status: "canceled" });
    expect((await send(`POST ${path}/confirm`)).status).toBe(400);
  });
});

describe("an Idempotency-Key", () => {
  const charge = { ...PRICE, payment_method: "pm_card_visa", confirm: true };

  test("replays an answer, a decline too", async () => {
    for (const payment_method of ["pm_card_visa", "pm_card_visa_chargeDeclined"]) {
      const how = { idempotencyKey: `replay ${payment_method}` };
      const first = await send("POST /v1/payment_intents", { ...charge, payment_method }, how);
      const before = stripe.book.paymentIntents.size;
      const again = await send("POST /v1/payment_intents", { ...charge, payment_method }, how);
      expect(again.body).toEqual(first.body);
      expect(again.status).toBe(first.status);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.headers.get("original-request")).toBe(first.headers.get("request-id"));
      expect(stripe.book.paymentIntents.size).toBe(before);
    }
  });

  test("is for one request alone", async () => {
    const how = { idempotencyKey: "one request" };
    await send("POST /v1/payment_intents", charge, how);
    const answers = [
      await send("POST /v1/payment_intents", { ...charge, amount: 2000 }, how),
      await send("POST /v1/customers", {}, how),
    ];
    for (const { status, body } of answers) {
      expect({ status, type: body.error?.type }).toEqual({ status: 400, type: "idempotency_error" });
    }
  });

  test("keeps no refusal of malformed parameters, of a bad key or of too many requests", async () => {
    const how = { idempotencyKey: "not kept" };
    expect((await send("POST /v1/payment_intents", { ...charge, price: 1 }, how)).status).toBe(400);
    expect((await send("POST /v1/payment_intents", charge, { ...how, key: "sk_test_none" })).status).toBe(401);
    stripe.fault("POST /v1/payment_intents", "429");
    expect((await send("POST /v1/payment_intents", charge, how)).status).toBe(429);
    expect((await send("POST /v1/payment_intents", charge, how)).status).toBe(200);
  });

  test("is forgotten after 24 hours, and the request is carried out anew", async () => {
    const how = { idempotencyKey: "a day" };
    const first = await send("POST /v1/payment_intents", charge, how);
    now += 86_399_000;
    expect((await send("POST /v1/payment_intents", charge, how)).body["id"]).toBe(first.body["id"]);
    now += 1_000;
    expect((await send("POST /v1/payment_intents", charge, how)).body["id"]).not.toBe(first.body["id"]);
  });
});

describe("a request", () => {
  test("needs a key of the account, its permission and the API's version", async () => {
    const refusals = [
      await send("GET /v1/account", {}, { headers: { authorization: "" } }),
      await send("GET /v1/account", {}, { key: "rk_live_none" }),
      await send("GET /v1/account", {}, { headers: { "stripe-account": "acct_none" } }),
      await send("GET /v1/account", {}, { headers: { "stripe-version": "2022-11-15" } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 403, 400]);

    stripe.operations.takePermission(stripe.key, "charge_write");
    const denied = await send("POST /v1/refunds", { payment_intent: "pi_none" });
    expect(denied).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining("'rak_charge_write'") } },
    });
    expect((await send("POST /v1/refunds", { payment_intent: "pi_none" }, { key: stripe.secretKey })).status).toBe(400);
    stripe.operations.givePermission(stripe.key, "charge_write");

    stripe.operations.revokeKey(stripe.key);
    expect((await send("GET /v1/account")).body.error).toMatchObject({ code: "api_key_expired" });
    stripe.operations.restoreKey(stripe.key);
    expect((await send("GET /v1/account")).body).toMatchObject({ id: stripe.accountId, charges_enabled: true });
  });

  test("may hold its key as the user of HTTP basic authentication", async () => {
    const authorization = `Basic ${Buffer.from(`${stripe.key}:`).toString("base64")}`;
    expect((await send("GET /v1/account", {}, { headers: { authorization } })).status).toBe(200);
  });

  test("that names an unknown object is answered with 404, and one of the other mode with a hint", async () => {
    const error = {
      type: "invalid_request_error",
      code: "resource_missing",
      message: "No such payment_intent: 'pi_x'",
    };
    expect(await send("GET /v1/payment_intents/pi_x")).toMatchObject({ status: 404, body: { error } });
    stripe.operations.existsElsewhere("pi_live");
    const live = await send("GET /v1/payment_intents/pi_live");
    expect(live.body.error?.message).toContain("a similar object exists in live mode");
  });

  test("can expand ids up to four levels deep", async () => {
    const id = await intended({ payment_method: "pm_card_visa" });
    await confirm(id);
    const read = await send(`GET /v1/payment_intents/${id}`, { expand: ["latest_charge.balance_transaction"] });
    expect(read.body).toMatchObject({
      latest_charge: { payment_method_details: { card: { last4: "4242" } }, balance_transaction: { amount: 1900 } },
    });
    const list = await send("GET /v1/payment_intents", { limit: 1, expand: ["data.latest_charge"] });
    expect(list.body).toMatchObject({ data: [{ latest_charge: { object: "charge" } }] });
    expect((await send(`GET /v1/payment_intents/${id}`, { expand: ["amount"] })).status).toBe(400);
  });

  test("has an id, and one to an unknown path is refused", async () => {
    const answer = await send("GET /v1/nothing");
    expect(answer.status).toBe(404);
    expect(answer.headers.get("request-id")).toMatch(/^req_/);
    expect(stripe.requests.at(-1)).toMatchObject({ method: "GET", path: "/v1/nothing", status: 404 });
  });

  test("charges nothing while the account is restricted", async () => {
    const id = await intended({ payment_method: "pm_card_visa" });
    stripe.operations.restrictAccount();
    expect((await confirm(id)).body.error?.message).toContain("cannot currently make");
    expect((await send("GET /v1/account")).body).toMatchObject({ charges_enabled: false });
    stripe.operations.liftRestriction();
    expect((await confirm(id)).body).toMatchObject({ status: "succeeded" });
  });
});

test("a server of live mode takes live keys, and no test cards", async () => {
  const live = await startStripe({ livemode: true });
  expect(live.key).toMatch(/^rk_live_/);
  const account = await clientOf(live)("POST /v1/payment_intents", { ...PRICE, payment_method: "pm_card_visa" });
  expect(account.body.error?.code).toBe("resource_missing");
  await live.close();
});
