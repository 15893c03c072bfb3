import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { BenefitGrant, Subscription } from "@billow/client";
import {
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookHeaders,
} from "@billow/client/webhooks";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const NOW = new Date("2026-01-01T00:00:00Z");
const BODY =
  '{"id":"evt_1","type":"subscription.canceled","createdAt":"2026-01-01T00:00:00.000Z","sequence":4,' +
  '"data":{"id":"sub_1"}}';

/** The result of a verification: the event, or the code of its refusal. */
async function outcome(...[body, headers, secret, options]: Parameters<typeof verifyWebhook>): Promise<unknown> {
  return verifyWebhook(body, headers, secret, { now: NOW, ...options }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return (error as WebhookVerificationError).code;
  });
}
const signed = (body: string | Uint8Array = BODY, secret: string | string[] = SECRET) =>
  signWebhook(body, secret, { id: "evt_1", now: NOW });

describe("the vectors of Standard Webhooks", () => {
  const emoji =
    '{"type":"subscription.active","timestamp":"2026-01-01T00:00:00Z","data":{"id":"sub_1","name":"Żółć 😀"}}';
  test.each([
    [
      SECRET,
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1614265330,
      '{"test": 2432232314}',
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ],
    [SECRET, "evt_01J0000000000000000000000A", 1767225600, emoji, "v1,Xdau95/J7l2zAYbzAx9KwKVpNn+XNvqka89Ho8D2fsM="],
    [OTHER, "msg_empty", 1767225600, "", "v1,k10XBqOzl0GF1ynbwUY7qtUw0poaNGcnOjLHwCCosHw="],
  ])("%s %s", async (secret, id, timestamp, body, signature) => {
    const now = new Date(timestamp * 1000);
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    expect(await signWebhook(body, secret, { id, now })).toEqual(headers);
    // An empty body is no JSON, but its signature is good.
    const expected = body === "" ? "body_invalid" : (JSON.parse(body) as unknown);
    expect(await outcome(body, headers, secret, { now })).toEqual(expected);
    expect(await outcome(new TextEncoder().encode(body), headers, secret, { now })).toEqual(expected);
    expect(await outcome(`${body} `, headers, secret, { now })).toBe("signature_mismatch");
  });
});

describe("the package standardwebhooks", () => {
  const arbitraries = [
    fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
    fc.stringMatching(/^evt_[0-9a-z]{1,26}$/),
    fc.json({ stringUnit: "binary" }),
  ] as const;

  test("verifies our signatures, and we verify its signatures", async () => {
    await fc.assert(
      fc.asyncProperty(...arbitraries, async (secret, id, body) => {
        const now = new Date();
        const theirs = new Webhook(secret);
        const seconds = String(Math.floor(now.getTime() / 1000));
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": seconds,
          "webhook-signature": theirs.sign(id, now, body),
        };
        expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
        const ours = await signWebhook(body, secret, { id, now });
        expect(theirs.verify(body, ours)).toEqual(JSON.parse(body));
        expect(ours).toEqual(headers);
      }),
    );
  });

  test("refuses the requests that we refuse", async () => {
    const now = new Date();
    const good = await signWebhook(BODY, SECRET, { id: "evt_1", now });
    const at = (seconds: number) =>
      signWebhook(BODY, SECRET, { id: "evt_1", now: new Date(now.getTime() + seconds * 1000) });
    for (const [body, headers] of [
      [`${BODY} `, good],
      [BODY, { ...good, "webhook-id": "evt_2" }],
      [BODY, { ...good, "webhook-signature": good["webhook-signature"].replace("v1,", "v1a,") }],
      [BODY, await signWebhook(BODY, OTHER, { id: "evt_1", now })],
      [BODY, await at(-400)],
      [BODY, await at(400)],
    ] as const) {
      expect(() => new Webhook(SECRET).verify(body, headers)).toThrow();
      await expect(verifyWebhook(body, headers, SECRET)).rejects.toThrow(WebhookVerificationError);
    }
  });
});

describe("a request", () => {
  const event = JSON.parse(BODY) as unknown;

  test("is read from headers of any kind", async () => {
    const headers = await signed();
    expect(await outcome(BODY, headers, SECRET)).toEqual(event);
    expect(await outcome(BODY, new Headers(headers), SECRET)).toEqual(event);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await outcome(Buffer.from(BODY), { "set-cookie": ["a", "b"], get: "x", ...upper }, SECRET)).toEqual(event);
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("without %s is refused", async (name) => {
    const headers = await signed();
    expect(await outcome(BODY, { ...headers, [name]: undefined }, SECRET)).toBe("header_missing");
    expect(await outcome(BODY, { ...headers, [name]: "" }, SECRET)).toBe("header_missing");
    expect(await outcome(BODY, { ...headers, [name]: ["a", "b"] }, SECRET)).toBe("header_missing");
    expect(await outcome(BODY, new Headers([["x", "y"]]), SECRET)).toBe("header_missing");
  });

  test("that was changed anywhere is refused", async () => {
    const headers = await signed();
    const flip = (text: string, at: number) =>
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
    for (let at = 0; at < BODY.length; at += 1)
      expect(await outcome(flip(BODY, at), headers, SECRET)).toBe("signature_mismatch");
    for (const name of ["webhook-id", "webhook-signature"] as const) {
      for (let at = 0; at < headers[name].length; at += 1) {
        expect(await outcome(BODY, { ...headers, [name]: flip(headers[name], at) }, SECRET)).toBe("signature_mismatch");
      }
    }
    expect(await outcome(BODY, { ...headers, "webhook-timestamp": "1767225601" }, SECRET)).toBe("signature_mismatch");
    expect(await outcome(BODY, headers, OTHER)).toBe("signature_mismatch");
    expect(await outcome(BODY.slice(0, -1), headers, SECRET)).toBe("signature_mismatch");
  });

  test.each([
    [0, null],
    [-300, null],
    [300, null],
    [-301, "timestamp_too_old"],
    [301, "timestamp_too_new"],
    [-86_400, "timestamp_too_old"],
  ])("that was sent %i seconds from now: %s", async (seconds, code) => {
    const headers = await signWebhook(BODY, SECRET, { now: new Date(NOW.getTime() + seconds * 1000) });
    expect(await outcome(BODY, headers, SECRET)).toEqual(code ?? event);
    expect(await outcome(BODY, headers, SECRET, { toleranceSeconds: 100_000 })).toEqual(event);
    expect(await outcome(BODY, headers, SECRET, { toleranceSeconds: 0 })).toEqual(
      seconds === 0 ? event : expect.stringMatching(/too_/),
    );
    expect(await outcome(BODY, headers, SECRET, { toleranceSeconds: Number.NaN })).toMatch(/too_/);
  });

  test.each(["now", "-1", "1.5", "1767225600 ", "0x69", "1e9", "9999999999999999"])(
    "with the time %j is refused",
    async (timestamp) => {
      expect(await outcome(BODY, { ...(await signed()), "webhook-timestamp": timestamp }, SECRET)).toBe(
        "timestamp_invalid",
      );
    },
  );

  test("may have several signatures, and be held against several secrets", async () => {
    const both = await signed(BODY, [OTHER, SECRET]);
    expect(both["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(await outcome(BODY, both, SECRET)).toEqual(event);
    expect(await outcome(BODY, both, OTHER)).toEqual(event);
    expect(await outcome(BODY, await signed(), [OTHER, SECRET])).toEqual(event);
    const good = (await signed())["webhook-signature"];
    const among = (list: string) =>
      signed().then((headers) => outcome(BODY, { ...headers, "webhook-signature": list }, SECRET));
    expect(await among(`v1a,AAAA v2,BBBB v1,CCCC v1 , ${good} v1,`)).toEqual(event);
    expect(await among(`v1,CCCC,${good}`)).toBe("signature_mismatch");
    expect(await among(good.replace("v1,", "v1a,"))).toBe("signature_mismatch");
    expect(await among("v1,")).toBe("signature_mismatch");
  });

  test("that is signed is still to be JSON", async () => {
    const bytes = Uint8Array.of(0xff, 0xfe);
    expect(await outcome(bytes, await signed(bytes), SECRET)).toBe("body_invalid");
    expect(await outcome("type=a", await signed("type=a"), SECRET)).toBe("body_invalid");
  });

  test("is signed over its bytes, also over invalid UTF-8", async () => {
    const headers = { ...(await signed()), "webhook-signature": "" };
    const body = Buffer.from('{"a":"\u00e9"}', "latin1");
    const mac = createHmac("sha256", Buffer.from(SECRET.slice(6), "base64"))
      .update("evt_1.1767225600.")
      .update(body)
      .digest("base64");
    expect(await outcome(body, { ...headers, "webhook-signature": `v1,${mac}` }, SECRET)).toEqual({ a: "\uFFFD" });
  });
});

describe("a mistake of the receiver is told as one", () => {
  test.each<[string, unknown]>([
    ["no secret", undefined],
    ["no secrets", []],
    ["an empty one", ""],
    ["a prefix alone", "whsec_"],
    ["a short one", "whsec_c2hvcnQ="],
    ["another alphabet", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_"],
    ["one good one and one bad one", [SECRET, "x"]],
    ["one good one and nothing", [SECRET, undefined]],
    ["a number", 42],
  ])("%s", async (_, secret) => {
    const verified = verifyWebhook(BODY, await signed(), secret as string);
    await expect(verified).rejects.toBeInstanceOf(TypeError);
    await expect(verified).rejects.toThrow(/^The webhook secret is (missing|malformed)\. /);
  });

  test("a parsed body", async () => {
    await expect(verifyWebhook(JSON.parse(BODY) as string, await signed(), SECRET, { now: NOW })).rejects.toThrow(
      /raw/,
    );
  });

  test("a secret without its prefix or its padding is one all the same", async () => {
    const headers = await signed(BODY, OTHER);
    for (const secret of [OTHER.slice(6), OTHER.slice(0, -1)])
      expect(await outcome(BODY, headers, secret)).toMatchObject({ id: "evt_1" });
  });
});

test("the type of an event tells the type of its data", () => {
  expectTypeOf<IncomingHttpHeaders>().toExtend<WebhookHeaders>();
  expectTypeOf<Headers>().toExtend<WebhookHeaders>();
  const nameOf = (event: WebhookEvent) => {
    expectTypeOf(event.id).toEqualTypeOf<string>();
    switch (event.type) {
      case "subscription.created":
      case "subscription.canceled":
        expectTypeOf(event.data).toEqualTypeOf<Subscription>();
        return event.data.currentPeriodEnd;
      case "benefit_grant.granted":
        expectTypeOf(event.data).toExtend<BenefitGrant>();
        return event.data.status;
      default:
        // A type that only a newer server knows.
        return event.type;
    }
  };
  const newer = { ...(JSON.parse(BODY) as object), type: "moon.eclipsed" } as unknown as WebhookEvent;
  expect(nameOf(newer)).toBe("moon.eclipsed");
});
