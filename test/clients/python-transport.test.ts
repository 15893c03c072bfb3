import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { empty, html, json, ok, problem, reset, startServer, type Reply } from "../client/server.ts";
import { runPython } from "../support/python.ts";

/** The waits are recorded in the place of time that passes. Full jitter comes to its ceiling. */
const CLIENT = `
import random, time
waits = []
time.sleep = waits.append
random.random = lambda: 1.0
from billow import *
billow = Billow(base_url=given["url"], api_key="blw_test_1", manage_key="blw_test_2", timeout=60)
def code(call, *args):
    try: return call(*args)
    except BillowError as error: return [type(error).__name__, error.status, error.code]
def refused(call, *args, **options):
    try: call(*args, **options)
    except (TypeError, ValueError) as error: return type(error).__name__
`;

async function play(replies: [Reply, ...Reply[]], call: string) {
  await using server = await startServer(...replies);
  const program = `${CLIENT}print(json.dumps([${call}, waits]))`;
  const [result, waits] = await runPython<[unknown, number[]]>(program, { url: server.origin });
  return { result, waits, requests: [...server.requests], keys: server.idempotencyKeys() };
}

const CREATE = 'code(billow.customers.create, {"email": "ada@example.com"})';

describe("a call of the Python package", () => {
  test("is repeated with the same Idempotency-Key after transient failures", async () => {
    const replies = [html(503), reset, problem(409, "idempotency_in_progress"), ok] as const;
    const { result, waits, keys } = await play([...replies], CREATE);
    expect(result).toEqual({ id: "found" });
    expect(waits).toEqual([0.25, 0.5, 1]);
    expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{20,255}$/);
  });

  test("waits as long as the server asks, a minute at most", async () => {
    const date = { Date: "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After": "Thu, 01 Jan 2026 00:00:07 GMT" };
    const limited = (headers: Record<string, string>) => problem(429, "rate_limited", {}, headers);
    const { waits } = await play(
      [limited({ "Retry-After": "3" }), limited(date), limited({ "Retry-After": "3600" }), ok],
      CREATE,
    );
    expect(waits).toEqual([3.25, 7.5, 61]);
  });

  test("ends after four attempts with the last error", async () => {
    const { result, requests } = await play([problem(500, "internal_error")], CREATE);
    expect([result, requests.length]).toEqual([["ApiError", 500, "internal_error"], 4]);
    const broken = await play([reset], CREATE);
    expect([broken.result, broken.requests.length]).toEqual([["ConnectionError", null, null], 4]);
  });

  test.each([
    [problem(422, "validation_failed"), ["ValidationError", 422, "validation_failed"]],
    [problem(401, "api_key_invalid"), ["AuthenticationError", 401, "api_key_invalid"]],
    [problem(409, "customer_exists"), ["ApiError", 409, "customer_exists"]],
    [html(404), ["ApiError", 404, null]],
    [empty(302, { Location: "/elsewhere" }), ["ApiError", 302, null]],
  ])("is not repeated if a repetition can't help (%#)", async (reply, expected) => {
    const { result, requests } = await play([reply], CREATE);
    expect([result, requests.length]).toEqual([expected, 1]);
  });

  test.each([
    ["faults of another form", json(400, { errors: [{ title: "Bad" }, "bad"], detail: 7 }), ["ApiError", 400, null], 1],
    ["a page as a success", html(200), ["ConnectionError", null, null], 4],
    [
      "a broken coding",
      ((response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end("no gzip")) satisfies Reply,
      ["ConnectionError", null, null],
      4,
    ],
    [
      "a date without a zone",
      json(503, {}, { "Retry-After": "Thu, 01 Jan 2026 00:00:07" }),
      ["ApiError", 503, null],
      4,
    ],
  ])("has a BillowError if another program answers: %s", async (_, reply: Reply, expected, attempts) => {
    const { result, requests } = await play([reply], CREATE);
    expect([result, requests.length]).toEqual([expected, attempts]);
  });

  test("that deletes has succeeded if a second attempt finds nothing", async () => {
    const remove = 'code(billow.manage.webhook_endpoints.delete, "whk_1")';
    expect((await play([reset, problem(404, "not_found")], remove)).result).toBeNull();
    expect((await play([problem(404, "not_found")], remove)).result).toEqual(["ApiError", 404, "not_found"]);
  });

  test("sends its method, path, filters, body and key", async () => {
    const calls = `[
      billow.subscriptions.get("sub_1/../x?y"),
      billow.manage.subscriptions.cancel_now("sub_1"),
      billow.manage.sandbox.set_clock({"now": "2026-01-01T00:00:00Z"}),
      billow.manage.customers.delete("cus_1", {"forfeitBalance": True}),
      billow.manage.products.list({"archived": False, "limit": 2}).next_cursor,
    ] and None`;
    const { requests } = await play([json(200, { data: [], nextCursor: null })], calls);
    expect(requests.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])).toEqual([
      ["GET", "/public/v2/subscriptions/sub_1%2F..%2Fx%3Fy", "", "Bearer blw_test_1"],
      ["POST", "/manage/v1/subscriptions/sub_1/cancel-now", "{}", "Bearer blw_test_2"],
      ["PUT", "/manage/v1/sandbox/clock", '{"now": "2026-01-01T00:00:00Z"}', "Bearer blw_test_2"],
      ["DELETE", "/manage/v1/customers/cus_1?forfeitBalance=true", "", "Bearer blw_test_2"],
      ["GET", "/manage/v1/products?archived=false&limit=2", "", "Bearer blw_test_2"],
    ]);
  });

  test("with an empty id or a wrong Idempotency-Key is refused before a request", async () => {
    const ids = 'refused(billow.checkouts.get, ""), refused(billow.checkouts.get, None)';
    const keys = 'refused(billow.customers.create, {"email": "a@example.com"}, idempotency_key=key)';
    const call = `[${ids}, *(${keys} for key in ["", "注文7", "7\\n", "7" * 256])]`;
    const { result, requests } = await play([ok], call);
    expect(result).toEqual(["TypeError", "TypeError", "ValueError", "ValueError", "ValueError", "ValueError"]);
    expect(requests).toEqual([]);
  });
});

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const BODY = '{"id":"evt_1","type":"subscription.canceled","data":{"id":"sub_1","name":"Zoë"}}';

/** The headers that the library of Standard Webhooks for JavaScript makes. */
function signed(body: string, secret: string, at = new Date()) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    "Webhook-Id": "evt_1",
    "Webhook-Timestamp": timestamp,
    "Webhook-Signature": new Webhook(secret).sign("evt_1", at, body),
  };
}

async function verify(body: string, headers: Record<string, string>, secret: string | string[]): Promise<string> {
  return runPython(
    `
from billow import webhooks
try: print(json.dumps(webhooks.verify(given["body"].encode(), given["headers"], given["secret"])["type"]))
except webhooks.WebhookVerificationError as error: print(json.dumps(f"refused: {error}"))
`,
    { body, headers, secret },
  );
}

describe("webhooks.verify", () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);

  test("returns the event of a signed request, also during a rotation", async () => {
    expect(await verify(BODY, signed(BODY, SECRET), SECRET)).toBe("subscription.canceled");
    expect(await verify(BODY, signed(BODY, OLD_SECRET), [SECRET, OLD_SECRET])).toBe("subscription.canceled");
    const both = signed(BODY, SECRET)["Webhook-Signature"];
    const headers = { ...signed(BODY, OLD_SECRET) };
    headers["Webhook-Signature"] += ` ${both}`;
    expect(await verify(BODY, headers, SECRET)).toBe("subscription.canceled");
  });

  test.each([
    ["another body", BODY.replace("sub_1", "sub_2"), () => signed(BODY, SECRET), "No matching signature found"],
    ["another secret", BODY, () => signed(BODY, OLD_SECRET), "No matching signature found"],
    ["an old request", BODY, () => signed(BODY, SECRET, minutes(-6)), "Message timestamp too old"],
    ["a request of the future", BODY, () => signed(BODY, SECRET, minutes(60)), "Message timestamp too new"],
    ["a missing header", BODY, () => ({ "Webhook-Id": "evt_1" }), "Missing required headers"],
    ["a signature of no form", BODY, () => ({ ...signed(BODY, SECRET), "Webhook-Signature": "v1" }), ""],
    ["a signature that is not base64", BODY, () => ({ ...signed(BODY, SECRET), "Webhook-Signature": "v1,é" }), ""],
    ["a body that is not JSON", "no JSON", () => signed("no JSON", SECRET), ""],
  ])("refuses %s", async (_, body, headersOf: () => Record<string, string>, message) => {
    expect(await verify(body, headersOf(), SECRET)).toMatch(new RegExp(`^refused: .*${message}`));
  });
});
