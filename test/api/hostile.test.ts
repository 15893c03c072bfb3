import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/http/json-schema.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../src/http/openapi-document.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let document: OpenApiDocument;
/** Existing ids, with which a request gets past the first look-up. */
const known: Record<string, string> = {};

beforeAll(async () => {
  app = await startTestApp();
  document = (await app.api("GET", "/openapi.json")).body;
  const prices = [{ currency: "usd", amount: 1000 }];
  known["productId"] = (
    await app.manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices })
  ).body.id;
  await app.manage("POST", "/products", {
    key: "max",
    name: "Max",
    interval: "month",
    prices: [{ currency: "usd", amount: 3000 }],
  });
  const { body } = await app.api("POST", "/checkouts", {
    productKey: "pro",
    customer: { email: "ada@example.com", externalId: "ada" },
  });
  known["checkoutId"] = body.id;
  known["customerId"] = body.customerId;
  known["subscriptionId"] = (
    await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: CARDS.pays })
  ).body.subscriptionId;
});
afterAll(() => app.close());

/** JSON as it stands on the wire, because some of these texts can't be written from a JavaScript value. */
const TEXTS = [
  ..."1e400 -1e400 9007199254740993 -9007199254740993 1e-400 -0 0.1 1E5 null true false [] {}".split(" "),
  ...'"\\u0000" "a\\u0000b" "\\ud800" "\\udc00\\ud800" "\\ufeff" "\\u202e" "\\u007f" "\\u2028" "\\uffff" "\\\\"'.split(
    " ",
  ),
  ...'"%00" "" "٣" "İ" "ﬃ"'.split(" "),
  ...(
    '"usd" "xxx" "a@b.c" "<script>" "{{7*7}}" "../../etc/passwd" "http://[::1" "data:text/html,x" ' +
    '"\\r\\nSet-Cookie:a=b"'
  ).split(" "),
  ...'"0001-01-01T00:00:00Z" "2026-02-30T00:00:00Z" "+999999-01-01T00:00:00Z"'.split(" "),
  ...(
    '{"__proto__":{"a":1}} {"constructor":{"prototype":{"a":1}}} {"toString":1} {"a":1,"a":2} ["a",null,{"b":[]}] ' +
    '{"$ne":null}'
  ).split(" "),
  `"${" ".repeat(3)}"`,
  `"'; DROP TABLE customers; --"`,
  `"${"x".repeat(30_000)}"`,
  `"${"\u{1f98a}".repeat(5000)}"`,
  `${"[".repeat(60)}${"]".repeat(60)}`,
  `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
];
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.json({ noUnicodeString: false }),
  fc.string({ unit: "binary" }).map((value) => JSON.stringify(value)),
);

const PLAUSIBLE: Record<string, string[]> = {
  productKey: ['"pro"', '"max"'],
  externalCustomerId: ['"ada"'],
  email: ['"ada@example.com"', '"new@example.com"'],
  externalId: ['"ada"', '"eve"'],
  country: ['"GB"'],
  currency: ['"usd"'],
  successUrl: ['"https://example.com/{CHECKOUT_ID}"'],
};

function resolve({ $ref, ...schema }: JsonSchema): JsonSchema {
  return $ref ? document.components.schemas[$ref.split("/").at(-1)!]! : schema;
}

/** A value for a field, plausible or arbitrary, as JSON text; `undefined` if the field is left out. */
function valueOf(name: string, schema: JsonSchema): fc.Arbitrary<string | undefined> {
  const object = [resolve(schema), ...(schema.anyOf ?? []).map(resolve)].find((each) => each.properties);
  const meant = [
    ...(PLAUSIBLE[name] ?? []),
    ...(known[name] ? [JSON.stringify(known[name])] : []),
    ...(schema.enum ?? []).map((value) => JSON.stringify(value)),
  ];
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    {
      weight: 3,
      arbitrary: object ? objectOf(object) : fc.constantFrom(...(meant.length > 0 ? meant : ["true", "5"])),
    },
    { weight: 2, arbitrary: text },
  );
}

function objectOf({ properties = {} }: JsonSchema): fc.Arbitrary<string> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(name, schema)]));
  return fc
    .tuple(
      fc.record(fields),
      fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.tuple(fc.string({ unit: "binary" }), text)),
    )
    .map(([values, extra]) => {
      const members = Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [`${JSON.stringify(name)}:${value}`],
      );
      if (extra) members.push(`${JSON.stringify(extra[0])}:${extra[1]}`);
      return `{${members.join(",")}}`;
    });
}

const operations = (): [method: string, path: string, operation: OpenApiOperation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OpenApiOperation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

const isOurs = (status: number) => status < 500;
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => known[name]!);

describe("the answer to any request is documented and no fault of ours", () => {
  test("in bodies", async () => {
    for (const [method, path, { requestBody }] of operations()) {
      if (!requestBody) continue;
      const body = fc.oneof(
        { weight: 5, arbitrary: objectOf(resolve(requestBody.content["application/json"]!.schema)) },
        text,
        fc.string({ unit: "binary" }),
      );
      const send = async (sent: string) => {
        const { status } = await app.api(method, fill(path), sent);
        expect(isOurs(status), `${method} ${path} ${sent.slice(0, 200)}: ${status}`).toBe(true);
      };
      await fc.assert(fc.asyncProperty(body, send), { numRuns: 120 });
    }
  });

  test("in queries", async () => {
    const name = fc.oneof(
      fc.constantFrom("customerId", "externalCustomerId", "benefitId", "type", "limit", "cursor", "__proto__"),
      fc.string(),
    );
    const values = [
      "",
      known["customerId"]!,
      ..."%00 %ff % %ud800 %ed%a0%80 + 1e400 -0 NaN 9007199254740993 0x1 cus_ ada 1".split(" "),
    ];
    const raw = fc.constantFrom(...values);
    const value = fc.oneof(
      raw,
      fc.string({ unit: "binary" }).map((each) => encodeURIComponent(each.toWellFormed())),
    );
    const query = fc
      .array(fc.tuple(name.map(encodeURIComponent), value), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
    const send = async (sent: string) => {
      for (const path of ["/benefit-grants", `/subscriptions/${known["subscriptionId"]}`]) {
        const { status } = await app.api("GET", `${path}?${sent}`);
        expect([200, 404, 422], `${path}?${sent}`).toContain(status);
      }
    };
    await fc.assert(fc.asyncProperty(query, send), { numRuns: 150 });
  });

  test("in paths", async () => {
    const id = fc.oneof(
      fc.string({ unit: "binary" }).map((each) => encodeURIComponent(each.toWellFormed())),
      fc.constantFrom(
        "%00",
        "%2f",
        "%2e%2e",
        "sub_%00",
        "null",
        `sub_${"8".repeat(26)}`,
        known["subscriptionId"]!.toUpperCase(),
      ),
    );
    const send = async (sent: string) => {
      if (sent === "" || sent === "." || sent === "..") return;
      for (const path of ["/checkouts", "/subscriptions"])
        expect((await app.api("GET", `${path}/${sent}`)).status).toBe(404);
    };
    await fc.assert(fc.asyncProperty(id, send), { numRuns: 100 });
  });

  test("in headers", async () => {
    const value = fc.string({ unit: fc.constantFrom(...'abc019"*,;=/W\\ \t!é'), maxLength: 40 });
    const names =
      "If-Match If-None-Match Idempotency-Key Accept Content-Type Authorization X-Forwarded-For Request-Id".split(" ");
    const send = async (name: string, sent: string) => {
      const path = `/subscriptions/${known["subscriptionId"]}`;
      for (const [method, body] of [["GET"], ["PATCH", { cancelAtPeriodEnd: false }]] as const) {
        const { status } = await app.api(method, path, body, { [name]: sent.trim() });
        expect(isOurs(status), `${method} ${name}: ${sent}`).toBe(true);
      }
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom(...names), value, send), { numRuns: 150 });
  });

  test("and the server works as before", async () => {
    const { body } = await app.api("GET", `/subscriptions/${known["subscriptionId"]}`);
    expect(body).toMatchObject({ id: known["subscriptionId"], customerId: known["customerId"] });
    const made: Json[] = (await app.manage("GET", "/customers?limit=100")).body.data;
    for (const { id } of made) expect((await app.manage("GET", `/customers/${id}`)).status).toBe(200);
  });
});
