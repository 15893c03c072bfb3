import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { bankOf, declines, keepsSilent } from "../support/bank.ts";
import { payHosted, redirectOf, takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf, type Page } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let there: WebClient;
let sold: Json;
let products: Record<string, string>;
let buyers = 0;

async function begin(productKey = "pro", card: string = CARDS.pays, more: object = {}): Promise<void> {
  const externalId = `plan-${(buyers += 1)}`;
  const customer = { email: `${externalId}@example.com`, externalId, ...more };
  sold = await story.buy({ productKey, customer }, card);
  there = await signInTo(story, sold.customerId);
  await story.news();
}
const plans = () => `${portal}/subscriptions/${sold.id}/plan`;
const pathTo = (key: string) => `${plans()}/${products[key]}`;
const show = (key: string) => there.get(pathTo(key));
const fieldsOf = ({ text }: Page) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
const confirm = (key: string, page: Page) => there.post(pathTo(key), fieldsOf(page));
const choose = async (key: string) => confirm(key, await show(key));
const subscription = () => story.subscription(sold.id);
const said = async (page: Promise<Page> | Page) => wordsOf((await page).text).replaceAll("\u00a0", " ");
const archive = (key: string, archived: boolean) =>
  story.ok(story.app.manage("PATCH", `/products/${products[key]}`, { archived }));

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
  const { app, ok } = story;
  const benefit = async (name: string) =>
    (await ok(app.manage("POST", "/benefits", { name, type: "custom", properties: {} }))).id as string;
  const [support, sso] = [await benefit("Support"), await benefit("Single sign-on")];
  await story.plan("basic", 1000, { name: "Basic", description: "To begin with.", benefitIds: [support] });
  await story.plan("team", 6000, { name: "Team", benefitIds: [support, sso] });
  await story.plan("year", 60_000, { name: "Yearly", interval: "year" });
  await story.plan("quarter", 8000, { name: "Quarterly", intervalCount: 3 });
  await story.plan("euro", 900, { name: "Euro", prices: [{ currency: "eur", amount: 900 }] });
  await story.plan("other", 500, { name: "Other", group: "others" });
  await story.plan("book", 500, { name: "Book", interval: null });
  const { data } = await ok(app.manage("GET", "/products"));
  products = Object.fromEntries(data.map(({ key, id }: Json) => [key, id]));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("the plans of a Subscription", () => {
  it("are those of its group with a price in its currency, by rhythm and price, the present one marked", async () => {
    await begin();
    const { text } = await there.get(plans());
    const words = wordsOf(text);
    expect(words).toMatch(
      /Billed monthly Basic US\$10.00 every month To begin with. Support Choose Basic Pro US\$30.00 every month Your plan Team/,
    );
    expect(words).toMatch(
      /Billed every 3 months Quarterly .* Billed yearly Yearly US\$600.00 every year Choose Yearly/,
    );
    for (const hidden of ["Euro", "Other", "Book"]) expect(words).not.toContain(hidden);
    expect(await said(there.get(portal))).toContain("Change plan");
  });

  it("has no link where there is no other plan", async () => {
    await begin("other");
    expect(await said(there.get(portal))).not.toContain("Change plan");
    expect(await said(there.get(plans()))).toContain("There are no other plans that you can change to here.");
  });

  it("keeps the price as sold", async () => {
    await begin();
    const price = (amount: number) =>
      story.ok(story.app.manage("PATCH", `/products/${products["pro"]}`, { prices: [{ currency: "usd", amount }] }));
    await price(3500);
    expect(await said(there.get(plans()))).toContain("Pro US$30.00 every month Your plan");
    await price(3000);
  });

  it("names the Benefits that come and go", async () => {
    await begin("team");
    expect(await said(show("basic"))).toContain("Included Support No longer included Single sign-on");
  });

  it("is written in the Customer's language", async () => {
    await begin("pro", CARDS.pays, { locale: "ja" });
    const page = await show("team");
    expect(page.text).toContain('lang="ja"');
    expect(await said(page)).toContain("変更を確定して$30.00を支払う");
    const { text } = await there.get(plans());
    expect(wordsOf(text)).toContain("3か月ごとのお支払い");
    expect(wordsOf(text).replace(/\s/g, "")).toContain("毎月$30.00現在のプラン");
  });

  it("has a button that says that the plan costs money, also if today is free", async () => {
    await begin("team", CARDS.pays, { locale: "de" });
    expect(await said(show("basic"))).toContain("Zahlungspflichtig wechseln");
  });
});

describe("the page of a change is there", () => {
  it("undoes a scheduled end, and keeps the change that is pending already", async () => {
    const settings = (defaultProration: string) =>
      story.ok(story.app.manage("PATCH", "/organization", { defaultProration }));
    await begin();
    await settings("next_period");
    await story.change(sold.id, { productKey: "team" });
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    expect((await choose("team")).status).toBe(303);
    await settings("invoice_now");
    const pendingChange = { productId: products["team"], amount: 6000 };
    expect(await subscription()).toMatchObject({ cancelAtPeriodEnd: false, amount: 3000, pendingChange });
  });

  it("only for plans of this Subscription", async () => {
    await begin();
    for (const key of ["other", "book"]) {
      expect([key, (await show(key)).status]).toEqual([key, 404]);
      expect([key, (await there.post(pathTo(key), {})).status]).toEqual([key, 404]);
    }
    for (const id of ["prd_01jzzzzzzzzzzzzzzzzzzzzzzz", "x"])
      expect((await there.get(`${plans()}/${id}`)).status).toBe(404);
    expect((await show("pro")).status).toBe(200);
    expect(await said(show("pro"))).toContain("Your subscription is now Pro");
  });

  it("only for the Customer's own Subscription", async () => {
    await begin();
    const paths = [plans(), pathTo("team")];
    const seen = fieldsOf(await show("team"));
    const owner = sold;
    await begin();
    for (const path of paths) expect([path, (await there.get(path)).status]).toEqual([path, 404]);
    for (const path of [paths[1]!, `${paths[0]}/keep`])
      expect([path, (await there.post(path, seen)).status]).toEqual([path, 404]);
    const stranger = startWebClient(story.app.url);
    for (const page of [await stranger.get(paths[1]!), await stranger.post(paths[1]!, seen)])
      expect([page.status, page.headers.get("Location")]).toEqual([303, portal]);
    expect(await story.subscription(owner.id)).toMatchObject({ amount: 3000 });
    expect(await story.news()).toEqual([]);
  });

  it("not for an ended Subscription", async () => {
    await begin();
    await story.ok(story.app.manage("POST", `/subscriptions/${sold.id}/cancel-now`, {}));
    for (const path of [plans(), pathTo("team")]) expect((await there.get(path)).status).toBe(404);
  });
});

describe("a seller decides about the plans (rule I10)", () => {
  const allow = (settings: object) => story.ok(story.app.manage("PATCH", "/organization", { portal: settings }));

  it("offers only some Products", async () => {
    await begin();
    const page = await show("team");
    await allow({ products: [products["basic"]] });
    const words = await said(there.get(plans()));
    expect([words.includes("Choose Basic"), words.includes("Choose Team")]).toEqual([true, false]);
    expect((await confirm("team", page)).status).toBe(404);
    expect(await subscription()).toMatchObject({ amount: 3000 });
    await allow({ products: null });
  });

  it("switches the change off", async () => {
    await begin();
    const page = await show("team");
    await allow({ changePlan: false });
    expect(await said(there.get(portal))).not.toContain("Change plan");
    for (const answer of [await there.get(plans()), await show("team"), await confirm("team", page)])
      expect([answer.status, (await said(answer)).includes("Not available here")]).toEqual([403, true]);
    expect((await there.post(`${plans()}/keep`)).status).toBe(403);
    expect(await subscription()).toMatchObject({ amount: 3000 });
    await allow({ changePlan: true });
  });
});

describe("an obstacle is named, and no charge is made", () => {
  it.each(["euro", "team"])(
    "a Product without a price in the currency, and one that was withdrawn: %s",
    async (key) => {
      await begin();
      const page = await show("team");
      if (key === "team") await archive(key, true);
      expect(await said(show(key))).toContain("No longer for sale");
      const sent = await there.post(pathTo(key), fieldsOf(page));
      expect([sent.status, (await said(sent)).includes("You were not charged")]).toEqual([409, true]);
      if (key === "team") await archive(key, false);
      expect(await subscription()).toMatchObject({ amount: 3000 });
    },
  );

  it("the payments of the seller are paused", async () => {
    await begin();
    const bank = bankOf(story.app);
    bank.says({ charge: async () => ({ status: "refused", scope: "charge", reason: "amount_too_large" }) });
    const page = redirectOf(story.app.url, await choose("team"));
    bank.says(null);
    expect(await said(get(page))).toContain("The seller can’t take payments just now.");
    expect(await subscription()).toMatchObject({ amount: 3000 });
  });

  it("another change is being paid", async () => {
    await begin();
    const page = await show("team");
    const made = await story.ok(story.app.api("POST", "/checkouts", { productKey: "year", subscriptionId: sold.id }));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${made.id}/pay`, { card: CARDS.asksBuyer }));
    const refused = await confirm("team", page);
    expect([refused.status, (await said(refused)).includes("Your earlier order is not finished")]).toEqual([409, true]);
    expect(refused.text).toContain(new URL(made.url).pathname);
    expect((await there.post(`${plans()}/keep`)).status).toBe(303);
    await post(made.url, { action: "give-up" });
  });
});

describe("a planned change", () => {
  it("is withdrawn though the current plan has no price in this currency any more (rule P6)", async () => {
    await begin();
    await story.change(sold.id, { productKey: "basic", prorationBehavior: "next_period" });
    const prices = (currency: string, amount: number) =>
      story.ok(story.app.manage("PATCH", `/products/${products["pro"]}`, { prices: [{ currency, amount }] }));
    await prices("eur", 3000);
    expect((await there.post(`${plans()}/keep`)).status).toBe(303);
    expect(await subscription()).toMatchObject({ amount: 3000, pendingChange: null });
    await prices("usd", 3000);
  });
});

describe("the card on file", () => {
  it("that is declined leads to the Checkout's page, where another card finishes the change", async () => {
    await begin();
    const bank = bankOf(story.app);
    bank.says(declines("insufficient_funds"));
    const page = redirectOf(story.app.url, await choose("team"));
    bank.says(null);
    expect(await story.news()).toEqual(["checkout.created", "payment.failed", "checkout.payment_failed"]);
    const shown = await get(page);
    expect(wordsOf(shown.text)).toContain("Your card has insufficient funds.");
    expect(shown.text).toContain(`${story.app.url}${plans()}`);
    const card = { number: CARDS.paysToo, expiry: "12 / 40", cvc: "123" };
    expect((await post(page, { ...fieldsOf(shown), ...card })).status).toBe(303);
    expect(await subscription()).toMatchObject({ amount: 6000 });
    expect(await said(there.get(portal))).toContain("Visa •••• 5556");
  });

  it("that its bank has ended is off the file, with the event", async () => {
    await begin();
    const bank = bankOf(story.app);
    bank.says(declines("card_stolen"));
    await choose("team");
    bank.says(null);
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.failed",
      "payment_method.detached",
      "checkout.payment_failed",
    ]);
    const words = await said(show("team"));
    expect(words).toContain("You’ll enter your card on the next page.");
    expect(words).toContain("Continue to payment");
  });

  it("that waits for an answer of the bank is not charged twice", async () => {
    await begin();
    const page = await show("team");
    const bank = bankOf(story.app);
    bank.says(keepsSilent);
    const [first, second] = [await confirm("team", page), await confirm("team", page)];
    expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
    expect(await said(get(redirectOf(story.app.url, first)))).toContain("One moment, please");
    bank.says(null);
    await story.settle();
    expect(await subscription()).toMatchObject({ amount: 6000 });
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
    expect(data).toHaveLength(2);
  });

  it("that a dispute holds back is typed again by the buyer (rule D6)", async () => {
    await begin();
    const dispute = ({ id }: Json) => story.ok(story.app.manage("POST", `/sandbox/payments/${id}/dispute`, {}));
    const paid = async (): Promise<Json[]> =>
      (await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`))).data;
    const { externalCustomerId } = sold;
    await story.buy({ productKey: "other", externalCustomerId }, CARDS.pays);
    const [other, own] = await paid();
    await dispute(other!);
    expect(await said(show("team"))).toContain("You’ll enter your card on the next page.");
    const page = redirectOf(story.app.url, await choose("team"));
    expect(page).toMatch(/\/checkout\/chk_/);
    expect(await paid()).toHaveLength(2);
    await dispute(own!);
    expect(await said(show("team"))).toContain("A payment is disputed");
  });

  it("pays, and stays the Customer's card without another charge", async () => {
    await begin();
    await choose("team");
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
    expect(data.map(({ amount }: Json) => amount)).toEqual([3000, 3000]);
    expect(await said(there.get(portal))).toContain("Visa •••• 4242");
  });
});

describe("with a hosted entry", () => {
  beforeAll(() => takeHostedCards(story.app));

  it("the card on file pays without the provider's page", async () => {
    await begin();
    expect(redirectOf(story.app.url, await choose("team"))).toBe(`${story.app.url}${pathTo("team")}`);
    expect(await subscription()).toMatchObject({ amount: 6000 });
  });

  it("another card is given on the provider's page", async () => {
    await begin();
    const bank = bankOf(story.app);
    bank.says(declines("card_declined"));
    const page = redirectOf(story.app.url, await choose("team"));
    bank.says(null);
    const sent = await post(page, fieldsOf(await get(page)));
    const at = redirectOf(page, sent);
    expect(at).toMatch(/\/sandbox\/pay\//);
    await get(await payHosted(at, CARDS.paysToo));
    await story.settle();
    expect(await subscription()).toMatchObject({ amount: 6000 });
  });
});
