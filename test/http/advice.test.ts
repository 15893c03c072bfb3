import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Billow } from "../../client/src/index.ts";
import { EVENT_TYPES } from "../../src/domain/event.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
let productId: string;
beforeAll(async () => {
  app = await startTestApp({ publicBasePaths: ["/public/v2"] });
  const made = ["pro", "pro-yearly", "team"].map((key) => createProduct(key));
  productId = (await Promise.all(made))[0]!.body.id;
});
afterAll(() => app.close());

const prices = [{ currency: "usd", amount: 1000 }];
const createProduct = (key: string, manage = app.manage) =>
  manage("POST", "/products", { key, name: key, interval: "month", prices });

/** The code and the detail of a refusal. */
const adviceOf = ({ body }: { body: Json }) => [body.code, body.detail];

describe("a key without the scope", () => {
  test.each<["public" | "manage", base: string, path: string, needed: string]>([
    ["public", "/manage/v1", "/products", "manage"],
    ["manage", "/public/v2", "/checkouts/chk_1", "public"],
  ])("of the scope %s at %s%s learns the scope that is needed", async (scope, base, path, needed) => {
    const answer = await caller(app.url + base, app.keys[scope])("GET", path);
    const detail = `This operation needs an API key with the scope \`${needed}\`. This key has the scope \`${scope}\`.`;
    expect([answer.status, ...adviceOf(answer)]).toEqual([403, "insufficient_scope", detail]);
    expect(answer.headers.get("WWW-Authenticate")).toContain(`scope="${needed}"`);
  });
});

describe("did you mean", () => {
  test.each<["api" | "manage", method: string, path: string, body: object, detail: string]>([
    [
      "api",
      "POST",
      "/checkouts",
      { productKey: "pro", succesUrl: "https://example.com/" },
      "/succesUrl: This is not a field of this request. Did you mean `successUrl`?",
    ],
    [
      "api",
      "POST",
      "/checkouts",
      { productKey: "pro", email: "ada@example.com" },
      "/email: This is not a field of this request. Did you mean `customer.email`?",
    ],
    [
      "api",
      "POST",
      "/checkouts",
      { productKey: "pro", customer: { email: "ada@example.com", externalID: "1" } },
      "/customer/externalID: This is not a field of this request. Did you mean `externalId`?",
    ],
    [
      "api",
      "POST",
      "/checkouts",
      { productKey: "pro", currency: "euro" },
      "/currency: This is not an active ISO 4217 currency for payments, such as usd. Did you mean `eur`?",
    ],
    [
      "manage",
      "POST",
      "/products",
      { name: "Pro", interval: "monthly", prices },
      '/interval: This must be "day", "week", "month" or "year". Did you mean `month`?',
    ],
    [
      "manage",
      "POST",
      "/products",
      { name: "Pro", prices: [{ currency: "usd", amount: 1000, colour: "red" }] },
      "/prices/0/colour: This is not a field of this request.",
    ],
    [
      "manage",
      "POST",
      "/benefits",
      { type: "feature", name: "Seats", feature: "seats" },
      "/feature: This is not a field of this request. Did you mean `properties.feature`?",
    ],
    [
      "manage",
      "POST",
      "/benefits",
      { type: "license_key", name: "Key", properties: { limit: 3 } },
      "/properties/limit: This is not a field of this request. Did you mean `activationLimit`?",
    ],
    [
      "manage",
      "POST",
      "/webhook-endpoints",
      { url: "https://example.com/", events: ["invoice.payed"] },
      `/events/0: This is not one of the ${EVENT_TYPES.length + 1} possible values. Did you mean \`invoice.paid\`?`,
    ],
  ])("%s %s %s %j", async (surface, method, path, body, detail) => {
    expect(adviceOf(await app[surface](method, path, body))).toEqual(["validation_failed", detail]);
  });

  test.each([
    ["/events?typ=invoice.paid", "typ: This is not a parameter of this request. Did you mean `type`?"],
    [
      "/events?type=invoice.pay",
      `type: This is not one of the ${EVENT_TYPES.length} possible values. Did you mean \`invoice.paid\`?`,
    ],
    ["/events?colour=red", "colour: This is not a parameter of this request."],
    ["/organization?limit=1", "limit: This is not a parameter of this request."],
  ])("GET %s", async (path, detail) => {
    expect(adviceOf(await app.manage("GET", path))).toEqual(["validation_failed", detail]);
  });

  test("an unknown field that is too long to be a typing error costs nothing and is not repeated", async () => {
    const answer = await app.api("POST", "/checkouts", { productKey: "pro", ["productKey".repeat(1_000)]: 1 });
    expect(adviceOf(answer)).toEqual(["validation_failed", "The body: This has an unknown field with a long name."]);
  });
});

test("many faults are told by the first three and the number of the others", async () => {
  const body = { a: 1, b: 1, c: 1, d: 1, e: 1, email: "x" };
  const { body: problem } = await app.api("POST", "/customers", body);
  expect(problem.detail).toBe(
    "/email: This is not an e-mail address. /a: This is not a field of this request. " +
      "/b: This is not a field of this request. " +
      "There are 3 more faults in `errors`.",
  );
  expect(problem.errors).toHaveLength(6);
  expect(problem.errors[0]).toEqual({
    in: "body",
    pointer: "/email",
    code: "invalid_email",
    message: "This is not an e-mail address.",
  });
});

test("the error of the client has the field in its message", async () => {
  const client = new Billow({ apiKey: app.keys.public, baseUrl: `${app.url}/public/v2` });
  await expect(client.customers.create({ email: "ada" })).rejects.toThrow("/email: This is not an e-mail address.");
});

test("advice is looked for in the first 50 faults alone", async () => {
  const fields = Array.from({ length: 5_000 }, (_, n) => [`nmae${n}`, 1]);
  const { body } = await app.api("POST", "/customers", { email: "ada@example.com", ...Object.fromEntries(fields) });
  expect(body.errors).toHaveLength(50);
  expect(body.detail).toMatch(/There are 47 more faults in `errors`\.$/);
});

describe("an unknown Product key", () => {
  const NO_PRODUCT = "The Organization of the API key, Test, has no Product with this key.";
  const checkout = async (body: object, call = app.api) => adviceOf(await call("POST", "/checkouts", body));
  const unknown = (near: string) => ["validation_failed", `/productKey: ${NO_PRODUCT}${near}`];

  test("leads to the similar keys", async () => {
    expect(await checkout({ productKey: "por" })).toEqual(unknown(" Did you mean `pro`?"));
    expect(await checkout({ productKey: "por", customer: { email: "ada@example.com" } })).toEqual(
      unknown(" Did you mean `pro`?"),
    );
    expect(await checkout({ productKey: "pro_yearly" })).toEqual(unknown(" Did you mean `pro-yearly`?"));
    expect(await checkout({ productKey: "enterprise" })).toEqual(unknown(""));
    expect(await checkout({ productId: "pro" })).toEqual(["validation_failed", "/productId: No such Product exists."]);
  });

  test("leads there in every operation, and a preview", async () => {
    const customerId = (await app.api("POST", "/customers", { email: "grace@example.com" })).body.id;
    const near = unknown(" Did you mean `team`?");
    expect(adviceOf(await app.manage("POST", "/subscriptions", { customerId, productKey: "teem" }))).toEqual(near);
    const created = await app.manage("POST", "/subscriptions", { customerId, productId, amount: 0 });
    const path = `/subscriptions/${created.body.id}`;
    expect(adviceOf(await app.api("PATCH", path, { productKey: "teem" }))).toEqual(near);
    expect(adviceOf(await app.manage("POST", `${path}/preview`, { productKey: "teem" }))).toEqual(near);
  });

  test("never leads to a key of another Organization, or to an archived Product", async () => {
    const { keys } = await app.otherOrganization();
    const other = {
      api: caller(`${app.url}/public/v2`, keys.public),
      manage: caller(`${app.url}/manage/v1`, keys.manage),
    };
    const archived = (await createProduct("por-old", other.manage)).body.id;
    await other.manage("PATCH", `/products/${archived}`, { archived: true });
    expect(await checkout({ productKey: "por" }, other.api)).toEqual(unknown(""));
    expect((await createProduct("prior", other.manage)).status).toBe(201);
    expect(await checkout({ productKey: "prio" }, other.api)).toEqual(unknown(" Did you mean `prior`?"));
    expect(await checkout({ productKey: "prio" })).toEqual(unknown(" Did you mean `pro`?"));
  });
});

describe("404", () => {
  const SUB = `sub_${"0".repeat(26)}`;

  test.each([
    ["GET", "/v1/products", " Did you mean `/manage/v1/products`?"],
    ["GET", "/public/v2/products", " Did you mean `/manage/v1/products`?"],
    ["POST", "/public/v2/checkout", " Did you mean `/public/v2/checkouts`?"],
    ["POST", "/public/v1/customers", " Did you mean `/public/v2/customers`?"],
    ["GET", "/public/v1/checkouts", " Did you mean `/public/v2/checkouts`?"],
    ["GET", "/manage/v2/checkouts", " Did you mean `/manage/v1/checkouts`?"],
    ["PATCH", `/public/v2/subscription/${SUB}`, ` Did you mean \`/public/v2/subscriptions/${SUB}\`?`],
    ["POST", "/manage/v1/sandbox/clock/advanc", " Did you mean `/manage/v1/sandbox/clock/advance`?"],
    ["GET", "/manage/v1/colours", " /docs lists the paths."],
    ["GET", "/nothing", " /docs lists the paths."],
    ["GET", `/${"products/".repeat(500)}`, " /docs lists the paths."],
  ])("%s %s", async (method, path, near) => {
    const answer = await fetch(app.url + path, { method, headers: { Authorization: `Bearer ${app.keys.public}` } });
    const { code, detail } = (await answer.json()) as Json;
    expect([answer.status, code, detail]).toEqual([404, "not_found", `There is no such path.${near}`]);
  });

  test("an unknown id is no unknown path", async () => {
    expect(adviceOf(await app.api("GET", `/subscriptions/${SUB}`))).toEqual([
      "not_found",
      "The subscriptionId in the path is unknown in the Organization of the API key.",
    ]);
    expect(adviceOf(await app.api("GET", "/subscriptions/42"))).toEqual([
      "not_found",
      "The subscriptionId in the path must be an id that begins with `sub_`.",
    ]);
  });

  test("an unknown id may be one of two", async () => {
    const path = `/benefit-grants/bgr_${"0".repeat(26)}/activations/act_${"0".repeat(26)}`;
    const detail = "The benefitGrantId or the activationId in the path is unknown in the Organization of the API key.";
    expect(adviceOf(await app.manage("DELETE", path))).toEqual(["not_found", detail]);
  });

  test("a sandbox's path does not exist for a live Organization", async () => {
    const { keys } = await app.otherOrganization({ mode: "live" });
    expect(adviceOf(await caller(`${app.url}/manage/v1`, keys.manage)("GET", "/sandbox/clock"))).toEqual([
      "not_found",
      "Only a sandbox has this path. The Organization of the API key is live.",
    ]);
  });
});
