import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { foreignCallersOf, testOperation } from "../support/operations.ts";

const ageStatement = sql(
  "test.age_keys",
  `UPDATE idempotency_keys SET created_at = statement_timestamp() - interval '24 hours 1 second'
   WHERE organization_id = $1`,
);
let app: TestApp;
let count = 0;
/** A new e-mail address. */
const fresh = () => `person-${++count}@example.com`;
const create = (body: object, headers: Record<string, string> = {}) => app.api("POST", "/customers", body, headers);
const events = async (resourceId: string) => (await app.manage("GET", `/events?resourceId=${resourceId}`)).body.data;

beforeAll(async () => {
  app = await startTestApp();
  await app.manage("POST", "/products", {
    key: "pro",
    name: "Pro",
    interval: "month",
    prices: [{ currency: "usd", amount: 1000 }],
  });
});
afterAll(() => app.close());

testOperation(() => app, {
  method: "POST",
  path: () => "/customers",
  body: () => ({ email: fresh() }),
  allow: "POST, OPTIONS",
});

describe("a Customer", () => {
  it("has every field, trimmed and in its normal form", async () => {
    const created = await create({
      email: "  Ada@Example.com ",
      name: " Ada Lovelace ",
      companyName: " Analytical Engines Ltd ",
      externalId: " workspace-1 ",
      billingAddress: { country: "gb", line1: " 12 St James's Square ", city: "London" },
      taxId: { type: "gb_vat", value: " gb 980 7806-84 " },
      locale: "en-gb",
      metadata: { seats: 3, vip: true, note: " first ", ratio: 0.5 },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cus_/),
      email: "Ada@Example.com",
      name: "Ada Lovelace",
      companyName: "Analytical Engines Ltd",
      externalId: "workspace-1",
      billingAddress: {
        country: "GB",
        line1: "12 St James's Square",
        line2: null,
        postalCode: null,
        city: "London",
        state: null,
      },
      taxId: { type: "gb_vat", value: "GB980780684", verification: "format" },
      locale: "en-GB",
      metadata: { seats: 3, vip: true, note: "first", ratio: 0.5 },
      createdAt: created.body.updatedAt,
      updatedAt: expect.any(String),
    });
    expect((await app.manage("GET", `/customers/${created.body.id}`)).body).toEqual(created.body);
    expect(await events(created.body.id)).toMatchObject([
      { type: "customer.created", sequence: 1, data: created.body },
    ]);
  });

  test.each([
    ["eu_vat", "gr 094.259.216", "EL094259216", "format"],
    ["eu_vat", "XI980780684", "XI980780684", "format"],
    ["eu_vat", "DE811569869", "DE811569869", "format"],
    ["ch_tax_id", "CHE-107.787.577 MWST", "CHE107787577MWST", "format"],
    ["us_tax_id", "12-3456789", "12-3456789", "unsupported"],
    ["x", "anything", "anything", "unsupported"],
  ])("takes the %s %s, also of another country than the address", async (type, value, stored, verification) => {
    const { status, body } = await create({
      email: fresh(),
      billingAddress: { country: "GB" },
      taxId: { type, value },
    });
    expect([status, body.taxId]).toEqual([201, { type, value: stored, verification }]);
    const again = await create({ email: fresh(), billingAddress: { country: "GB" }, taxId: body.taxId });
    expect([again.status, again.body.taxId]).toEqual([201, body.taxId]);
  });

  it("needs only an e-mail address; absent fields are null", async () => {
    const { body } = await create({ email: fresh() });
    expect(body).toMatchObject({ name: null, externalId: null, billingAddress: null, taxId: null, metadata: {} });
    const nulls = await create({ email: fresh(), name: null, externalId: null, billingAddress: null, taxId: null });
    expect(nulls.status).toBe(201);
  });

  it.each([
    ["DE", "de"],
    ["en-gb", "en-GB"],
    [" zh-hant-tw ", "zh-Hant-TW"],
  ])("stores the locale %s as %s", async (locale, stored) => {
    const { status, body } = await create({ email: fresh(), locale });
    expect([status, body.locale]).toEqual([201, stored]);
  });

  it.each(["german", "de_DE", "de-DE-u-nu-arab", "", "*"])("refuses the locale %j", async (locale) => {
    const { status, body } = await create({ email: fresh(), locale });
    expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([422, "/locale", "invalid_locale"]);
  });

  test.each<[what: string, fields: object]>([
    ["an address of 320 characters", { email: `${"a".repeat(64)}@${"b".repeat(251)}.com` }],
    ["a name of 256 characters", { name: "x".repeat(256) }],
    ["an externalId of 255 characters", { externalId: "x".repeat(255) }],
    ["letters of any script", { email: "αβγ@παράδειγμα.gr", name: "Владимир 李 🦊" }],
    ["50 keys of metadata", { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])) }],
    ["a key of 40 and a value of 500 characters", { metadata: { ["k".repeat(40)]: "v".repeat(500) } }],
    ["metadata that would be a method elsewhere", { metadata: { constructor: "x", toString: "y", hasOwnProperty: 1 } }],
    [
      "numbers up to 2^53 - 1",
      { metadata: { most: 9007199254740991, least: -9007199254740991, tiny: 5e-324, zero: 0 } },
    ],
  ])("may have %s", async (_, fields) => {
    const { status, body } = await create({ email: fresh(), ...fields });
    expect([status, body]).toMatchObject([201, fields]);
    expect((await app.manage("GET", `/customers/${body.id}`)).body).toEqual(body);
  });

  test.each<[fields: Json, ...faults: string[]]>([
    [{ email: undefined }, "/email required"],
    [{ email: null }, "/email invalid_type"],
    [{ email: "" }, "/email invalid_email"],
    [{ email: "ada" }, "/email invalid_email"],
    [{ email: "ada@localhost" }, "/email invalid_email"],
    [{ email: "a b@example.com" }, "/email invalid_email"],
    [{ email: "a@example.com, b@example.com" }, "/email invalid_email"],
    [{ email: ["a@example.com"] }, "/email invalid_type"],
    [{ name: "" }, "/name too_short"],
    [{ name: "   " }, "/name too_short"],
    [{ name: "x".repeat(257) }, "/name too_long"],
    [{ name: "a\nb" }, "/name invalid_format"],
    [{ name: "a\u0000b" }, "/name invalid_text"],
    [{ externalId: "x".repeat(256) }, "/externalId too_long"],
    [{ externalId: 7 }, "/externalId invalid_type"],
    [{ billingAddress: {} }, "/billingAddress/country required"],
    [{ billingAddress: { country: "UK" } }, "/billingAddress/country invalid_country"],
    [{ billingAddress: { country: "GB", zip: "1" } }, "/billingAddress/zip unknown_field"],
    [{ billingAddress: [] }, "/billingAddress invalid_type"],
    [{ taxId: { type: "eu_vat", value: "DE811569869" } }, "/taxId billing_country_missing"],
    [{ billingAddress: { country: "DE" }, taxId: { type: "eu_vat" } }, "/taxId/value required"],
    [
      { billingAddress: { country: "DE" }, taxId: { type: "eu_vat", value: "DE123456789" } },
      "/taxId/value invalid_tax_id",
    ],
    [
      { billingAddress: { country: "DE" }, taxId: { type: "eu_vat", value: "anything" } },
      "/taxId/value invalid_tax_id",
    ],
    [{ billingAddress: { country: "GB" }, taxId: { type: "gb_vat", value: "GB1" } }, "/taxId/value invalid_tax_id"],
    [{ metadata: null }, "/metadata invalid_type"],
    [{ metadata: { a: null } }, "/metadata/a invalid_type"],
    [{ metadata: { a: {} } }, "/metadata/a invalid_type"],
    [{ metadata: { a: "v".repeat(501) } }, "/metadata/a too_long"],
    [{ metadata: { "": 1 } }, "/metadata/ invalid_key"],
    [{ metadata: { ["k".repeat(41)]: 1 } }, `/metadata/${"k".repeat(41)} invalid_key`],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) }, "/metadata too_many_keys"],
    [{ email: "ada", name: 1, colour: "red" }, "/email invalid_email", "/name invalid_type", "/colour unknown_field"],
  ])("can't have %j", async (fields, ...faults) => {
    const { status, body } = await create({ email: fresh(), ...fields });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    const listed = body.errors.map((fault: Json) => `${fault.pointer} ${fault.code}`);
    expect(listed.sort()).toEqual(faults.sort());
  });
});

describe("an existing Customer", () => {
  it("is the one with the externalId or, without one, with the e-mail among those that have none", async () => {
    const plain = (await create({ email: "same@example.com" })).body;
    const named = (await create({ email: "same@example.com", externalId: "named" })).body;
    const exists = (customerId: string, pointer: string) => ({
      status: 409,
      body: {
        code: "customer_exists",
        customerId,
        detail: expect.stringContaining(`${pointer}: This is taken: the Customer ${customerId} `),
        errors: [{ in: "body", pointer, code: "taken" }],
      },
    });
    expect(await create({ email: " SAME@example.COM " })).toMatchObject(exists(plain.id, "/email"));
    expect(await create({ email: fresh(), externalId: "named" })).toMatchObject(exists(named.id, "/externalId"));
    expect(await create({ email: "same@example.com", externalId: "named" })).toMatchObject(
      exists(named.id, "/externalId"),
    );
    expect((await create({ email: "same@example.com", externalId: "other" })).status).toBe(201);
    expect((await create({ email: "same@example.com", externalId: "Named" })).status).toBe(201);
    for (const { id } of [plain, named]) expect(await events(id)).toHaveLength(1);
  });

  it("may be without an externalId where another has the e-mail with one", async () => {
    const email = fresh();
    expect((await create({ email, externalId: "first-named" })).status).toBe(201);
    expect((await create({ email })).status).toBe(201);
    expect((await create({ email })).status).toBe(409);
  });

  it("compares e-mail addresses in one form of Unicode", async () => {
    expect((await create({ email: "zoe\u0308@example.com" })).status).toBe(201);
    expect((await create({ email: "ZO\u00cb@example.com" })).status).toBe(409);
  });

  it("exists for its own Organization alone", async () => {
    const foreign = await foreignCallersOf(app);
    const body = { email: fresh(), externalId: "shared" };
    const [own, other] = [await create(body), await foreign.api("POST", "/customers", body)];
    expect([own.status, other.status]).toEqual([201, 201]);
    expect(other.body.id).not.toBe(own.body.id);
    expect((await foreign.manage("GET", `/customers/${own.body.id}`)).status).toBe(404);
  });

  it("is one, however many ask at once", async () => {
    const body = { email: fresh() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const exists = { status: 409, body: { code: "customer_exists", customerId: made[0]!.body.id } };
    for (const answer of answers) if (answer !== made[0]) expect(answer).toMatchObject(exists);
  });
});

/** The rules of docs/api.md for resolving a Customer, a line a case. */
describe("the Customer that an e-mail address and maybe an externalId stand for", () => {
  type Named = { email: string; externalId?: string };
  const one = "one@example.com";
  const two = "two@example.com";
  test.each<[what: string, existing: Named[], wanted: Named, who: number | "new", externalId: string | null]>([
    ["there is no Customer", [], { email: one }, "new", null],
    ["there is no Customer, named", [], { email: one, externalId: "a" }, "new", "a"],
    [
      "by externalId, with any e-mail",
      [{ email: two, externalId: "a" }, { email: one }],
      { email: one, externalId: "a" },
      0,
      "a",
    ],
    [
      "by e-mail among those without an externalId, which is then set",
      [{ email: one }],
      { email: one, externalId: "a" },
      0,
      "a",
    ],
    [
      "by e-mail, but no Customer with another externalId",
      [{ email: one, externalId: "b" }],
      { email: one, externalId: "a" },
      "new",
      "a",
    ],
    ["by e-mail, without a name", [{ email: one, externalId: "b" }, { email: one }], { email: one }, 1, null],
    [
      "by e-mail among all, oldest first",
      [
        { email: one, externalId: "b" },
        { email: one, externalId: "a" },
      ],
      { email: one },
      0,
      "b",
    ],
    ["without case", [{ email: one }], { email: "ONE@Example.com" }, 0, null],
    ["another e-mail", [{ email: one }], { email: two }, "new", null],
  ])("%s", async (_, existing, wanted, who, externalId) => {
    const { api, manage } = await foreignCallersOf(app);
    await manage("POST", "/products", {
      key: "pro",
      name: "Pro",
      interval: "month",
      prices: [{ currency: "usd", amount: 1000 }],
    });
    const people: Json[] = [];
    for (const named of existing) people.push((await api("POST", "/customers", named)).body);
    const customer = { ...wanted, name: "Somebody", metadata: { a: 1 }, billingAddress: { country: "FR" } };
    const checkout = await api("POST", "/checkouts", { productKey: "pro", customer });
    expect([checkout.status, checkout.body.externalCustomerId]).toEqual([201, externalId]);
    const { body: resolved } = await manage("GET", `/customers/${checkout.body.customerId}`);
    if (who === "new")
      expect(resolved).toMatchObject({ email: wanted.email, name: "Somebody", metadata: { a: 1 }, externalId });
    else expect(resolved).toEqual({ ...people[who], externalId, updatedAt: resolved.updatedAt });
    expect((await manage("GET", "/customers")).body.data).toHaveLength(existing.length + (who === "new" ? 1 : 0));
    const isNamed = who !== "new" && people[who].externalId !== externalId;
    const listed = (await manage("GET", `/events?resourceId=${resolved.id}`)).body.data.map(
      (event: Json) => event.type,
    );
    expect(listed).toEqual(["customer.created", ...(isNamed ? ["customer.updated"] : [])]);
  });
});

describe("an Idempotency-Key", () => {
  const replayed = (answer: { headers: Headers }) => answer.headers.get("Idempotency-Replayed");

  it("replays its answer byte for byte, under another Request-Id, and makes nothing more", async () => {
    const body = { email: fresh(), metadata: { b: 1, a: 2 } };
    const [first, again] = [
      await create(body, { "Idempotency-Key": "one" }),
      await create(body, { "Idempotency-Key": '"one"' }),
    ];
    expect([again.status, JSON.stringify(again.body)]).toEqual([201, JSON.stringify(first.body)]);
    expect([replayed(first), replayed(again)]).toEqual([null, "true"]);
    for (const name of ["ETag", "Content-Type", "Content-Length"])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.get("Request-Id")).not.toBe(first.headers.get("Request-Id"));
    expect(await events(first.body.id)).toHaveLength(1);
  });

  it("stands for the bytes of one body", async () => {
    const email = fresh();
    await create({ email, name: "A" }, { "Idempotency-Key": "two" });
    for (const other of [
      `{"email":"${email}","name":"B"}`,
      `{"name":"A","email":"${email}"}`,
      `{"email": "${email}","name":"A"}`,
    ]) {
      const answer = await app.api("POST", "/customers", other, { "Idempotency-Key": "two" });
      expect(answer).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
      expect(answer.body.errors).toBeUndefined();
    }
  });

  it("is free again after any answer that changed nothing", async () => {
    const taken = fresh();
    await create({ email: taken });
    const headers = { "Idempotency-Key": "three" };
    expect((await create({ email: taken }, headers)).status).toBe(409);
    expect((await create({ email: "nonsense" }, headers)).status).toBe(422);
    expect((await app.api("POST", "/customers", "{", headers)).status).toBe(400);
    const made = await create({ email: fresh() }, headers);
    expect([made.status, replayed(made)]).toEqual([201, null]);
  });

  it("belongs to one path and one Organization", async () => {
    const headers = { "Idempotency-Key": "four" };
    const body = { email: fresh() };
    const foreign = await foreignCallersOf(app);
    expect((await create(body, headers)).status).toBe(201);
    expect(replayed(await foreign.api("POST", "/customers", body, headers))).toBeNull();
    expect((await app.api("POST", "/checkouts", { productKey: "pro" }, headers)).status).toBe(201);
  });

  it("is forgotten after a day", async () => {
    const body = { email: fresh(), externalId: "day" };
    await create(body, { "Idempotency-Key": "day" });
    await app.ctx.db.tx((tx) => tx.query(ageStatement, [app.organization.id]));
    expect(await create(body, { "Idempotency-Key": "day" })).toMatchObject({
      status: 409,
      body: { code: "customer_exists" },
    });
  });

  it("that is sent many times at once makes one Customer, and all get its answer", async () => {
    const body = { email: fresh() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, { "Idempotency-Key": "five" })));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
  });
});
