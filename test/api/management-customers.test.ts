import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json, TestApp, TestCall } from "../support/app.ts";
import { closeCustomerApp, customersOf, faults, fresh, startCustomerApp } from "../support/customers.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let count = 0;
const { create, patch, remove, read, recordedOf, checkout, pay } = customersOf(() => app);

beforeAll(async () => {
  app = await startCustomerApp();
  foreign = await foreignCallersOf(app);
});
afterAll(() => closeCustomerApp(app));

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
    expect(await recordedOf(before.id)).toEqual(["customer.created"]);
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
    expect(await recordedOf(id)).toEqual(["customer.created"]);
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
      expect(await patch(id, { externalId })).toMatchObject({
        status: 409,
        body: { code: "external_id_fixed", errors: [{ pointer: "/externalId", code: "fixed" }] },
      });
    }
    expect((await app.manage("GET", "/customers?externalId=for-good")).body.data).toMatchObject([{ id }]);
  });

  it("is 409 where the Customer would be the same as another, and names that one", async () => {
    const [plain, named, third] = [await create(), await create({ externalId: "taken" }), await create()];
    const exists = (customerId: string, pointer: string) => ({
      status: 409,
      body: {
        code: "customer_exists",
        customerId,
        detail: expect.stringContaining(`${pointer}: This is taken: the Customer ${customerId} `),
        errors: [{ in: "body", pointer, code: "taken" }],
      },
    });
    expect(await patch(third.id, { email: plain.email.toUpperCase() })).toMatchObject(exists(plain.id, "/email"));
    expect(await patch(third.id, { externalId: "taken" })).toMatchObject(exists(named.id, "/externalId"));
    // A Customer with an externalId may share an e-mail address.
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
    expect(await recordedOf(id)).toEqual(["customer.created", "customer.updated"]);
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
    expect((await foreign.manage("PATCH", `/customers/${id}`, { name: "Mine" })).status).toBe(404);
    expect((await patch(newId("cus"), { name: "Nobody" })).status).toBe(404);
    expect((await remove(id)).status).toBe(204);
    expect((await patch(id, { name: "Nobody" })).status).toBe(404);
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
    expect((await foreign.manage("GET", `/customers/${id}/payment-methods`)).status).toBe(404);
    expect((await app.manage("GET", `/customers/${newId("cus")}/payment-methods`)).status).toBe(404);
    expect((await app.manage("GET", `/customers/${id}/payment-methods?cursor=x`)).status).toBe(422);
  });
});
