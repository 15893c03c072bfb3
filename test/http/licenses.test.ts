import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { startServer, type RunningServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestAnswer, type TestApp } from "../support/app.ts";
import { CARDS } from "../support/story.ts";

const OPERATIONS = ["validate", "activate", "deactivate"];
let app: TestApp;
let license: { organizationId: string; key: string };

beforeAll(async () => {
  app = await startTestApp();
  const { body: benefit } = await app.manage("POST", "/benefits", { type: "license_key", name: "Editor" });
  const prices = [{ currency: "usd", amount: 1000 }];
  await app.manage("POST", "/products", { key: "editor", name: "Editor", prices, benefitIds: [benefit.id] });
  const { body: checkout } = await app.api("POST", "/checkouts", {
    productKey: "editor",
    customer: { email: "ada@example.com" },
  });
  const { body: paid } = await app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays });
  const { body: grants } = await app.api("GET", `/benefit-grants?customerId=${paid.customerId}`);
  license = { organizationId: app.organization.id, key: grants.data[0].properties.key };
});
afterAll(() => app.close());

describe("pages of any origin", () => {
  const ORIGIN = { Origin: "https://editor.example.com" };

  test.each(OPERATIONS)("may call %s: the preflight says so", async (operation) => {
    const asked = {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type,idempotency-key",
    };
    const { status, headers } = await app.licenses("OPTIONS", `/${operation}`, undefined, { ...ORIGIN, ...asked });
    expect([status, headers.get("Allow"), headers.get("Access-Control-Allow-Origin")]).toEqual([
      204,
      "POST, OPTIONS",
      "*",
    ]);
    expect(headers.get("Access-Control-Allow-Methods")!.split(", ")).toContain("POST");
    expect(headers.get("Access-Control-Allow-Headers")).toBe("Content-Type, Idempotency-Key");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  it("may read every answer, the bad ones too", async () => {
    const answers = [
      await app.licenses("POST", "/validate", license, ORIGIN),
      await app.licenses("POST", "/validate", { ...license, key: "x" }, ORIGIN),
      await app.licenses("POST", "/validate", "{", ORIGIN),
      await app.licenses("POST", "/validate", {}, ORIGIN),
      await app.licenses("GET", "/validate", undefined, ORIGIN),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 422, 405]);
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    }
  });

  it("may not read answers that need an API key", async () => {
    for (const path of ["/public/v2/customers", "/manage/v1/customers"]) {
      const { headers } = await fetch(app.url + path, { method: "OPTIONS", headers: ORIGIN });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("of all that is wrong the first check tells", () => {
  const worst = { path: "/nothing", method: "PUT", accept: "text/html", type: "text/plain", body: "x".repeat(70_000) };
  const steps: [mended: Partial<typeof worst>, status: number, code: string][] = [
    [{}, 404, "not_found"],
    [{ path: "/activate" }, 405, "method_not_allowed"],
    [{ method: "POST" }, 406, "not_acceptable"],
    [{ accept: "application/json" }, 415, "unsupported_media_type"],
    [{ type: "application/json" }, 413, "body_too_large"],
    [{ body: "{" }, 400, "malformed_json"],
    [{ body: "{}" }, 422, "validation_failed"],
    [{ body: JSON.stringify({ organizationId: newId("org"), key: "x" }) }, 404, "license_not_found"],
  ];
  const cases = steps.map(([, status, code], n) => {
    return {
      request: Object.assign({}, worst, ...steps.slice(0, n + 1).map(([mended]) => mended)) as typeof worst,
      status,
      code,
    };
  });
  test.each(cases)("$status $code", async ({ request, status, code }) => {
    const headers = { Accept: request.accept, "Content-Type": request.type };
    expect(await app.licenses(request.method, request.path, request.body, headers)).toMatchObject({
      status,
      body: { code },
    });
  });

  it("an API key that is sent along is not looked at", async () => {
    const answer = await app.licenses("POST", "/validate", license, { Authorization: "Bearer blw_test_nonsense" });
    expect(answer).toMatchObject({ status: 200, body: { valid: true } });
  });
});

describe("a body", () => {
  const faultsOf = async (operation: string, body: object) => {
    const { status, body: problem }: { status: number; body: Json } = await app.licenses("POST", `/${operation}`, body);
    return [status, problem.errors?.map((fault: Json) => `${fault.pointer} ${fault.code}`).join(", ")];
  };
  test.each([
    ["validate", { organizationId: "" }, "/organizationId too_short"],
    ["validate", { key: 5 }, "/key invalid_type"],
    ["validate", { key: "x".repeat(129) }, "/key too_long"],
    ["validate", { key: "a\0b" }, "/key invalid_text"],
    ["validate", { label: "laptop" }, "/label unknown_field"],
    ["activate", { label: "x".repeat(257) }, "/label too_long"],
    ["activate", { label: "a\nb" }, "/label invalid_format"],
    ["activate", { metadata: { a: {} } }, "/metadata/a invalid_type"],
    ["activate", { activationId: "x" }, "/activationId unknown_field"],
    ["deactivate", {}, "/activationId required"],
    ["deactivate", { activationId: null }, "/activationId invalid_type"],
  ])("%s %j is 422", async (operation, wrong, faults) => {
    expect(await faultsOf(operation, { ...license, ...wrong })).toEqual([422, faults]);
  });

  it("of any kind is no fault of ours", async () => {
    const value = fc.oneof(
      fc.json({ noUnicodeString: false }),
      fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
      fc.constantFrom(
        ..."1e400 -0 9007199254740993 null [] {} true".split(" "),
        '"\\ud800"',
        '"\\u0000"',
        '{"__proto__":{"a":1}}',
      ),
    );
    const field = (good: string) => fc.oneof(fc.constant(JSON.stringify(good)), value, fc.constant(undefined));
    const body = fc
      .record({
        organizationId: field(license.organizationId),
        key: field(license.key),
        activationId: field(newId("act")),
        label: field("laptop"),
        metadata: fc.oneof(value, fc.constant(undefined)),
      })
      .map((fields) =>
        Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`])),
      )
      .map((members) => `{${members.join(",")}}`);
    const send = async (operation: string, sent: string) => {
      const { status } = await app.licenses("POST", `/${operation}`, sent);
      expect([200, 201, 204, 404, 422], `${operation} ${sent}`).toContain(status);
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom(...OPERATIONS), body, send), { numRuns: 300 });
  });
});

describe("a server with a limit", () => {
  let server: RunningServer;
  let ask: (address: string, body: object) => Promise<TestAnswer>;
  beforeAll(async () => {
    const config = { ...app.ctx.config, port: 0, rateLimit: 1, trustedProxies: ["127.0.0.1"] };
    server = await startServer({ ...app.ctx, config });
    const call = caller(`http://127.0.0.1:${server.port}/licenses/v1`, null);
    ask = (address, body) => call("POST", "/validate", body, { "X-Forwarded-For": address });
  });
  afterAll(() => server.close());

  /** The limit is two at once and one a second, so some of ten requests within five seconds are refused. */
  async function refusal(send: (n: number) => Promise<TestAnswer>): Promise<TestAnswer> {
    for (let n = 0; n < 2000; n += 10) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => send(n + index)));
      const refused = answers.find(({ status }) => status === 429);
      if (refused) return refused;
    }
    throw new Error("nothing was refused");
  }

  test("refuses by address, for any keys", async () => {
    const refused = await refusal((n) => ask("192.0.2.1", { ...license, key: `ACME-${n}` }));
    expect(refused.body).toMatchObject({ code: "rate_limited" });
    expect([refused.headers.get("Retry-After"), refused.headers.get("RateLimit-Policy")]).toEqual([
      "1",
      '"address";q=2;w=2',
    ]);
    expect((await ask("192.0.2.2", { ...license, key: "another" })).status).toBe(404);
  });

  test("refuses by the /64 of an IPv6 address", async () => {
    const refused = await refusal((n) => ask(`2001:db8:0:1::${n.toString(16)}`, { ...license, key: `ACME-${n}` }));
    expect(refused).toMatchObject({ body: { code: "rate_limited" } });
    expect((await ask("2001:db8:0:2::1", { ...license, key: "another of those" })).status).toBe(404);
  });

  test("refuses by license key, wherever it is used and however it is typed", async () => {
    const typed = [license.key, license.key.toLowerCase(), license.key.replaceAll("-", "")];
    const refused = await refusal((n) => ask(`198.51.100.${n % 250}`, { ...license, key: typed[n % 3] }));
    expect(refused).toMatchObject({ body: { code: "rate_limited" } });
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect((await ask("203.0.113.1", { ...license, key: "another one" })).status).toBe(404);
  });

  test("does not count this against calls with an API key from there", async () => {
    await refusal((n) => ask("203.0.113.2", { ...license, key: `ACME-${n}` }));
    const api = caller(`http://127.0.0.1:${server.port}/public/v2`, app.keys.public);
    const answer = await api("GET", "/benefit-grants?externalCustomerId=x", undefined, {
      "X-Forwarded-For": "203.0.113.2",
    });
    expect(answer.status).toBe(200);
  });
});

it("is documented: as OpenAPI, without an API key, and in the reference", async () => {
  const { body: document } = await app.licenses("GET", "/openapi.json");
  expect(Object.keys(document.paths)).toEqual(OPERATIONS.map((operation) => `/${operation}`));
  expect([document.security, document.components.securitySchemes]).toEqual([[], {}]);
  const statuses = ["201", "400", "404", "406", "408", "409", "413", "414", "415", "422", "429", "431", "500", "503"];
  expect(Object.keys(document.paths["/activate"].post.responses)).toEqual(statuses);
  const reference = await (await fetch(`${app.url}/docs/reference/licenses`)).text();
  expect(reference).toContain('spec-url="../../docs/reference/licenses.json"');
  const shown = await (await fetch(`${app.url}/docs/reference/licenses.json`)).json();
  expect(Object.keys((shown as typeof document).paths)).toEqual(Object.keys(document.paths));
});
