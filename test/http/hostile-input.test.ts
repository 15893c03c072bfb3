import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../support/app.ts";
import { lines, sendRaw } from "./raw-request.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("bodies that are not JSON", () => {
  test.each([
    ["nothing", ""],
    ["half of it", '{"email":'],
    ["something after it", '{"email":"a@example.com"} x'],
    ["a byte order mark", '\ufeff{"email":"a@example.com"}'],
    ["other bytes", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["single quotes", "{'email':'a@example.com'}"],
    ["NaN", '{"email":NaN}'],
  ])("%s", async (_name, body) => {
    const answer = await fetch(`${app.url}/public/v2/customers`, {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${app.keys.public}`, "Content-Type": "application/json" },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "malformed_json" });
  });
});

describe("bodies that a schema refuses", () => {
  test.each([
    ["[]", "", "invalid_type"],
    ["null", "", "invalid_type"],
    ['"text"', "", "invalid_type"],
    ["{}", "/email", "required"],
    ['{"email":1}', "/email", "invalid_type"],
    ['{"email":"nobody"}', "/email", "invalid_email"],
    ['{"email":"a\\ufffd@example.com"}', "/email", "invalid_email"],
    ['{"email":"a\\u202e@example.com"}', "/email", "invalid_email"],
    ['{"email":"a\\u200bb@example.com"}', "/email", "invalid_email"],
    ['{"email":"a@example.com","name":"a\\u0000b"}', "/name", "invalid_text"],
    ['{"email":"a@example.com","name":"\\ud800"}', "/name", "invalid_text"],
    ['{"email":"a@example.com","name":"a\\u0007b"}', "/name", "invalid_format"],
    ['{"email":"a@example.com","nmae":"Ada"}', "/nmae", "unknown_field"],
    ['{"email":"a@example.com","__proto__":{"admin":true}}', "/__proto__", "invalid_key"],
    ['{"email":"a@example.com","constructor":1}', "/constructor", "unknown_field"],
    ['{"email":"a@example.com","metadata":{"__proto__":"x"}}', "/metadata/__proto__", "invalid_key"],
    ['{"email":"a@example.com","metadata":{"a\\u0000":"x"}}', "/metadata/a\u0000", "invalid_key"],
    ['{"email":"a@example.com","metadata":{"a/b~c":[]}}', "/metadata/a~1b~0c", "invalid_type"],
    ['{"email":"a@example.com","metadata":{"n":1e400}}', "/metadata/n", "number_out_of_range"],
    ['{"email":"a@example.com","metadata":{"n":9007199254740993}}', "/metadata/n", "number_out_of_range"],
    [`{"email":"a@example.com","metadata":${deep(40)}}`, `/metadata${"/a".repeat(31)}`, "too_deep"],
    [
      `{"email":"a@example.com","metadata":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      `/metadata${"/0".repeat(31)}`,
      "too_deep",
    ],
  ])("%.60s", async (body, pointer, code) => {
    const answer = await app.api("POST", "/customers", body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toContainEqual({ in: "body", pointer, code, message: expect.any(String) });
  });

  test("all that is wrong is told at once, of body and query", async () => {
    const { status, body } = await app.api("POST", "/customers?a=1", { email: "x", nmae: "y" });
    expect(status).toBe(422);
    const pointers = body.errors.map(
      (fault: { in: string; pointer: string; code: string }) => `${fault.in} ${fault.pointer} ${fault.code}`,
    );
    expect(pointers.toSorted()).toEqual([
      "body /email invalid_email",
      "body /nmae unknown_field",
      "query a unknown_parameter",
    ]);
  });

  test.each([
    ["a long name and many numbers", `{"${"k".repeat(20_000)}":[${Array(3000).fill("1e400")}]}`, ""],
    ["many long names", `{${Array.from({ length: 60 }, (_, n) => `"${"\\u0001".repeat(150)}${n}":1e400`)}}`, ""],
    ["many unknown fields", `{${Array.from({ length: 6000 }, (_, n) => `"f${n}":1`)}}`, "/f0"],
    [
      "many keys of metadata",
      `{"email":"a@example.com","metadata":{${Array.from({ length: 6000 }, (_, n) => `"f${n}":1`)}}}`,
      null,
    ],
    ["control characters", `{${Array.from({ length: 300 }, (_, n) => `"${"\\u0001".repeat(30)}${n}":1`)}}`, null],
  ])("the answer to %s is short", async (_name, body, pointer) => {
    for (const answer of [
      await app.licenses("POST", "/validate", body),
      await app.api("POST", "/customers", body),
      await app.manage("POST", "/products", body),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors.length).toBeLessThanOrEqual(50);
      expect(JSON.stringify(answer.body).length).toBeLessThan(65_536);
      if (pointer !== null)
        expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).toContain(pointer);
    }
  });

  test("the answer to a query of many unknown parameters is short", async () => {
    const { status, body } = await app.api("GET", `/benefit-grants?${"a&".repeat(3000)}`);
    expect(status).toBe(422);
    expect(body.errors).toHaveLength(50);
  });

  test("the answer to any JSON is no fault of ours", async () => {
    const field = fc.oneof(fc.jsonValue({ noUnicodeString: false }), fc.string({ unit: "binary" }), fc.double());
    const fields = { email: fc.oneof(fc.emailAddress(), field), name: field, externalId: field, metadata: field };
    const customer = fc.record(fields, { requiredKeys: ["email"] });
    const send = async (body: unknown) => {
      const { status } = await app.api("POST", "/customers", JSON.stringify(body));
      expect(status).toBeOneOf([201, 409, 422]);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(customer, fc.jsonValue()), send), { numRuns: 150 });
  });
});

describe("query parameters", () => {
  test.each([
    ["customerId=cus_x&customerId=cus_y", "customerId", "repeated"],
    ["customerId=cus_x&limit=0", "limit", "too_small"],
    ["customerId=cus_x&limit=101", "limit", "too_large"],
    ["customerId=cus_x&limit=1.5", "limit", "invalid_type"],
    ["customerId=cus_x&limit=many", "limit", "invalid_type"],
    ["customerId=cus_x&limit=1e2", "limit", "invalid_type"],
    ["customerId=cus_x&limit=0x10", "limit", "invalid_type"],
    ["customerId=cus_x&limit=%205", "limit", "invalid_type"],
    ["customerId=cus_x&limit=", "limit", "invalid_type"],
    ["customerId=cus_x&limit=-1", "limit", "too_small"],
    ["customerId=cus_x&cursor=zz", "cursor", "invalid_cursor"],
    ["customerId=cus_x&colour=red", "colour", "unknown_parameter"],
    ["customerId=cus_x&__proto__=1", "__proto__", "invalid_key"],
    ["customerId=%00", "customerId", "invalid_text"],
    ["customerId=%ff", "customerId", "invalid_encoding"],
    ["customerId=%zz", "customerId", "invalid_encoding"],
    ["", "customerId", "one_customer"],
  ])("%s", async (query, pointer, code) => {
    const { status, body } = await app.api("GET", `/benefit-grants?${query}`);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual({ in: "query", pointer, code, message: expect.any(String) });
  });
});

describe("media types", () => {
  const body = '{"email":"types@example.com"}';
  test.each([
    ["text/plain", "", 415],
    ["application/json; charset=latin1", "", 415],
    ["application/merge-patch+json", "", 415],
    ["application/json", "gzip", 415],
    ["Application/JSON; Charset=UTF-8", "identity", 201],
    ['application/json;charset="utf-8"', "", 409],
  ])("Content-Type %s, Content-Encoding %s: %i", async (type, encoding, status) => {
    const headers = { "Content-Type": type, ...(encoding && { "Content-Encoding": encoding }) };
    expect((await app.api("POST", "/customers", body, headers)).status).toBe(status);
  });

  test.each([
    ["application/json", 404],
    ["*/*", 404],
    ["text/html, application/*;q=0.1", 404],
    ["text/html, */*", 404],
    ["application/problem+json", 404],
    ["text/html", 406],
    ["application/json;q=0", 406],
    ["application/json;q=0, */*", 406],
    ["", 404],
  ])("Accept %s: %i", async (accept, status) => {
    expect((await app.api("GET", "/subscriptions/sub_1", undefined, { Accept: accept })).status).toBe(status);
  });
});

describe("sizes", () => {
  const request = (body: string, header: string) => {
    const authorization = `Authorization: Bearer ${app.keys.public}`;
    return (
      lines("POST /public/v2/customers HTTP/1.1", "Host: x", authorization, "Content-Type: application/json", header) +
      body
    );
  };
  const ofBytes = (bytes: number) => `{"email":"a@example.com","name":${JSON.stringify("x".repeat(bytes - 35))}}`;

  test("64 KiB are read, a byte more is not", async () => {
    expect((await app.api("POST", "/customers", ofBytes(65_536))).status).toBe(422);
    expect((await app.api("POST", "/customers", ofBytes(65_537))).status).toBe(413);
  });

  test("a body of unknown length is measured as it comes", async () => {
    const chunks = `10000\r\n${"x".repeat(65_536)}\r\n1\r\nx\r\n0\r\n\r\n`;
    const answer = await sendRaw(app.url, request(chunks, "Transfer-Encoding: chunked"));
    expect(answer).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });

  test("a body that is announced as too long is answered before it comes", async () => {
    expect(await sendRaw(app.url, request("", "Content-Length: 70000"))).toMatchObject({ status: 413 });
  });
});

test("a body of an operation that takes none may be empty, but no typing error", async () => {
  const path = `/api-keys/key_${"0".repeat(26)}`;
  const send = (body?: string) => app.manage("DELETE", path, body);
  expect((await send()).status).toBe(404);
  expect((await send("{}")).status).toBe(404);
  expect((await send('{"force":true}')).body.errors).toMatchObject([{ pointer: "/force", code: "unknown_field" }]);
});

test.each(["%00", "%", "..%2f..", "cus_", "💥", "a".repeat(4000)])("a path with %s names nothing", async (part) => {
  expect((await app.api("GET", `/checkouts/${part}`)).status).toBe(404);
});
