import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatSecret } from "../../src/domain/organization/api-key.ts";
import { RateLimiter } from "../../src/http/rate-limit.ts";
import { startServer } from "../../src/http/server.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";

describe("a bucket", () => {
  const takeAll = (limiter: RateLimiter, now: number, caller_ = "a") => {
    let taken = 0;
    while (taken < 1000 && limiter.take(caller_, now)) taken += 1;
    return taken;
  };

  test("holds two seconds' worth and refills with time", () => {
    const limiter = new RateLimiter(10);
    expect(takeAll(limiter, 0)).toBe(20);
    expect(takeAll(limiter, 99)).toBe(0);
    expect(takeAll(limiter, 100)).toBe(1);
    expect(takeAll(limiter, 1_100)).toBe(10);
    expect(takeAll(limiter, 60_000)).toBe(20);
  });

  test("is each caller's own", () => {
    const limiter = new RateLimiter(10);
    expect(takeAll(limiter, 0, "a")).toBe(20);
    expect(limiter.remaining("b", 0)).toBe(20);
    expect(takeAll(limiter, 0, "b")).toBe(20);
  });

  test("never gives more than its rate and one burst", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 300 }), (pauses) => {
        const limiter = new RateLimiter(5);
        let now = 0;
        let taken = 0;
        for (const pause of pauses) {
          now += pause;
          if (limiter.take("a", now)) taken += 1;
          expect(taken).toBeLessThanOrEqual(10 + (now / 1000) * 5);
        }
      }),
    );
  });

  test("is forgotten before there are too many", () => {
    const limiter = new RateLimiter(1);
    for (let n = 0; n < 50_000; n += 1) limiter.take(`caller ${n}`, n);
    expect(limiter.remaining("caller 49999", 49_999)).toBe(1);
  });
});

describe("a server with a limit", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ rateLimit: 1 });
  });
  afterAll(() => app.close());

  /** The limit is two at once and one a second, so some of ten requests within five seconds are refused. */
  async function refusal(ask: () => Promise<{ status: number; headers: Headers; body: unknown }>) {
    for (let n = 0; n < 200; n += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, ask));
      const refused = answers.find(({ status }) => status === 429);
      if (refused) return refused;
    }
    throw new Error("nothing was refused");
  }

  test("refuses by key, and tells when to come again", async () => {
    const refused = await refusal(() => app.api("GET", "/benefit-grants?externalCustomerId=x"));
    expect(refused.body).toMatchObject({ code: "rate_limited" });
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(refused.headers.get("RateLimit-Policy")).toBe('"key";q=2;w=2');
    expect(refused.headers.get("RateLimit")).toMatch(/^"key";r=[01];t=1$/);
    const other = await app.otherOrganization();
    expect(
      (await caller(`${app.url}/public/v2`, other.keys.public)("GET", "/benefit-grants?externalCustomerId=x")).status,
    ).toBe(200);
  });

  test("refuses a client that tries keys, but not a good key from the same address", async () => {
    const { keys } = await app.otherOrganization();
    const good = caller(`${app.url}/public/v2`, keys.public);
    expect((await good("GET", "/benefit-grants?externalCustomerId=x")).status).toBe(200);
    const guess = () =>
      caller(`${app.url}/public/v2`, formatSecret("sandbox", randomBytes(64)))(
        "GET",
        "/benefit-grants?externalCustomerId=x",
      );
    const refused = await refusal(guess);
    expect(refused.body).toMatchObject({ code: "rate_limited" });
    // A text that can't be a key is always refused with 401, because a client must not try it again.
    expect(
      (await caller(`${app.url}/public/v2`, "blw_test_typo")("GET", "/benefit-grants?externalCustomerId=x")).status,
    ).toBe(401);
    expect((await good("GET", "/benefit-grants?externalCustomerId=x")).status).not.toBe(401);
  });

  test("refuses a client that tries keys from all the addresses of a /64", async () => {
    const server = await startServer({
      ...app.ctx,
      config: { ...app.ctx.config, port: 0, trustedProxies: ["127.0.0.1"] },
    });
    const guess = (address: string) => {
      const call = caller(`http://127.0.0.1:${server.port}/public/v2`, formatSecret("sandbox", randomBytes(64)));
      return call("GET", "/benefit-grants?externalCustomerId=x", undefined, { "X-Forwarded-For": address });
    };
    const refused = await refusal(() => guess(`2001:db8:0:1::${randomBytes(2).toString("hex")}`));
    expect(refused.body).toMatchObject({ code: "rate_limited" });
    expect((await guess("2001:db8:0:2::1")).status).toBe(401);
    await server.close();
  });
});
