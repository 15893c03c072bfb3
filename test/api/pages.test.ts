import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { downloadUrl } from "../../src/actions/links.ts";
import { realNow } from "../../src/clock.ts";
import { MAX_FAILED_ATTEMPTS } from "../../src/actions/submit-checkout.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";

const NUMBER = "4242424242424242";
const CARD = { number: NUMBER, expiry: "12 / 40", cvc: "987" };
const DECLINED = { ...CARD, number: "4000 0000 0000 0002" };

let app: TestApp;
let dataDir: string;
let addresses = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "billow-pages-"));
  app = await startTestApp({ dataDir, trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
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

afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true });
});

async function checkout(params: object): Promise<Json> {
  const { status, body } = await app.api("POST", "/checkouts", params);
  expect(status).toBe(201);
  return body;
}

const read = async (id: string) => (await app.api("GET", `/checkouts/${id}`)).body;

type Page = { status: number; headers: Headers; text: string };

/** Each from an address of its own, unless `headers` say which. */
async function get(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Page> {
  const response = await fetch(url, { method, headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
  const from = { "X-Forwarded-For": `192.0.2.${(addresses += 1)}`, ...headers };
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields), headers: from, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const ada = { email: "ada@example.com" };

describe("every page", () => {
  const pages = ["/", "/nothing/here", "/checkout/chk_01h455vb4pex5vsknk084sn02q/wrong", "/static/nothing.css", "/downloads/a/b/c"];

  test.each(pages)("%s keeps to itself", async (path) => {
    const { headers, text } = await get(app.url + path);
    expect(headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
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
    expect(paths.map((path) => path.replace(/\.\w{16}\./, "."))).toEqual(["/static/icon.svg", "/static/pages.css", "/static/pages.js"]);
    for (const path of paths) {
      const { status, headers } = await get(app.url + path);
      expect(status).toBe(200);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    }
  });

  test("shows the Organization's colour by a style sheet of its own", async () => {
    const { text, headers } = await get(`${app.url}/static/accent-ffd400.css`);
    expect(headers.get("Content-Type")).toBe("text/css; charset=utf-8");
    expect(text).toBe(":root{--accent:#ffd400;--accent-ink:#000000;--accent-text:#846e00}\n");
    for (const wrong of ["accent-FFD400", "accent-ffd40", "accent-ffd400;x", "..%2f..%2fapp.ts"]) {
      expect(await get(`${app.url}/static/${wrong}.css`)).toMatchObject({ status: 404 });
    }
  });

  test("hands out the client", async () => {
    const response = await fetch(`${app.url}/client.tgz`);
    expect(response.headers.get("Content-Type")).toBe("application/gzip");
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 2)]).toEqual([0x1f, 0x8b]);
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
      expect(await get(wrong)).toMatchObject({ status: 404, text: expect.stringContaining("Nothing here") });
      expect(await post(wrong, { ...ada, ...CARD })).toMatchObject({ status: 404 });
    }
  });

  test("answers HEAD, and 405 to what it is not for", async () => {
    const { url } = await checkout({ productKey: "pro" });
    expect(await get(url, {}, "HEAD")).toMatchObject({ status: 200, text: "" });
    const { status, headers } = await get(url, {}, "DELETE");
    expect(status).toBe(405);
    expect(headers.get("Allow")!.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
  });

  test.each([
    // what a browser says             expected
    [{ "Sec-Fetch-Site": "same-origin" }, 422],
    [{ "Sec-Fetch-Site": "none" }, 422],
    [{ "Sec-Fetch-Site": "same-site" }, 403],
    [{ "Sec-Fetch-Site": "cross-site" }, 403],
    [{ "Sec-Fetch-Site": "cross-site", Origin: "null" }, 403],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "null" }, 422],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 422],
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
    expect({ status: sent.status, text: await sent.text() }).toEqual({ status: 422, text: expect.stringContaining('value="ada"') });
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

  test("keeps the rest of what was typed, as text", async () => {
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
    [{ number: "42" }, "number", "Enter the whole card number"],
    [{ expiry: "13 / 40" }, "expiry", "Enter the month and year"],
    [{ expiry: "01 / 20" }, "expiry", "not in the past"],
    [{ cvc: "12" }, "cvc", "Enter the security code"],
    [{ email: "" }, "email", "Enter your e-mail address."],
    [{ email: "a@b" }, "email", "Enter an e-mail address like"],
    [{ email: "a\u0000@example.com" }, "email", "Enter an e-mail address like"],
    [{ name: "\u0007" }, "name", "Enter a name"],
  ])("says at the field what is wrong with %j", async (typed, field, said) => {
    const { url } = await checkout({ productKey: "pro" });
    const { status, text } = await post(url, { ...CARD, ...ada, expectedAmount: "3000", ...typed });
    expect(status).toBe(422);
    expect(text).toContain(`<p class="fault" id="${field}-fault">`);
    expect(text).toContain(said);
    expect(text).toContain(`<a href="#${field}">`);
  });

  test.each(["12/40", "12 / 40", "1240", "12-40", "12 / 2040", "12.40", " 12 40 "])("takes the expiry %j", async (expiry) => {
    const { url, id } = await checkout({ productKey: "once" });
    expect(await post(url, { ...CARD, ...ada, expiry, expectedAmount: "4900" })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ status: "completed" });
  });

  test("charges nothing that the buyer did not see", async () => {
    const { url, id } = await checkout({ productKey: "once" });
    for (const expectedAmount of [{}, { expectedAmount: "1" }, { expectedAmount: "-4900" }]) {
      const answer = await post(url, { ...CARD, ...ada, ...expectedAmount });
      expect(answer).toMatchObject({ status: 409, text: expect.stringContaining("Please look at the amount again") });
    }
    expect(await read(id)).toMatchObject({ status: "open" });
  });

  test("charges whoever was typed last, after a declined card", async () => {
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
    const told = await post(url, { ...CARD, ...buyer, expectedAmount: "0" });
    expect(told).toMatchObject({ status: 409, text: expect.stringContaining("The 14 days free were used before") });
    expect(told.text).toContain(`name="expectedAmount" value="3000"`);
    expect(told.text).toContain("Pay US$30.00");
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
    expect(last).toMatchObject({ status: 402, text: expect.stringContaining("Too many cards were declined") });
    expect(await post(url, { ...CARD, ...ada, expectedAmount: "4900" })).toMatchObject({ status: 409 });
    expect((await get(url)).text).toContain("Too many cards were declined");
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
});

describe("the sandbox's bank", () => {
  test("knows its own challenges only", async () => {
    const { id: organization } = app.organization;
    for (const path of [`${organization}/${"x".repeat(32)}`, `${organization}/short`, `org_x/${"x".repeat(32)}`, `${organization}/%00`]) {
      expect(await get(`${app.url}/sandbox/challenge/${path}`)).toMatchObject({ status: 404 });
      expect(await post(`${app.url}/sandbox/challenge/${path}`, { answer: "pass" })).toMatchObject({ status: 404 });
    }
  });

  test("leads back to where the buyer came from, and takes the first answer", async () => {
    const { url, id } = await checkout({ productKey: "once" });
    await post(url, { ...CARD, ...ada, number: "4000 0000 0000 3220", expectedAmount: "4900" });
    const challenge = (await get(url)).text.match(/href="([^"]+\/sandbox\/challenge\/[^"]+)"/)![1]!;
    expect(await post(challenge, { answer: "maybe" })).toMatchObject({ status: 303 });
    expect(await post(challenge, { answer: "pass" }, { "Sec-Fetch-Site": "cross-site" })).toMatchObject({ status: 403 });
    const answered = await post(challenge, { answer: "pass" });
    expect(answered.status).toBe(303);
    expect(app.url + answered.headers.get("Location")).toBe(url);
    await post(challenge, { answer: "fail" });
    expect((await get(challenge)).text).toContain("This was answered already");
    expect((await get(url)).text).toContain("Your payment was received");
    expect(await read(id)).toMatchObject({ status: "completed" });
  });
});

describe("downloads", () => {
  let grant: Json;
  const link = (file: number, at = realNow()) => downloadUrl(app.ctx, app.organization.id, grant.id, file, at);

  beforeAll(async () => {
    const directory = join(dataDir, "downloads");
    await mkdir(directory);
    await writeFile(join(directory, "book.txt"), "It was a dark and stormy night.");
    await writeFile(join(directory, "moved.txt"), "Here today.");
    const files = [{ path: "book.txt", name: `Der "Prozeß" – 第一章.txt` }, { path: "moved.txt" }];
    const benefit = await app.manage("POST", "/benefits", { type: "download", name: "Book", properties: { files } });
    const prices = [{ currency: "usd", amount: 0 }];
    const product = { key: "book", name: "Book", interval: "month", group: "books", prices, benefitIds: [benefit.body.id] };
    await app.manage("POST", "/products", product);
    const { url } = await checkout({ productKey: "book", customer: { email: "reader@example.com", externalId: "reader" } });
    await post(url, { expectedAmount: "0" });
    [grant] = (await app.api("GET", "/benefit-grants?externalCustomerId=reader")).body.data;
    // What a benefit names may be replaced afterwards by a link to somewhere else.
    await writeFile(join(dataDir, "secret.txt"), "Not for readers.");
    await rm(join(directory, "moved.txt"));
    await symlink(join(dataDir, "secret.txt"), join(directory, "moved.txt"));
  });

  test("come under their own name, as a file", async () => {
    const { url } = grant.properties.files[0];
    const { status, headers, text } = await get(url);
    expect({ status, text }).toEqual({ status: 200, text: "It was a dark and stormy night." });
    const full = "Der%20%22Proze%C3%9F%22%20%E2%80%93%20%E7%AC%AC%E4%B8%80%E7%AB%A0.txt";
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="Der _Proze__ _ ___.txt"; filename*=UTF-8''${full}`);
    expect(headers.get("Content-Length")).toBe("31");
    expect(headers.get("Content-Type")).toBe("application/octet-stream");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await get(url, {}, "HEAD")).toMatchObject({ status: 200, text: "" });
  });

  test("need a link that we made, for a file that is there", async () => {
    const good = link(0);
    for (const wrong of [
      good.replace("/0?", "/1?"),
      good.replace("/0?", "/00?"),
      good.replace("/0?", "/..%2fsecret.txt?"),
      good.replace(/expires=(\d+)/, (_, expires: string) => `expires=${Number(expires) + 1}`),
      good.replace(/&signature=.*/, ""),
      good.slice(0, -1),
      link(1),
      link(2),
    ]) {
      expect(await get(wrong)).toMatchObject({ status: 404, text: expect.not.stringContaining("Not for readers.") });
    }
  });

  test("end with the link and with the grant", async () => {
    expect(await get(link(0, realNow() - 16 * 60_000))).toMatchObject({ status: 410 });
    expect(await get(link(0))).toMatchObject({ status: 200 });
    await app.api("PATCH", `/subscriptions/${grant.subscriptionId}`, { cancelAtPeriodEnd: true });
    expect(await get(link(0))).toMatchObject({ status: 200 });
    await app.manage("POST", `/subscriptions/${grant.subscriptionId}/cancel-now`, {});
    expect(await get(link(0))).toMatchObject({ status: 410 });
  });
});
