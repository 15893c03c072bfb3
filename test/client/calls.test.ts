import type { BenefitGrant } from "@billow/client";
import { Billow, ConnectionError } from "@billow/client";
import { expect, onTestFinished, test } from "vitest";
import { json, ok, rejection, startServer } from "./server.ts";
import type { Reply } from "./server.ts";

const baseUrl = "https://billing.test/public/v2";

function grant(properties: object): Partial<BenefitGrant> {
  return { id: "bgr_1", properties: properties as BenefitGrant["properties"] };
}

/** Pages that name the next one by its number. */
function pages(...data: unknown[][]): Reply {
  return (response, request) => {
    const page = Number(new URL(request.url, "http://any").searchParams.get("cursor") ?? 0);
    json(200, { data: data[page], nextCursor: page + 1 < data.length ? String(page + 1) : null })(response, request);
  };
}

test("each operation sends its method, path, body and headers", async () => {
  await using server = await startServer(ok);
  const billow = server.client();
  await billow.customers.create({ email: "ada@example.com", metadata: { seats: 3 } });
  await billow.checkouts.create({ productKey: "team", customer: { email: "ada@example.com" } });
  await billow.checkouts.get("chk_1");
  await billow.subscriptions.get("sub_1/../x?y");
  await billow.subscriptions.update("sub_1", { cancelAtPeriodEnd: true });
  await billow.benefitGrants.list({ externalCustomerId: "a&b" }, {});
  expect(server.requests.map(({ method, url, body }) => [method, url, body && JSON.parse(body)])).toEqual([
    ["POST", "/public/v2/customers", { email: "ada@example.com", metadata: { seats: 3 } }],
    ["POST", "/public/v2/checkouts", { productKey: "team", customer: { email: "ada@example.com" } }],
    ["GET", "/public/v2/checkouts/chk_1", ""],
    ["GET", "/public/v2/subscriptions/sub_1%2F..%2Fx%3Fy", ""],
    ["PATCH", "/public/v2/subscriptions/sub_1", { cancelAtPeriodEnd: true }],
    ["GET", "/public/v2/benefit-grants?externalCustomerId=a%26b", ""],
  ]);
  for (const { method, headers } of server.requests) {
    expect(headers).toMatchObject({ accept: "application/json", authorization: "Bearer blw_test_1" });
    expect(headers["content-type"]).toBe(method === "GET" ? undefined : "application/json");
  }
});

test("a write has its own Idempotency-Key or the caller's, a read has none", async () => {
  await using server = await startServer(ok);
  const billow = server.client();
  await billow.customers.create({ email: "ada@example.com" });
  await billow.customers.create({ email: "ada@example.com" });
  await billow.checkouts.create({ productKey: "team" }, { idempotencyKey: "order 7" });
  await billow.checkouts.get("chk_1");
  const [first, second, ...others] = server.idempotencyKeys();
  expect(first).toMatch(/^[\x21-\x7e]{20,255}$/);
  expect(second).not.toBe(first);
  expect(others).toEqual(["order 7", undefined]);
});

test.each(["", "注文7", "7\n", "7".repeat(256)])(
  "the Idempotency-Key %j is refused before anything is sent",
  async (idempotencyKey) => {
    await using server = await startServer(ok);
    await expect(server.client().checkouts.create({ productKey: "team" }, { idempotencyKey })).rejects.toThrow(
      /must be/,
    );
    expect(server.requests).toHaveLength(0);
  },
);

test("fields and values of a newer server arrive as they are", async () => {
  const newer = { id: "sub_1", status: "paused", pausedBy: { name: "ada" } };
  await using server = await startServer(json(200, newer));
  expect(await server.client().subscriptions.get("sub_1")).toEqual(newer);
});

test("the list is one page when awaited, every grant of all pages when iterated", async () => {
  await using server = await startServer(pages([{ id: "1" }, { id: "2" }], [], [{ id: "3" }]));
  const list = server.client().benefitGrants.list({ customerId: "cus_1", limit: 2 });
  expect(await list).toEqual({ data: [{ id: "1" }, { id: "2" }], nextCursor: "1" });
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/public/v2/benefit-grants?customerId=cus_1&limit=2",
    "/public/v2/benefit-grants?customerId=cus_1&limit=2&cursor=1",
    "/public/v2/benefit-grants?customerId=cus_1&limit=2&cursor=2",
  ]);
});

test.each([
  ["booleans OR", [false, true, false], true],
  ["no true", [false, false], false],
  ["the largest number", [5, 50, -1], 50],
  ["the newest text", ["gold", "silver"], "gold"],
  ["the newest kind", [10, true, 20, "many"], 20],
])("features: %s", async (_rule, values, expected) => {
  const [newest, ...older] = values.map((value) => grant({ feature: "f", value }));
  await using server = await startServer(
    pages([newest, grant({ feature: "other", value: 1 }), grant({ note: "no feature" })], older),
  );
  expect(await server.client().features({ externalCustomerId: "workspace_1" })).toEqual({ f: expected, other: 1 });
  expect(server.requests[0]?.url).toBe("/public/v2/benefit-grants?externalCustomerId=workspace_1&type=feature");
});

test.each([
  ["https://billing.test", /must end in/],
  ["https://billing.test/public/v2/", /must end in/],
  ["https://billing.test/public/v1", /must end in/],
  ["https://billing.test/notpublic/v2", /must end in/],
  ["https://billing.test/?at=/public/v2", /must end in/],
  ["ftp://billing.test/public/v2", /must end in/],
  ["billing.test/public/v2", /URL/],
])("refuses the baseUrl %s", (wrong, message) => {
  expect(() => new Billow({ apiKey: "blw_test_1", baseUrl: wrong })).toThrow(message);
});

test("takes a baseUrl under a prefix", () => {
  expect(() => new Billow({ apiKey: "blw_test_1", baseUrl: "https://main.test/billing/public/v2" })).not.toThrow();
});

test.each([
  [{ apiKey: "blw_test_1\n" }],
  [{ maxAttempts: 0 }],
  [{ maxAttempts: NaN }],
  [{ timeoutMs: 0 }],
  [{ timeoutMs: Infinity }],
])("refuses the option %j", (wrong) => {
  expect(() => new Billow({ apiKey: "blw_test_1", baseUrl, ...wrong })).toThrow(/must be|is missing|has the character/);
});

const missing = undefined as unknown as string;

test.each([
  [{ apiKey: missing }, /^apiKey is missing\. .*: node bin\/billow\.mjs keys create --scope public$/],
  [{ apiKey: "" }, /^apiKey is missing\./],
  [{ baseUrl: missing }, /^baseUrl is missing\. .* https:\/\/billing\.example\.com\/public\/v2$/],
  [
    { baseUrl: `${missing}/public/v2` },
    /^baseUrl must be a URL, .* not "undefined\/public\/v2"\. Is a variable such as BILLOW_URL not set/,
  ],
  [
    { baseUrl: "/public/v2" },
    /^baseUrl must be a URL, .* not "\/public\/v2"\. Is a variable such as BILLOW_URL not set/,
  ],
])("a client without settings can be made, and each call refuses the missing one: %j", async (options, message) => {
  const billow = new Billow({ apiKey: "blw_test_1", baseUrl, ...options });
  const calls = [() => billow.features({ customerId: "cus_1" }), () => billow.checkouts.create({ productKey: "pro" })];
  const ofManage = [() => billow.manage.products.list(), () => billow.manage.invoices.getPdf("inv_1")];
  const named =
    "apiKey" in options ? /^manageKey is missing\. .*: node bin\/billow\.mjs keys create --scope manage$/ : message;
  for (const call of [...calls, ...ofManage]) {
    const error = await rejection(call());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(calls.includes(call as (typeof calls)[0]) ? message : named);
  }
});

test("a server's address that ends in a slash has the same APIs", async () => {
  await using server = await startServer(ok);
  const billow = server.client({ baseUrl: `${server.origin}//public/v2` });
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
  expect(await billow.manage.organization.get()).toEqual({ id: "found" });
  expect(server.requests.map(({ url }) => url)).toEqual(["/public/v2/checkouts/chk_1", "/manage/v1/organization"]);
});

test("a missing manageKey or manageUrl stops only the calls of manage", async () => {
  await using server = await startServer(ok);
  const billow = server.client({ manageKey: "", manageUrl: "/manage/v1" });
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
  await expect(billow.manage.organization.get()).rejects.toThrow(/^manageUrl must be a URL, such as/);
  const other = server.client({ manageKey: "" });
  await expect(other.manage.organization.get()).rejects.toThrow(
    /^manageKey is missing\. .*: node bin\/billow\.mjs keys create --scope manage$/,
  );
});

test("a Customer's id that is not in an object is refused with the object to pass", async () => {
  await using server = await startServer(ok);
  const billow = server.client();
  const message = 'A Customer is an object: pass { externalCustomerId: "ann" }';
  const ann = "ann" as unknown as { externalCustomerId: string };
  await expect(billow.features(ann)).rejects.toThrow(new TypeError(message));
  expect(() => billow.benefitGrants.list(ann)).toThrow(new TypeError(message));
  expect(server.requests).toHaveLength(0);
});

test("refuses to run in a page, where the key would be no secret", () => {
  Object.assign(globalThis, { document: {} });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, "document");
  });
  expect(() => new Billow({ apiKey: "blw_test_1", baseUrl })).toThrow(/secret/);
});

test("an unreachable server is a ConnectionError without a status", async () => {
  const gone = await startServer(ok);
  await gone[Symbol.asyncDispose]();
  const error = await rejection(gone.client({ maxAttempts: 2 }).checkouts.get("chk_1"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ name: "ConnectionError", status: undefined, code: undefined });
  const address = gone.origin.replace("http://", "");
  expect((error as Error).message).toBe(
    `GET ${gone.origin}/public/v2/checkouts/chk_1: connect ECONNREFUSED ${address}. ` +
      `Is Billow running at ${gone.origin}, the address of baseUrl?`,
  );
});

test.each<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["", "empty"],
  [7, "7"],
  [{ id: "sub_1" }, "an object: pass its id"],
])("an id %j is refused before a request", async (id, given) => {
  await using server = await startServer(ok);
  const { subscriptions, manage } = server.client();
  const update = () => subscriptions.update(id as string, { productKey: "team" });
  expect(update).toThrow(new TypeError(`/subscriptions/{id}: the id of subscriptions is ${given}`));
  const refund = () => manage.invoices.refund(id as string);
  expect(refund).toThrow(new TypeError(`/invoices/{id}/refunds: the id of invoices is ${given}`));
  expect(server.requests).toHaveLength(0);
});
