import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_FAILED_ATTEMPTS } from "../../src/domain/model/checkout.ts";
import { AppError } from "../../src/errors.ts";
import { createWebApp } from "../../src/web/app.ts";
import { loseKeys, startLiveStory, takeNoCards, takeSandboxCards } from "../support/downtime.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post } from "../support/pages.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";

const NUMBER = "4242424242424242";
const CARD = { number: NUMBER, expiry: "12 / 40", cvc: "987" };
const DECLINED = { ...CARD, number: "4000 0000 0000 0002" };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  for (const [key, amount, more] of [
    ["pro", 3000, {}],
    ["trial", 3000, { trialDays: 14 }],
    ["trial-optional", 3000, { trialDays: 14, trialCard: "optional", group: "optional" }],
    ["free", 0, { group: "free" }],
    ["once", 4900, { interval: null }],
  ] as const) {
    const product = { key, name: `Product ${key}`, interval: "month", prices: [{ currency: "usd", amount }], ...more };
    expect(await app.manage("POST", "/products", product)).toMatchObject({ status: 201 });
  }
});

afterAll(() => app.close());

async function checkout(params: object): Promise<Json> {
  const { status, body } = await app.api("POST", "/checkouts", params);
  expect(status).toBe(201);
  return body;
}

const read = async (id: string) => (await app.api("GET", `/checkouts/${id}`)).body;

const ada = { email: "ada@example.com" };

describe("every page", () => {
  const id = "01h455vb4pex5vsknk084sn02q";
  const documents = [`/checkout/chk_${id}/wrong`, `/invoices/inv_${id}/wrong`, `/credit-notes/crn_${id}/wrong/pdf`];
  const pages = ["/", "/nothing/here", ...documents, "/static/nothing.css", "/downloads/a/b/c"];

  test.each(pages)("%s keeps to itself", async (path) => {
    const { headers, text } = await get(app.url + path);
    expect(headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(text).not.toMatch(/<style|<script(?! src="\/static\/)|\sstyle=|\son\w+=/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\/(?!127\.0\.0\.1)/);
  });

  test("loads files that may be kept for good", async () => {
    const { text } = await get(app.url);
    const paths = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path!);
    const names = paths.map((path) => path.replace("/static/", "").replace(/\.\w{16}\./, "."));
    const styles = ["pages.css", "checkout.css", "documents.css"];
    expect(names).toEqual(["icon.svg", ...styles, "checks.js", "pages.js", "copy.js"]);
    for (const path of paths) {
      const { status, headers } = await get(app.url + path);
      expect(status).toBe(200);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    }
  });

  test("shows the Organization's colour by a style sheet of its own", async () => {
    const { text, headers } = await get(`${app.url}/static/accent-ffd400.css`);
    expect(headers.get("Content-Type")).toBe("text/css; charset=utf-8");
    expect(text).toContain(":root{--accent:#ffd400;--accent-ink:#000000;--accent-text:#846e00}\n");
    for (const wrong of ["accent-FFD400", "accent-ffd40", "accent-ffd400;x", "..%2f..%2fapp.ts"]) {
      expect(await get(`${app.url}/static/${wrong}.css`)).toMatchObject({ status: 404 });
    }
  });

  test("hands out the client under a name of its content", async () => {
    const named = await get(`${app.url}/client`);
    expect(named.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const url = named.text.trimEnd();
    const response = await fetch(url);
    expect(response.headers.get("Content-Type")).toBe("application/gzip");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const tarball = new Uint8Array(await response.arrayBuffer());
    expect([tarball[0], tarball[1]]).toEqual([0x1f, 0x8b]);
    const { version } = JSON.parse(readFileSync("client/package.json", "utf8")) as { version: string };
    const name = `billow-${version}-${hash("sha256", tarball).slice(0, 16)}.tgz`;
    expect(url).toBe(`${app.url}/client/${name}`);
    expect((await get(app.url)).text).toContain(
      `<code>url=$(curl -fsS ${app.url}/client) &amp;&amp;\nnpm install &quot;$url&quot;</code>`,
    );
  });

  test.each(["/client.tgz", "/client/billow-0.0.9-0123456789abcdef.tgz"])(
    "answers the earlier name %s with the command to update",
    async (path) => {
      const url = (await get(`${app.url}/client`)).text.trimEnd();
      const response = await fetch(app.url + path);
      expect(response.status).toBe(410);
      expect(response.headers.get("Content-Type")).toBe("application/problem+json");
      const detail = `This server has another client. Run: npm install ${url}`;
      expect(await response.json()).toMatchObject({ code: "client_replaced", detail, error: detail });
      expect((await fetch(app.url + path, { method: "POST" })).status).toBe(405);
    },
  );

  test("knows no other file below the client's path", async () => {
    for (const path of ["/client/", "/client/other.tgz", "/client/billow-.tgz", "/client/a/billow-1.tgz"])
      expect((await fetch(app.url + path)).status).toBe(404);
  });
});

describe("a Checkout", () => {
  test("is found by its whole link alone", async () => {
    const [one, other] = [await checkout({ productKey: "pro" }), await checkout({ productKey: "pro" })];
    const secret = one.url.split("/").at(-1)!;
    expect(await get(one.url)).toMatchObject({ status: 200 });
    for (const wrong of [
      one.url.slice(0, -1),
      `${one.url}A`,
      `${app.url}/checkout/${other.id}/${secret}`,
      `${app.url}/checkout/${one.id.toUpperCase()}/${secret}`,
      `${app.url}/checkout/${one.id}/${"A".repeat(43)}`,
      `${app.url}/checkout/${one.id}/%00`,
      `${app.url}/checkout/${one.id}/`,
    ]) {
      expect(await get(wrong)).toMatchObject({ status: 404, text: expect.stringContaining("Page not found") });
      expect(await post(wrong, { ...ada, ...CARD })).toMatchObject({ status: 404 });
    }
  });

  test("answers HEAD, and 405 to a method that it does not have", async () => {
    const { url } = await checkout({ productKey: "pro" });
    expect(await get(url, "HEAD")).toMatchObject({ status: 200, text: "" });
    const { status, headers } = await get(url, "DELETE");
    expect(status).toBe(405);
    expect(headers.get("Allow")!.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
  });

  test.each([
    // a browser's headers              expected
    [{ "Sec-Fetch-Site": "same-origin" }, 422],
    [{ "Sec-Fetch-Site": "none" }, 422],
    [{ "Sec-Fetch-Site": "same-site" }, 403],
    [{ "Sec-Fetch-Site": "cross-site" }, 403],
    [{ "Sec-Fetch-Site": "cross-site", Origin: "null" }, 403],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "null" }, 422],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{}, 422],
  ])("takes a form with %j: %i", async (headers, expected) => {
    const { url } = await checkout({ productKey: "pro" });
    expect(await post(url, {}, headers as Record<string, string>)).toMatchObject({ status: expected });
  });

  test("takes a form from its own origin by an older browser, and nothing but forms", async () => {
    const { url } = await checkout({ productKey: "pro" });
    expect(await post(url, {}, { Origin: app.url })).toMatchObject({ status: 422 });
    expect(await post(url, {}, { "Content-Type": "application/json" })).toMatchObject({ status: 415 });
    expect(await post(url, { name: "x".repeat(20_000) })).toMatchObject({ status: 413 });
    const inPieces = { method: "POST", body: new Blob(["email=ada"]).stream(), duplex: "half" } as const;
    const sent = await fetch(url, { ...inPieces, headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    expect({ status: sent.status, text: await sent.text() }).toEqual({
      status: 422,
      text: expect.stringContaining('value="ada"'),
    });
  });

  test("never shows a card's number or code again, wherever they were typed", async () => {
    const { url, id } = await checkout({ productKey: "pro" });
    const shown = { expectedAmount: "3000" };
    for (const fields of [
      { ...CARD, email: "not an address", name: "Ada", ...shown },
      { ...DECLINED, ...ada, name: "Ada", ...shown },
      { ...CARD, ...ada, cvc: "98", ...shown },
      { ...CARD, ...ada, expectedAmount: "1" },
      { email: NUMBER, name: "4242 4242 4242 4242", expiry: NUMBER, number: "", cvc: "" },
    ]) {
      const { status, text } = await post(url, fields);
      expect(status).toBeGreaterThanOrEqual(400);
      const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([input]) => input).join("\n");
      expect(inputs).not.toMatch(/42\s?42|00\s?02|98/);
      expect(text).not.toContain(fields.number.replaceAll(" ", "") || NUMBER);
    }
    expect(await read(id)).toMatchObject({ status: "open" });
  });

  test("keeps the rest of the typed values, as text", async () => {
    const { url } = await checkout({ productKey: "pro" });
    const { text } = await post(url, { email: "ada", name: `"><script>x</script>`, expiry: "12/40" });
    expect(text).toContain(`value="ada"`);
    expect(text).toContain(`value="12/40"`);
    expect(text).toContain("&quot;&gt;&lt;script&gt;");
    expect(text).toContain(`aria-describedby="email-fault"`);
  });

  test.each([
    // typed                                        field     said
    [{ number: "4111111111111111" }, "number", "A sandbox takes only its test cards"],
    [{ number: "42" }, "number", "Enter the full card number"],
    [{ expiry: "13 / 40" }, "expiry", "Enter the month and year"],
    [{ expiry: "01 / 20" }, "expiry", "This date is in the past."],
    [{ cvc: "12" }, "cvc", "Enter the 3 digits from the back"],
    [{ email: "" }, "email", "Enter your e-mail address."],
    [{ email: "a@b" }, "email", "Enter an e-mail address like"],
    [{ email: "a\u0000@example.com" }, "email", "Enter an e-mail address like"],
    [{ name: "\u0007" }, "name", "Enter a name"],
  ])("names the fault of %j at the field", async (typed, field, said) => {
    const { url } = await checkout({ productKey: "pro" });
    const { status, text } = await post(url, { ...CARD, ...ada, expectedAmount: "3000", ...typed });
    expect(status).toBe(422);
    expect(text).toContain(`<p class="fault" id="${field}-fault">`);
    expect(text).toContain(said);
    expect(text).toContain(`<a href="#${field}">`);
  });

  test.each(["12/40", "12 / 40", "1240", "12-40", "12 / 2040", "12.40", " 12 40 "])(
    "takes the expiry %j",
    async (expiry) => {
      const { url, id } = await checkout({ productKey: "once" });
      expect(await post(url, { ...CARD, ...ada, expiry, expectedAmount: "4900" })).toMatchObject({ status: 303 });
      expect(await read(id)).toMatchObject({ status: "completed" });
    },
  );

  test("charges nothing that the buyer did not see", async () => {
    const { url, id } = await checkout({ productKey: "once" });
    for (const expectedAmount of [{}, { expectedAmount: "1" }, { expectedAmount: "-4900" }]) {
      const answer = await post(url, { ...CARD, ...ada, ...expectedAmount });
      expect(answer).toMatchObject({ status: 409, text: expect.stringContaining("Please check the amount again") });
    }
    expect(await read(id)).toMatchObject({ status: "open" });
  });

  test("charges the buyer that was typed last, after a declined card", async () => {
    const { url, id } = await checkout({ productKey: "once" });
    const shown = { expectedAmount: "4900" };
    expect(await post(url, { ...DECLINED, ...shown, email: "mistyped@example.com" })).toMatchObject({ status: 402 });
    expect(await post(url, { ...CARD, ...shown, email: "meant@example.com" })).toMatchObject({ status: 303 });
    const { customerId } = await read(id);
    expect((await app.manage("GET", `/customers/${customerId}`)).body).toMatchObject({ email: "meant@example.com" });
  });

  test("tells of a trial that was used before, and charges when that is confirmed", async () => {
    const buyer = { email: "twice@example.com" };
    const first = await checkout({ productKey: "trial", customer: buyer });
    expect(await post(first.url, { ...CARD, expectedAmount: "0" })).toMatchObject({ status: 303 });
    const { subscriptionId } = await read(first.id);
    expect(await app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {})).toMatchObject({ status: 200 });
    const { url, id } = await checkout({ productKey: "trial" });
    const answer = await post(url, { ...CARD, ...buyer, expectedAmount: "0" });
    expect(answer).toMatchObject({
      status: 409,
      text: expect.stringContaining("The 14-day free trial has already been used"),
    });
    expect(answer.text).toContain(`name="expectedAmount" value="3000"`);
    expect(answer.text).toContain("Pay US$30.00");
    expect(await post(url, { ...CARD, ...buyer, expectedAmount: "3000" })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3000 });
  });

  test("needs no card where it may be left out", async () => {
    const optional = await checkout({ productKey: "trial-optional" });
    expect(await post(optional.url, { email: "new@example.com", expectedAmount: "0" })).toMatchObject({ status: 303 });
    expect(await read(optional.id)).toMatchObject({ status: "completed" });
    const halfTyped = await checkout({ productKey: "trial-optional" });
    expect(await post(halfTyped.url, { ...ada, number: NUMBER, expectedAmount: "0" })).toMatchObject({ status: 422 });
  });

  test("takes no more cards after too many were declined", async () => {
    const { url } = await checkout({ productKey: "once" });
    for (let n = 1; n < MAX_FAILED_ATTEMPTS; n += 1) {
      expect(await post(url, { ...DECLINED, ...ada, expectedAmount: "4900" })).toMatchObject({ status: 402 });
    }
    const last = await post(url, { ...DECLINED, ...ada, expectedAmount: "4900" });
    expect(last).toMatchObject({ status: 402, text: expect.stringContaining("Too many failed attempts") });
    expect(await post(url, { ...CARD, ...ada, expectedAmount: "4900" })).toMatchObject({ status: 409 });
    expect((await get(url)).text).toContain("Too many failed attempts");
  });

  test("counts the attempts of one address", async () => {
    const { url } = await checkout({ productKey: "once" });
    const from = { "X-Forwarded-For": "198.51.100.7" };
    const answers = await Promise.all(Array.from({ length: 31 }, () => post(url, {}, from)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(30);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await post(url, {}, { "X-Forwarded-For": "198.51.100.8" })).toMatchObject({ status: 422 });
  });

  test("counts the attempts of one /64 of IPv6", async () => {
    const { url } = await checkout({ productKey: "once" });
    const from = (address: string) => ({ "X-Forwarded-For": address });
    const answers = await Promise.all(Array.from({ length: 31 }, (_, n) => post(url, {}, from(`2001:db8:0:1::${n}`))));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(30);
    expect(await post(url, {}, from("2001:db8:0:1:8000::1"))).toMatchObject({ status: 429 });
    expect(await post(url, {}, from("2001:db8:0:2::1"))).toMatchObject({ status: 422 });
  });
});

describe("on another server", () => {
  const asked = { client: "192.0.2.1", requestId: "req_1" };

  test("that is a directory of a site with TLS, everything stays below it", async () => {
    const pages = createWebApp({
      ...app.ctx,
      config: { ...app.ctx.config, publicOrigin: "https://shop.example/billing" },
    });
    const home = await pages.request("/", {}, asked);
    expect(home.headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    expect(await home.text()).toContain(`href="/billing/static/pages.`);
    const { id, url } = await checkout({ productKey: "once" });
    const path = new URL(url).pathname;
    const body = new URLSearchParams({ ...CARD, ...ada, expectedAmount: "4900" });
    const paid = await pages.request(path, { method: "POST", body }, asked);
    expect(paid.status).toBe(303);
    expect(paid.headers.get("Location")).toBe(`/billing${path}`);
    const attributes = `Path=/billing/checkout/${id}; HttpOnly; Secure; SameSite=Lax`;
    const cookies = [
      "billow_visit=1; Max-Age=7200",
      ...["input", "purchase"].map((name) => `billow_${name}=v1; Max-Age=86400`),
    ];
    const set = paid.headers.getSetCookie().map((each) => each.replace(/v1[.\w-]+/, "v1"));
    expect(set.sort()).toEqual(cookies.map((each) => `${each}; ${attributes}`).sort());
  });

  test("without a payment provider, the page says so", async () => {
    const live = await startLiveStory();
    await live.plan("pro", 3000);
    const { url } = await live.ok(live.app.api("POST", "/checkouts", { productKey: "pro" }));
    // Without a stored key too, no real card may be typed on the page.
    for (const take of [takeNoCards, loseKeys]) {
      await take(live.app);
      const { text } = await get(url);
      expect(text).toContain("Payments are not set up yet");
      expect(text).not.toContain("<input");
      expect(await post(url, { ...CARD, ...ada })).toMatchObject({ status: 409 });
    }
    await takeSandboxCards(live.app);
    await live.close();
  });

  test("without a database, it asks to be tried again", async () => {
    const query = () => Promise.reject(new AppError("unavailable"));
    const pages = createWebApp({ ...app.ctx, db: { ...app.ctx.db, read: { kind: "read", query } } });
    const answer = await pages.request(new URL((await checkout({ productKey: "pro" })).url).pathname, {}, asked);
    expect({ status: answer.status, retryAfter: answer.headers.get("Retry-After") }).toEqual({
      status: 503,
      retryAfter: "1",
    });
    expect(await answer.text()).toContain("Please try again in a moment.");
  });
});

describe("the sandbox's bank", () => {
  test("knows its own challenges only", async () => {
    const { id: organization } = app.organization;
    for (const path of [
      `${organization}/${"x".repeat(32)}`,
      `${organization}/short`,
      `org_x/${"x".repeat(32)}`,
      `${organization}/%00`,
    ]) {
      expect(await get(`${app.url}/sandbox/challenge/${path}`)).toMatchObject({ status: 404 });
      expect(await post(`${app.url}/sandbox/challenge/${path}`, { answer: "pass" })).toMatchObject({ status: 404 });
    }
  });

  test("leads back to where the buyer came from, and takes the first answer", async () => {
    const { url, id } = await checkout({ productKey: "once" });
    await post(url, { ...CARD, ...ada, number: "4000 0000 0000 3220", expectedAmount: "4900" });
    const challenge = (await get(url)).text.match(/href="([^"]+\/sandbox\/challenge\/[^"]+)"/)![1]!;
    expect(await post(challenge, { answer: "maybe" })).toMatchObject({ status: 303 });
    expect(await post(challenge, { answer: "pass" }, { "Sec-Fetch-Site": "cross-site" })).toMatchObject({
      status: 403,
    });
    const answered = await post(challenge, { answer: "pass" });
    expect(answered.status).toBe(303);
    expect(redirectOf(url, await get(redirectOf(url, answered)))).toBe(url);
    await post(challenge, { answer: "fail" });
    expect((await get(challenge)).text).toContain("This question has already been answered");
    expect((await get(url)).text).toContain("Your payment was received");
    expect(await read(id)).toMatchObject({ status: "completed" });
  });
});
