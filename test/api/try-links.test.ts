import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tryUrl } from "../../src/actions/links.ts";
import { seed } from "../../src/actions/sandbox/seed.ts";
import { lines, sendRaw } from "../http/raw-request.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { get, wordsOf } from "../support/pages.ts";

let app: TestApp;
const start = async (config: Parameters<typeof startTestApp>[0] = {}) => {
  app = await startTestApp({ databaseUrl: null, ...config });
};
afterEach(() => app.close());

const LINK = /href="([^"]*)">(Try a Checkout|E-mails|Portal)</g;
const linksOf = (html: string) => Object.fromEntries([...html.matchAll(LINK)].map(([, path, name]) => [name, path]));

/** The links that `/` shows to a request of this machine, by their words. */
const homeLinks = async () => linksOf((await get(`${app.url}/`)).text);

describe("a sandbox by its links", () => {
  beforeEach(async () => {
    await start();
    await seed(app.ctx, app.organization);
  });

  test("sells the demo, and signs its newest Customer in", async () => {
    const links = await homeLinks();
    const before = await get(app.url + links["Portal"]);
    expect([before.status, wordsOf(before.text)]).toEqual([200, expect.stringContaining("No customer yet")]);
    expect(linksOf(before.text)["Try a Checkout"]).toBe(links["Try a Checkout"]);

    const [one, other] = [await get(app.url + links["Try a Checkout"]), await get(app.url + links["Try a Checkout"])];
    expect(one.status).toBe(303);
    const page = await get(app.url + one.headers.get("Location"));
    expect([page.status, wordsOf(page.text)]).toEqual([200, expect.stringContaining("$30.00")]);
    expect(other.headers.get("Location")).not.toBe(one.headers.get("Location"));

    for (const [n, name] of ["ada", "grace"].entries()) {
      const id = /chk_\w{26}/.exec([one, other][n]!.headers.get("Location")!)![0];
      const paid = { card: "4242424242424242", email: `${name}@example.com` };
      expect((await app.manage("POST", `/sandbox/checkouts/${id}/pay`, paid)).status).toBe(200);
    }
    const invitation = await get(app.url + links["Portal"]);
    expect(invitation.status).toBe(303);
    const signIn = await get(app.url + invitation.headers.get("Location"));
    expect([signIn.status, wordsOf(signIn.text)]).toEqual([200, expect.stringContaining("grace@example.com")]);
    const emails = wordsOf((await get(app.url + links["E-mails"])).text);
    expect(emails.match(/receipt/g)).toHaveLength(2);
  });

  test("leads from the request for a link to the e-mail, only on this machine", async () => {
    await app.api("POST", "/customers", { email: "ada@example.com", locale: "de" });
    const { "E-mails": mailbox } = await homeLinks();
    const { id } = app.organization;
    const ask = async (headers: Record<string, string>) => {
      const body = new URLSearchParams({ email: "ada@example.com" });
      const answer = await fetch(`${app.url}/portal/${id}`, { method: "POST", body, headers });
      return answer.text();
    };
    const here = await ask({});
    expect(wordsOf(here)).toContain("This is a sandbox: every e-mail is also in the test mailbox .");
    expect(here).toContain(`<a href="${mailbox}">the test mailbox</a>`);
    const elsewhere = await ask({ "X-Forwarded-For": "203.0.113.9" });
    expect(wordsOf(elsewhere)).toContain("This is a sandbox: every e-mail is also in the test mailbox.");
    expect(elsewhere).not.toContain(mailbox);
  });

  test("dates its e-mails to the minute, in the Organization's time zone", async () => {
    await app.manage("PATCH", "/organization", { timeZone: "Asia/Kolkata" });
    await app.manage("PUT", "/sandbox/clock", { now: "2030-03-12T09:00:00Z" });
    const { "E-mails": mailbox, "Try a Checkout": link } = await homeLinks();
    const made = await get(app.url + link);
    const id = /chk_\w{26}/.exec(made.headers.get("Location")!)![0];
    const paid = { card: "4242424242424242", email: "ada@example.com" };
    expect((await app.manage("POST", `/sandbox/checkouts/${id}/pay`, paid)).status).toBe(200);
    const list = (await get(app.url + mailbox)).text;
    expect(wordsOf(list)).toContain(" · 12 March 2030 at 14:30 · ");
    const [, message] = /<a href="([^"]*\/eml_\w+)"/.exec(list)!;
    expect(wordsOf((await get(app.url + message)).text)).toContain("12 March 2030 at 14:30");
  });

  test("sells the oldest Product for sale while the demo's Product is archived, and then no Product", async () => {
    const { "Try a Checkout": checkout, ...others } = await homeLinks();
    const archive = async ({ id }: Json) =>
      expect((await app.manage("PATCH", `/products/${id}`, { archived: true })).status).toBe(200);
    const products: Json[] = (await app.manage("GET", "/products?limit=100")).body.data;
    const pro = products.find(({ key }) => key === "pro")!;
    const [oldest, ...newer] = products.filter((product) => product !== pro).reverse();
    await archive(pro);
    const made = await get(app.url + checkout);
    expect(wordsOf((await get(app.url + made.headers.get("Location"))).text)).toContain(oldest!["name"]);
    for (const product of [oldest!, ...newer]) await archive(product);
    expect(await homeLinks()).toEqual(others);
    expect((await get(app.url + checkout)).status).toBe(404);
    expect((await get(app.url + others["Portal"])).text).not.toContain("Try a Checkout");
  });

  test("stops a client after 30 requests in a minute", async () => {
    const { Portal: portal } = await homeLinks();
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n += 1) statuses.add((await get(app.url + portal)).status);
    expect([...statuses]).toEqual([200]);
    expect((await get(app.url + portal)).status).toBe(429);
  });

  test("is not reached with another page's secret, or with a changed one", async () => {
    const { "Try a Checkout": checkout = "", Portal: portal = "", "E-mails": emails = "" } = await homeLinks();
    const secretOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
    const wrong = [portal, emails].map((path) => `/sandbox/try/checkout/${secretOf(path)}`);
    const changed = checkout.slice(0, -1) + (checkout.endsWith("A") ? "B" : "A");
    for (const path of [...wrong, changed, "/sandbox/try/checkout/x"])
      expect((await get(app.url + path)).status).toBe(404);
  });
});

test("a live Organization has no such link, even with the right secret", async () => {
  await start();
  const { organization } = await app.otherOrganization({ mode: "live" });
  await seed(app.ctx, organization);
  for (const page of ["checkout", "portal"] as const)
    expect((await get(tryUrl(app.ctx, page, organization.id))).status).toBe(404);
});

describe("the page at /", () => {
  const isShown = async () => (await get(`${app.url}/`)).text.includes("/sandbox/");

  test("has the links of every sandbox, until there is a live Organization", async () => {
    await start();
    await app.otherOrganization();
    expect((await get(`${app.url}/`)).text.match(/\(sandbox\)/g)).toHaveLength(2);
    await app.otherOrganization({ mode: "live" });
    expect(await isShown()).toBe(false);
  });

  test("has no links on a database of the operator's own", async () => {
    await start({ databaseUrl: "postgres://db.example.com/billow" });
    expect(await isShown()).toBe(false);
  });

  test("has no links if browsers reach Billow under a public name", async () => {
    await start({ publicOrigin: "https://billing.example.com" });
    expect(await isShown()).toBe(false);
  });

  test("has no links for a request of another host or through a proxy", async () => {
    await start();
    const ask = async (...headers: string[]) =>
      String((await sendRaw(app.url, lines("GET / HTTP/1.1", ...headers))).body);
    expect(await ask("Host: localhost")).toContain("/sandbox/");
    for (const header of ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 proxy", "X-Real-IP: ::1"])
      expect(await ask("Host: localhost", header)).not.toContain("/sandbox/");
    const page = await ask("Host: evil.example");
    expect(page).toContain("Billow is running");
    expect(page).not.toContain("/sandbox/");
  });
});
