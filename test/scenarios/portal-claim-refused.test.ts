import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller, type Json } from "../support/app.ts";
import { bankOf, keepsSilent } from "../support/bank.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { signInTo, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/**
 * Eva owns the address, and is signed in. Club and Gym were bought with her address. Mallory is another Customer, also
 * signed in. Each test ends with the same state of Eva's account.
 */
describe("what no stranger can do with purchases by a Customer's e-mail address (rules C12, C13)", () => {
  let story: Story;
  let portal: string;
  let eva: WebClient;
  let mallory: WebClient;
  let evas: string;
  let mallorys: string;
  const bought: Record<string, Json> = {};

  async function buy(productKey: string, card: string, email: string): Promise<Json> {
    const { id, url } = await story.ok(story.app.api("POST", "/checkouts", { productKey }));
    const { subscriptionId } = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card, email }),
    );
    return { ...(await story.subscription(subscriptionId)), url };
  }
  const cards = async (customerId: string): Promise<string[]> =>
    (await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`))).data
      .map(({ last4, isDefault }: Json) => `${last4}${isDefault ? " default" : ""}`)
      .sort();
  const of = (key: string) => `${portal}/subscriptions/${bought[key]!["id"]}`;
  const typed = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };
  /** The status and card of each of Eva's plans, as her account shows them. */
  const state = async () => {
    const text = wordsOf((await eva.get(portal)).text);
    return {
      unclaimed: text.match(/This was bought with your e-mail address/g)?.length ?? 0,
      charges: [...text.matchAll(/US\$\S+ to Visa •••• \d{4}/g)].map(([each]) => each).sort(),
      cards: await cards(evas),
    };
  };
  const BEGINS = {
    unclaimed: 2,
    charges: ["US$30.00 to Visa •••• 4242", "US$5.00 to Visa •••• 0341", "US$7.00 to Visa •••• 5556"],
    cards: ["0341", "4242 default", "5556"],
  };

  beforeAll(async () => {
    story = await startStory({ clock: "2026-06-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    portal = `/portal/${story.app.organization.id}`;
    await story.plan("pro", 3000, { name: "Pro" });
    await story.plan("club", 500, { name: "Club", group: "club" });
    await story.plan("gym", 700, { name: "Gym", group: "gym" });
    await story.plan("free", 0, { name: "Free", group: "free" });
    bought["pro"] = await story.buy({ productKey: "pro", customer: { email: "eva@example.com" } }, CARDS.pays);
    bought["club"] = await buy("club", CARDS.failsLater, "eva@example.com");
    bought["gym"] = await buy("gym", CARDS.paysToo, "eva@example.com");
    bought["mallory"] = await buy("pro", CARDS.pays, "mallory@example.com");
    [evas, mallorys] = [bought["pro"]["customerId"], bought["mallory"]["customerId"]];
    eva = await signInTo(story, evas);
    mallory = await signInTo(story, mallorys);
    await story.news();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("begins so", async () => expect(await state()).toEqual(BEGINS));

  it("without a session: each act leads to the sign-in", async () => {
    const nobody = startWebClient(story.app.url);
    for (const path of [`${portal}/card`, `${of("club")}/disown`, `${of("club")}/card`])
      expect((await nobody.post(path, typed)).headers.get("Location"), path).toBe(portal);
    expect([await state(), await story.news()]).toEqual([BEGINS, []]);
  });

  it("with another Customer's session: each act is 404, and a card is for no plan of Eva's", async () => {
    for (const path of [`${of("club")}/disown`, `${of("club")}/card`])
      expect((await mallory.post(path, typed)).status, path).toBe(404);
    expect((await mallory.get(`${of("club")}/disown`)).status).toBe(404);
    const given = await mallory.post(`${portal}/card`, { ...typed, plan: bought["club"]!["id"] });
    expect([given.status, wordsOf(given.text).includes("Your subscriptions have changed")]).toEqual([409, true]);
    expect([await state(), await cards(mallorys)]).toEqual([BEGINS, ["4242 default"]]);
    expect(await story.news()).toEqual([]);
  });

  it("with a session of another Organization: no page of this one opens", async () => {
    const { organization, keys } = await story.app.otherOrganization();
    const [api, manage] = [
      caller(`${story.app.url}/public/v2`, keys.public),
      caller(`${story.app.url}/manage/v1`, keys.manage),
    ];
    const { id } = await story.ok(api("POST", "/customers", { email: "eva@example.com" }));
    const { url } = await story.ok(manage("POST", `/customers/${id}/portal-sessions`, {}));
    const client = startWebClient(story.app.url);
    await client.post(new URL(url).pathname);
    expect((await client.post(`${of("club")}/disown`)).headers.get("Location")).toBe(portal);
    const there = `/portal/${organization.id}`;
    const theirs = await client.post(`${there}/subscriptions/${bought["club"]!["id"]}/disown`);
    expect(theirs.status).toBe(404);
    expect((await client.post(`${there}/card`, { ...typed, plan: bought["club"]!["id"] })).status).toBe(409);
    expect([await state(), await story.news()]).toEqual([BEGINS, []]);
  });

  it("with Eva's own cookie, from a page of another site: 403", async () => {
    for (const path of [`${portal}/card`, `${of("club")}/disown`, `${of("club")}/card`]) {
      const headers = { Cookie: eva.cookie!, Accept: "text/html", "Sec-Fetch-Site": "cross-site" };
      const body = new URLSearchParams(typed);
      const forged = await fetch(story.app.url + path, { method: "POST", headers, body, redirect: "manual" });
      expect(forged.status, path).toBe(403);
    }
    expect([await state(), await story.news()]).toEqual([BEGINS, []]);
  });

  it("with the link of a Checkout or an invoice: the purchase stays unclaimed", async () => {
    const { status } = await post(bought["club"]!["url"], {
      ...typed,
      email: "eva@example.com",
      expectedAmount: "500",
    });
    expect(status).toBeLessThan(500);
    expect(await state()).toEqual(BEGINS);
    await story.travel("2026-07-02");
    const [open] = (
      await story.ok(story.app.manage("GET", `/invoices?status=open&subscriptionId=${bought["club"]!["id"]}`))
    ).data;
    const { text } = await get(open.url);
    const [, seen] = /name="expectedAmount" value="(\d+)"/.exec(text) ?? [];
    const paid = await post(open.url, { ...typed, number: CARDS.paysToo, ...(seen && { expectedAmount: seen }) });
    expect(paid.status, wordsOf(paid.text)).toBe(303);
    const after = await state();
    expect(after.unclaimed).toBe(2);
    expect(after.charges).toEqual([
      "US$30.00 to Visa •••• 4242",
      "US$5.00 to Visa •••• 5556",
      "US$7.00 to Visa •••• 5556",
    ]);
    expect(after.cards).toContain("4242 default");
    await story.news();
  });

  it("by a purchase after the page: Eva's card is for no purchase that her page did not name", async () => {
    const page = await eva.get(`${portal}/card`);
    const [, seen] = /name="seen" value="([^"]*)"/.exec(page.text)!;
    expect(seen!.split(" ").sort()).toEqual([bought["club"]!["id"], bought["gym"]!["id"]].sort());
    // A free purchase is named too: the card would pay once it costs something.
    bought["free"] = await buy("free", CARDS.pays, "eva@example.com");
    const before = await state();
    const given = await eva.post(`${portal}/card`, { ...typed, seen: seen! });
    expect([given.status, wordsOf(given.text).includes("Your subscriptions have changed")]).toEqual([409, true]);
    expect(await state()).toEqual(before);
    expect(given.text).toContain(bought["free"]!["id"]);
    await story.news();
  });

  it("for a plan that has ended meanwhile: the page asks again, with a choice that exists", async () => {
    const [, seen] = /name="seen" value="([^"]*)"/.exec((await eva.get(`${portal}/card`)).text)!;
    await story.ok(story.app.manage("POST", `/subscriptions/${bought["gym"]!["id"]}/cancel-now`));
    await story.news();
    const given = await eva.post(`${portal}/card`, { ...typed, plan: bought["gym"]!["id"], seen: seen! });
    expect(given.status).toBe(409);
    expect(given.text).toMatch(/name="plan" value="" checked/);
    expect(await story.news()).toEqual([]);
  });

  it("twice at once: a purchase ends once, and the second answer leads home", async () => {
    const answers = await Promise.all([0, 1].map(() => eva.post(`${of("club")}/disown`)));
    for (const { status, headers } of answers) expect([status, headers.get("Location")]).toEqual([303, portal]);
    expect(await story.news()).toEqual(["subscription.canceled"]);
    const again = await eva.post(`${of("club")}/disown`);
    expect([again.status, again.headers.get("Location")]).toEqual([303, portal]);
    expect((await eva.post(`${of("club")}/card`, { card: "x" })).status).toBe(303);
    expect((await mallory.post(`${of("club")}/disown`)).status).toBe(404);
    expect(await story.news()).toEqual([]);
  });

  it("twice at once: a card is given once while the provider is silent", async () => {
    const [, seen] = /name="seen" value="([^"]*)"/.exec((await eva.get(`${portal}/card`)).text)!;
    const bank = bankOf(story.app);
    bank.says(keepsSilent);
    const answers = await Promise.all([0, 1].map(() => eva.post(`${portal}/card`, { ...typed, seen: seen! })));
    for (const { status } of answers) expect([303, 409]).toContain(status);
    bank.says(null);
    await story.settle();
    expect((await state()).cards).toContain("4242 default");
  });
});
