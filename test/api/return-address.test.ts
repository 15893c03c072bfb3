import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { returnUrl } from "../../src/actions/links.ts";
import { createWebApp } from "../../src/web/app.ts";
import type { Json } from "../support/app.ts";
import { payHosted, redirectOf, takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let checkout: Json;
let names = 0;
/** The provider's page, and the address to which the provider leads back. */
let page: string;
let address: string;

beforeAll(async () => {
  story = await startStory({ clock: "2026-02-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await takeHostedCards(story.app);
  await story.plan("book", 4900, { interval: null });
});
afterAll(() => story.close());

beforeEach(async () => {
  const customer = { email: `buyer-${(names += 1)}@example.com` };
  checkout = await story.ok(
    story.app.api("POST", "/checkouts", { productKey: "book", customer, successUrl: "https://shop.example/thanks" }),
  );
  page = redirectOf(checkout.url, await post(checkout.url, { expectedAmount: "4900" }));
  const [, back] = /class="back"><a href="([^"]+)"/.exec((await get(page)).text)!;
  address = new URL(back!, page).href;
});

const secretOf = (url: string) => url.split("/").at(-1)!;

describe("the return address of a payment", () => {
  it("holds no secret of the page, in its place the names of Organization and payment", () => {
    const secret = secretOf(checkout.url);
    expect(address).toMatch(/\/return\/[\w-]{95}$/);
    expect(address).not.toContain(secret.slice(-43));
    expect(address).not.toContain(checkout.id);
  });

  it("leads to the page, and drops all that the provider appended", async () => {
    const appended = "payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded";
    const back = await get(`${address}?${appended}`);
    expect([back.status, redirectOf(address, back)]).toEqual([303, checkout.url]);
    expect(back.headers.get("Location")).toBe(new URL(checkout.url).pathname);
    expect(back.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(back.headers.get("Cache-Control")).toBe("no-store");
  });

  it("reads the outcome at once for a buyer who comes back before any notice", async () => {
    const [organizationId, token] = page.split("/").slice(-2) as [string, string];
    const typed = { number: CARDS.pays, expMonth: 12, expYear: 2040, cvc: "123" };
    // The provider knows of the payment, and has told Billow nothing.
    await story.app.ctx.payments.sandbox.payOnPage(organizationId, token, typed);
    const to = redirectOf(address, await get(address));
    expect(wordsOf((await get(to)).text)).toContain("Your order is complete. We’re taking you back.");
  });

  it("works in another browser, without a cookie, and brings the visit with it", async () => {
    await payHosted(page, CARDS.pays);
    // Without the cookie of the visit, the page of a completed Checkout only says that it is paid.
    expect(wordsOf((await get(checkout.url)).text)).toContain("Already paid");
    const back = await get(address);
    const cookie = back.headers.get("Set-Cookie")!;
    expect(cookie).toMatch(/^billow_visit=1; Max-Age=7200; Path=\/checkout\/chk_\w+; HttpOnly; SameSite=Lax$/);
    const { headers } = await post(checkout.url, {}, { Cookie: cookie.split(";")[0]! });
    expect(headers.get("Location")).toBe(new URL(checkout.url).pathname);
    const arrival = await fetch(checkout.url, { headers: { Cookie: cookie.split(";")[0]! } });
    expect(await arrival.text()).toContain("We’re taking you back.");
  });

  it("may be used again while the payment waits, and for an hour after its end", async () => {
    for (let time = 0; time < 3; time += 1) expect((await get(address)).status).toBe(303);
    await payHosted(page, CARDS.pays);
    const { now } = await story.ok(story.app.manage("GET", "/sandbox/clock"));
    await story.travel(new Date(Date.parse(now) + 3_599_999).toISOString());
    expect((await get(address)).status).toBe(303);
    await story.travel(new Date(Date.parse(now) + 3_600_000).toISOString());
    await story.ok(story.app.manage("PATCH", "/organization", { websiteUrl: "https://shop.example" }));
    const late = await get(address);
    expect(late.text).toMatch(/<a class="button" href="https:\/\/shop\.example\/?"/);
    expect([late.status, late.headers.get("Location")]).toEqual([410, null]);
    expect(wordsOf(late.text)).toContain("This payment page has closed");
    expect(late.text).not.toContain(secretOf(checkout.url));
  });

  it.each([
    ["an unknown name", () => `${story.app.url}/return/abc`],
    ["another seal", () => address.slice(0, -1) + (address.endsWith("A") ? "B" : "A")],
    ["the seal of another page", () => `${address.slice(0, -43)}${secretOf(checkout.url).slice(-43)}`],
    [
      "a payment that does not exist",
      () =>
        returnUrl(story.app.ctx, {
          organizationId: story.app.organization.id,
          id: "pay_01h455vb4pex5vsknk084sn02q",
        }),
    ],
  ])("is not found with %s", async (_name, wrong) => {
    expect(await get(wrong())).toMatchObject({ status: 404 });
  });

  it("takes no form", async () => {
    const answer = await post(address, { payment: "1" });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("stays below the directory of a site", async () => {
    const config = { ...story.app.ctx.config, publicOrigin: "https://shop.example/billing" };
    const pages = createWebApp({ ...story.app.ctx, config });
    const asked = { client: "192.0.2.1", requestId: "req_1" };
    const answer = await pages.request(`${new URL(address).pathname}?a=b`, {}, asked);
    const path = `/billing${new URL(checkout.url).pathname}`;
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    expect(answer.headers.get("Set-Cookie")).toMatch(/Path=\/billing\/checkout\/chk_\w+; HttpOnly; Secure/);
  });
});
