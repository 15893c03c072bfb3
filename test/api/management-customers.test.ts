import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { strangerOf } from "../support/operations.ts";
import { letLeasesRunOut } from "../support/processes.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let stranger: { api: TestCall; manage: TestCall };
let count = 0;
/** A new e-mail address. */
const fresh = () => `person-${++count}@example.com`;
const create = (more: object = {}) => ok(app.api("POST", "/customers", { email: fresh(), ...more }));
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  app.manage("PATCH", `/customers/${id}`, body, headers);
const remove = (id: string, headers: Record<string, string> = {}) =>
  app.manage("DELETE", `/customers/${id}`, undefined, headers);
const read = (id: string) => app.manage("GET", `/customers/${id}`);
const told = async (id: string): Promise<string[]> =>
  (await app.manage("GET", `/events?resourceId=${id}`)).body.data.map((event: Json) => event.type);
const faults = ({ body }: TestAnswer) => body.errors.map((fault: Json) => `${fault.pointer} ${fault.code}`);
const pay = (id: string, card: string) => app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card });
const checkout = (customerId: string, productKey = "pro") =>
  ok(app.api("POST", "/checkouts", { productKey, customerId }));

beforeAll(async () => {
  app = await startTestApp();
  stranger = await strangerOf(app);
  const price = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  for (const key of ["pro", "max"])
    await ok(app.manage("POST", "/products", { key, name: key, interval: "month", ...price(1000) }));
  await ok(app.manage("POST", "/products", { key: "book", name: "Book", ...price(500) }));
});
afterAll(async () => {
  await letLeasesRunOut(app.ctx.db);
  await app.runDue();
  expect(await audit(app.ctx.db, app.organization.id)).toEqual([]);
  await app.close();
});

describe("PATCH of a Customer", () => {
  it("changes the fields that it names, and tells so once", async () => {
    const before = await create({ name: "Ada", metadata: { a: 1 } });
    const address = {
      country: "GB",
      line1: "12 St James's Square",
      line2: null,
      postalCode: null,
      city: "London",
      state: null,
    };
    const email = fresh();
    const changed = await patch(before.id, {
      email: ` ${email} `,
      name: null,
      externalId: "named-by-patch",
      billingAddress: { country: "gb", line1: "12 St James's Square", city: "London" },
      taxId: { type: "gb_vat", value: "GB980780684" },
      metadata: { b: 2 },
    });
    expect(changed.body).toEqual({
      ...before,
      email,
      name: null,
      externalId: "named-by-patch",
      billingAddress: address,
      taxId: { type: "gb_vat", value: "GB980780684", verification: "format" },
      metadata: { b: 2 },
      updatedAt: changed.body.updatedAt,
    });
    const found = await read(before.id);
    expect([found.body, found.headers.get("ETag")]).toEqual([changed.body, changed.headers.get("ETag")]);
    const events = (await app.manage("GET", `/events?resourceId=${before.id}`)).body.data;
    expect(events).toMatchObject([
      { type: "customer.created" },
      { type: "customer.updated", sequence: 2, data: changed.body },
    ]);
  });

  it("leaves alone the fields that it does not name, and clears a field by null", async () => {
    const before = await create({
      name: "Ada",
      billingAddress: { country: "FR" },
      taxId: { type: "eu_vat", value: "FR40303265045" },
    });
    expect((await patch(before.id, { name: "Grace" })).body).toMatchObject({
      ...before,
      name: "Grace",
      updatedAt: expect.any(String),
    });
    expect((await patch(before.id, { taxId: null })).body).toMatchObject({
      taxId: null,
      billingAddress: before.billingAddress,
    });
    expect((await patch(before.id, { billingAddress: null })).body).toMatchObject({
      billingAddress: null,
      name: "Grace",
    });
  });

  it("that changes no value writes nothing", async () => {
    const before = await create({
      name: "Ada",
      externalId: "said-again",
      billingAddress: { country: "FR", city: "Paris" },
    });
    const etag = (await read(before.id)).headers.get("ETag");
    for (const body of [
      {},
      { name: "Ada" },
      { externalId: "said-again" },
      { billingAddress: { city: "Paris", country: "fr" } },
      before,
    ]) {
      const { id: _, createdAt: _c, updatedAt: _u, ...fields } = body as Json;
      const answer = await patch(before.id, fields);
      expect([answer.status, answer.body, answer.headers.get("ETag")]).toEqual([200, before, etag]);
    }
    expect(await told(before.id)).toEqual(["customer.created"]);
  });

  it("keeps to If-Match", async () => {
    const { id } = await create();
    const etag = (await read(id)).headers.get("ETag")!;
    expect((await patch(id, { name: "One" }, { "If-Match": etag })).status).toBe(200);
    const stale = await patch(id, { name: "Two" }, { "If-Match": etag });
    expect([stale.status, stale.body.code]).toEqual([412, "precondition_failed"]);
    expect((await read(id)).body.name).toBe("One");
  });

  test.each<[body: Json, ...faults: string[]]>([
    [{ email: null }, "/email invalid_type"],
    [{ email: "ada" }, "/email invalid_email"],
    [{ name: " " }, "/name too_short"],
    [{ externalId: "x".repeat(256) }, "/externalId too_long"],
    [{ billingAddress: { city: "London" } }, "/billingAddress/country required"],
    [{ taxId: { type: "eu_vat", value: "DE811569869" } }, "/taxId billing_country_missing"],
    [
      { billingAddress: { country: "DE" }, taxId: { type: "eu_vat", value: "DE811569868" } },
      "/taxId/value invalid_tax_id",
    ],
    [{ metadata: null }, "/metadata invalid_type"],
    [{ metadata: { a: {} } }, "/metadata/a invalid_type"],
    [{ id: "cus_1", createdAt: "2026-01-01T00:00:00Z" }, "/id unknown_field", "/createdAt unknown_field"],
  ])("refuses %j", async (body, ...expected) => {
    const { id } = await create();
    const answer = await patch(id, body);
    expect([answer.status, faults(answer)]).toEqual([422, expected]);
    expect(await told(id)).toEqual(["customer.created"]);
  });

  it("does not take the country from under a tax id", async () => {
    const { id } = await create({ billingAddress: { country: "DE" }, taxId: { type: "eu_vat", value: "DE811569869" } });
    expect(faults(await patch(id, { billingAddress: null }))).toEqual(["/billingAddress billing_country_missing"]);
    expect((await patch(id, { billingAddress: null, taxId: null })).status).toBe(200);
  });

  it("sets an externalId once, for good", async () => {
    const { id } = await create();
    expect((await patch(id, { externalId: null })).status).toBe(200);
    expect((await patch(id, { externalId: "for-good" })).body.externalId).toBe("for-good");
    for (const externalId of [null, "another"]) {
      expect(await patch(id, { externalId })).toMatchObject({ status: 409, body: { code: "external_id_fixed" } });
    }
    expect((await app.manage("GET", "/customers?externalId=for-good")).body.data).toMatchObject([{ id }]);
  });

  it("is 409 where the Customer would be the same as another, and names that one", async () => {
    const [plain, named, third] = [await create(), await create({ externalId: "taken" }), await create()];
    const exists = (customerId: string) => ({ status: 409, body: { code: "customer_exists", customerId } });
    expect(await patch(third.id, { email: plain.email.toUpperCase() })).toMatchObject(exists(plain.id));
    expect(await patch(third.id, { externalId: "taken" })).toMatchObject(exists(named.id));
    // A Customer with an externalId may share an address.
    expect((await patch(third.id, { email: named.email })).status).toBe(200);
    expect((await patch(named.id, { email: plain.email })).status).toBe(200);
  });

  it("gives an address up for others", async () => {
    const { id, email } = await create();
    await ok(patch(id, { email: fresh() }));
    const next = await ok(app.api("POST", "/customers", { email }));
    expect(next.id).not.toBe(id);
  });

  it("replays its answer", async () => {
    const { id } = await create();
    const send = (name: string) => patch(id, { name }, { "Idempotency-Key": "patch-customer" });
    const [first, again] = [await send("Ada"), await send("Ada")];
    expect([again.body, again.headers.get("Idempotency-Replayed")]).toEqual([first.body, "true"]);
    expect((await send("Grace")).status).toBe(422);
    expect(await told(id)).toEqual(["customer.created", "customer.updated"]);
  });

  it.each([
    ["e-mail", () => ({ email: fresh() })],
    ["externalId", () => ({ externalId: `wanted-${++count}` })],
  ])("many at once that want one %s: one gets it", async (_, wanted) => {
    const people = await Promise.all(Array.from({ length: 6 }, () => create()));
    const body = wanted();
    const answers = await Promise.all(people.map(({ id }) => patch(id, body)));
    const [winner, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    const exists = { status: 409, body: { code: "customer_exists", customerId: winner!.body.id } };
    for (const answer of answers) if (answer !== winner) expect(answer).toMatchObject(exists);
  });

  it("is 404 for a Customer that is unknown, another Organization's, or deleted", async () => {
    const { id } = await create();
    expect((await stranger.manage("PATCH", `/customers/${id}`, { name: "Mine" })).status).toBe(404);
    expect((await patch(newId("cus"), { name: "Nobody" })).status).toBe(404);
    expect((await remove(id)).status).toBe(204);
    expect((await patch(id, { name: "Nobody" })).status).toBe(404);
  });
});

describe("DELETE of a Customer", () => {
  it("answers 204 once, then 404, and keeps to If-Match", async () => {
    const { id } = await create();
    const etag = (await read(id)).headers.get("ETag")!;
    await ok(patch(id, { name: "Ada" }));
    expect(await remove(id, { "If-Match": etag })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect((await stranger.manage("DELETE", `/customers/${id}`)).status).toBe(404);
    expect(await remove(id)).toMatchObject({ status: 204, body: "" });
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await remove(newId("cus"))).status).toBe(404);
    expect(await told(id)).toEqual(["customer.created", "customer.updated", "customer.deleted"]);
  });

  it("is 409 while they have credit, with the amounts, until it says that the credit is forfeited", async () => {
    const { id } = await create();
    const adjust = (currency: string, amount: number) =>
      ok(app.manage("POST", `/customers/${id}/balance-adjustments`, { currency, amount, reason: "Gift" }));
    await adjust("usd", -700);
    await adjust("eur", 500);
    await adjust("jpy", 20);
    const balances = [
      { currency: "eur", amount: 500 },
      { currency: "jpy", amount: 20 },
    ];
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: "balance_left", balances } });
    expect(await read(id)).toMatchObject({ status: 200 });
    for (const wrong of ["yes", "", "1", "TRUE"]) {
      const refused = { status: 422, body: { errors: [{ in: "query", pointer: "forfeitBalance" }] } };
      expect(await app.manage("DELETE", `/customers/${id}?forfeitBalance=${wrong}`)).toMatchObject(refused);
    }
    expect((await stranger.manage("DELETE", `/customers/${id}?forfeitBalance=true`)).status).toBe(404);
    const forfeit = () => app.manage("DELETE", `/customers/${id}?forfeitBalance=true`);
    expect((await forfeit()).status).toBe(204);
    expect((await forfeit()).status).toBe(404);
    expect(await told(id)).toEqual(["customer.created", "customer.deleted"]);
  });

  it("writes a debt off without being asked", async () => {
    const { id } = await create();
    await ok(
      app.manage("POST", `/customers/${id}/balance-adjustments`, {
        currency: "usd",
        amount: -700,
        reason: "A mistake",
      }),
    );
    expect((await remove(id)).status).toBe(204);
  });

  it("deletes once, however many ask at once", async () => {
    const { id } = await create();
    await ok(pay((await checkout(id)).id, CARDS.pays));
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect(await told(id)).toEqual(["customer.created", "customer.deleted"]);
  });

  it("frees e-mail and externalId for somebody new", async () => {
    const body = { email: fresh(), externalId: "used-twice" };
    for (let n = 0; n < 2; n += 1) {
      const plain = await ok(app.api("POST", "/customers", { email: body.email }));
      const named = await ok(app.api("POST", "/customers", body));
      for (const { id } of [plain, named]) expect((await remove(id)).status).toBe(204);
    }
    const { customerId } = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer: body }));
    expect((await read(customerId)).body).toMatchObject(body);
  });

  it("leaves no Customer to be found", async () => {
    const { id, email } = await create({ externalId: "gone" });
    const { id: open } = await checkout(id);
    expect((await remove(id)).status).toBe(204);
    for (const path of ["", "/balance", "/balance-entries", "/payment-methods"]) {
      expect((await app.manage("GET", `/customers/${id}${path}`)).status).toBe(404);
    }
    for (const query of [`email=${email}`, "externalId=gone", `search=${email}`, "limit=100"]) {
      expect(JSON.stringify((await app.manage("GET", `/customers?${query}`)).body)).not.toContain(id);
    }
    expect((await app.api("GET", `/benefit-grants?customerId=${id}`)).status).toBe(404);
    expect((await app.api("GET", "/benefit-grants?externalCustomerId=gone")).body.data).toEqual([]);
    const named = await app.api("POST", "/checkouts", { productKey: "pro", customerId: id });
    expect([named.status, faults(named)]).toEqual([422, ["/customerId unknown_customer"]]);
    const external = await app.api("POST", "/checkouts", { productKey: "pro", externalCustomerId: "gone" });
    expect([external.status, faults(external)]).toEqual([422, ["/externalCustomerId unknown_customer"]]);
    expect((await app.manage("POST", `/sandbox/customers/${id}/card`, { card: CARDS.pays })).status).toBe(404);
    expect(
      (await app.manage("POST", `/customers/${id}/balance-adjustments`, { currency: "usd", amount: 1, reason: "x" }))
        .status,
    ).toBe(404);
    expect(await pay(open, CARDS.pays)).toMatchObject({ status: 409, body: { code: "checkout_not_open" } });
    expect((await app.api("GET", `/checkouts/${open}`)).body).toMatchObject({
      status: "expired",
      externalCustomerId: null,
    });
  });

  it("waits for a payment: a Checkout that is being paid", async () => {
    const { id } = await create();
    const { id: paying } = await checkout(id);
    expect(await ok(pay(paying, CARDS.asksBuyer))).toMatchObject({ status: "processing" });
    const refused = await remove(id);
    expect(refused).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect((await read(id)).status).toBe(200);
    expect(await ok(app.api("GET", `/checkouts/${paying}`))).toMatchObject({ status: "processing" });
  });

  it("waits for a change that is being paid", async () => {
    const { id } = await create();
    await ok(pay((await checkout(id)).id, CARDS.pays));
    await ok(app.manage("POST", `/sandbox/customers/${id}/card`, { card: CARDS.answerLost }));
    const [{ id: subscriptionId }] = (await app.manage("GET", `/subscriptions?customerId=${id}`)).body.data;
    await ok(
      app.manage("POST", "/products", {
        key: "top",
        name: "Top",
        interval: "month",
        prices: [{ currency: "usd", amount: 9000 }],
      }),
    );
    expect((await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "top" })).status).toBe(503);
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    expect((await app.api("GET", `/subscriptions/${subscriptionId}`)).body.status).toBe("active");
  });

  it("does not answer a stored answer that showed them, nor does it all again", async () => {
    const body = { email: fresh(), externalId: "kept-answer", name: "Kept" };
    const send = () => app.api("POST", "/customers", body, { "Idempotency-Key": "kept-customer" });
    const sell = () =>
      app.api("POST", "/checkouts", { productKey: "pro", customerId: id }, { "Idempotency-Key": "kept-checkout" });
    const { id } = await ok(send());
    await ok(sell());
    expect((await remove(id)).status).toBe(204);
    for (const again of [send, sell])
      expect(await again()).toMatchObject({ status: 409, body: { code: "idempotency_key_used" } });
    expect((await app.manage("GET", "/customers?externalId=kept-answer")).body.data).toEqual([]);
  });

  it("leaves Subscriptions that answer like any canceled one", async () => {
    const { id } = await create();
    const { subscriptionId } = await ok(pay((await checkout(id)).id, CARDS.pays));
    expect((await remove(id)).status).toBe(204);
    const canceled = { status: 409, body: { code: "subscription_canceled" } };
    expect(await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "max" })).toMatchObject(canceled);
    expect(await app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {})).toMatchObject(canceled);
  });

  it("races with other requests for the Customer: each happens whole before it, or not at all", async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id, email } = await create();
      const { id: open } = await checkout(id);
      const body = { productKey: "book", customer: { email } };
      const [removed, paid, sold, changed] = await Promise.all([
        remove(id),
        pay(open, CARDS.pays),
        app.api("POST", "/checkouts", body),
        patch(id, { name: "Raced" }),
      ]);
      expect([204, 409]).toContain(removed.status);
      expect([200, 409]).toContain(paid.status);
      expect([200, 404]).toContain(changed.status);
      expect(sold.status).toBe(201);
      if (removed.status === 409) expect((await remove(id)).status).toBe(204);
      for (const path of [`/subscriptions?customerId=${id}`, `/checkouts?customerId=${id}`]) {
        const { data } = (await app.manage("GET", path)).body;
        expect(data.filter((each: Json) => !["canceled", "completed", "expired"].includes(each.status))).toEqual([]);
      }
      const found = await ok(app.api("GET", `/checkouts/${sold.body.id}`));
      if (found.customerId !== id) expect((await read(found.customerId)).body.email).toBe(email);
    }
  });
});

describe("a Customer's cards", () => {
  const cards = async (id: string, query = "") => ok(app.manage("GET", `/customers/${id}/payment-methods${query}`));
  const giveCard = (id: string, card: string) => ok(app.manage("POST", `/sandbox/customers/${id}/card`, { card }));

  it("are those that may be charged, newest first, and tell which is the default", async () => {
    const { id } = await create();
    expect(await cards(id)).toEqual({ data: [], nextCursor: null });
    const { id: open } = await checkout(id);
    await ok(pay(open, CARDS.declined));
    expect((await cards(id)).data).toEqual([]);
    await ok(pay(open, CARDS.pays));
    const given = await giveCard(id, CARDS.failsLater);
    expect(given).toMatchObject({ customerId: id, last4: "0341", isDefault: true });
    const { data } = await cards(id);
    expect(data).toMatchObject([
      { id: given.id, isDefault: true },
      { last4: "4242", brand: "visa", isDefault: false, customerId: id },
    ]);
    const first = await cards(id, "?limit=1");
    expect(first.data).toEqual([data[0]]);
    expect(await cards(id, `?limit=1&cursor=${first.nextCursor}`)).toEqual({ data: [data[1]], nextCursor: null });
  });

  it("are 404 for a Customer that is unknown or another Organization's", async () => {
    const { id } = await create();
    expect((await stranger.manage("GET", `/customers/${id}/payment-methods`)).status).toBe(404);
    expect((await app.manage("GET", `/customers/${newId("cus")}/payment-methods`)).status).toBe(404);
    expect((await app.manage("GET", `/customers/${id}/payment-methods?cursor=x`)).status).toBe(422);
  });
});
