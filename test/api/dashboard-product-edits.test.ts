import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { MOST_BENEFITS } from "../../src/web/dashboard/catalogue/product-forms.ts";
import { caller } from "../support/app.ts";
import { faultAt, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { fieldsOf, filledIn, sendOn, submit } from "../support/filled-form.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

const newerBenefitsStatement = sql(
  "test.newer_benefits",
  `INSERT INTO benefits
   SELECT (json_populate_record(b, json_build_object('id', 'bft_' || lpad(n::text, 26, 'z'), 'key', NULL))).*
   FROM benefits b CROSS JOIN generate_series(0, $2::int) n WHERE b.id = $1`,
);

let desk: CatalogueDesk;
beforeAll(async () => void (desk = await startCatalogueDesk()));
afterAll(() => desk.story.close());
const words = ({ text }: Page) => wordsOf(text);

describe("a Product", () => {
  test("is edited after a page that says whom the edit touches", async () => {
    const kept = await desk.manage("POST", "/benefits", { type: "feature", name: "Kept", key: "kept" });
    const lost = await desk.manage("POST", "/benefits", { type: "feature", name: "Lost", key: "lost" });
    const gained = await desk.manage("POST", "/benefits", { type: "feature", name: "Gained", key: "gained" });
    const product = await desk.story.plan("edited", 3000, {
      name: "Edited",
      benefitIds: [kept.id, lost.id],
      group: "edited",
    });
    for (const n of [1, 2])
      await desk.story.buy(
        { productKey: "edited", customer: { email: `e${n}@example.com`, externalId: `e${n}` } },
        CARDS.pays,
      );
    await desk.story.app.api("POST", "/checkouts", { productKey: "edited" });
    await desk.story.news();
    const path = `/products/${product.id}/edit`;
    const page = await submit(desk.owner, desk.home + path, {
      name: "Edited <b>",
      "prices.0.amount": "35",
      benefitIds: [kept.id, gained.id],
    });
    expect(page.status).toBe(200);
    expect(words(page)).toMatch(/The new name is “ ?Edited <b> ?”.*The price changes from US\$30\.00 to US\$35\.00\./);
    expect(words(page)).toMatch(/2 live Subscriptions keep the present price\. 1 open Checkout keeps the present/);
    expect(words(page)).toMatch(/2 Customers lose “ ?Lost ?” of this Product.*2 Customers gain “ ?Gained ?”/);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({ name: "Edited" });
    const done = await sendOn(desk.owner, desk.home + path, page);
    expect([done.status, leadsTo(done)]).toEqual([303, `${desk.home}/products/${product.id}?done=saved`]);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({
      name: "Edited <b>",
      prices: [{ currency: "usd", amount: 3500 }],
      benefitIds: [kept.id, gained.id],
    });
    await desk.story.app.runDue();
    expect(await desk.story.access("e1")).toEqual(["Gained", "Kept"]);
    const again = await desk.owner.post(desk.home + path, fieldsOf(page.text));
    expect([again.status, leadsTo(again)]).toEqual([303, leadsTo(done)]);
    const entry = { operation: "updateProduct", fields: ["name", "prices", "benefitIds"] };
    expect(await desk.auditOf(product.id)).toMatchObject([entry]);
    const news = await desk.story.news();
    expect(news.filter((type) => type === "product.updated")).toHaveLength(1);
  });

  test("keeps a Benefit that is older than those on offer", async () => {
    const oldest = await desk.manage("POST", "/benefits", { type: "feature", name: "Oldest", key: "oldest" });
    const product = await desk.story.plan("many", 3000, { name: "Many", benefitIds: [oldest.id], group: null });
    await desk.story.app.ctx.db.tx((tx) => tx.query(newerBenefitsStatement, [oldest.id, MOST_BENEFITS]));
    const path = `${desk.home}/products/${product.id}/edit`;
    const page = await submit(desk.owner, path, { name: "Many more" });
    expect((await sendOn(desk.owner, path, page)).status).toBe(303);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({
      name: "Many more",
      benefitIds: [oldest.id],
    });
  });

  test("that was changed meanwhile, or not at all, is not saved", async () => {
    const product = await desk.story.plan("raced", 3000, { name: "Raced", group: null });
    const path = `${desk.home}/products/${product.id}/edit`;
    const page = await submit(desk.owner, path, { name: "Mine" });
    await desk.manage("PATCH", `/products/${product.id}`, { name: "Theirs" });
    const late = await sendOn(desk.owner, path, page);
    expect([late.status, words(late)]).toEqual([
      409,
      expect.stringContaining("has made a change since you opened this form"),
    ]);
    const unchanged = await submit(desk.owner, path);
    expect([unchanged.status, words(unchanged)]).toEqual([422, expect.stringContaining("No field was changed.")]);
    const faulty = await submit(desk.owner, path, { name: "" });
    expect([faulty.status, faultAt(faulty, "name")]).toEqual([422, "This must not be empty."]);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({ name: "Theirs" });
  });

  test("says how many purchases gain a Benefit, and that no purchase loses one", async () => {
    const [old, fresh] = await Promise.all(
      ["Old", "Fresh"].map((name) => desk.manage("POST", "/benefits", { type: "custom", name })),
    );
    const book = await desk.manage("POST", "/products", {
      key: "once",
      name: "Once",
      prices: [{ currency: "usd", amount: 1000 }],
      benefitIds: [old.id],
    });
    const [kept] = [
      await desk.story.buy({ productKey: "once", customer: { email: "o1@example.com" } }, CARDS.pays),
      await desk.story.buy({ productKey: "once", customer: { email: "o2@example.com" } }, CARDS.pays),
    ];
    await desk.manage("POST", `/invoices/${kept.invoiceId}/refunds`, { revokeGrants: true });
    await desk.story.settle();
    const page = await submit(desk.owner, `${desk.home}/products/${book.id}/edit`, { benefitIds: [fresh.id] });
    expect(words(page)).toMatch(/1 purchase gains “ ?Fresh ?”\. Earlier purchases keep “ ?Old ?”\./);
  });

  test("is archived and put on sale again, each once", async () => {
    const product = await desk.story.plan("archived", 3000, { name: "Archived", group: "archived" });
    await desk.story.buy({ productKey: "archived", customer: { email: "a1@example.com" } }, CARDS.pays);
    await desk.story.app.api("POST", "/checkouts", { productKey: "archived" });
    const path = `${desk.home}/products/${product.id}/archive`;
    const page = await desk.owner.get(path);
    expect(words(page)).toMatch(
      /1 open Checkout can't be paid any more\. 1 live Subscription goes on at the same price/,
    );
    const fields = fieldsOf(page.text);
    // A page without fields before its effect has no button of this name, so the effect is shown again.
    const looked = await desk.owner.post(path, filledIn(fields, { action: "values" }));
    expect([looked.status, words(looked)]).toEqual([200, words(page)]);
    for (const answer of [await desk.owner.post(path, fields), await desk.owner.post(path, fields)])
      expect(answer.status).toBe(303);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({ archived: true });
    expect(words(await desk.owner.get(`${desk.home}/products`))).toMatch(
      /Archived Products \(\d+\).*Archived , every month/,
    );
    expect(leadsTo(await submit(desk.owner, path))).toBe(`${desk.home}/products/${product.id}?done=forsale`);
    expect(await desk.manage("GET", `/products/${product.id}`)).toMatchObject({ archived: false });
  });

  test("by month and one by year are shown as one plan, with the numbers of their Subscriptions", async () => {
    await desk.story.plan("twin", 3000, { name: "Twin", group: "twins" });
    await desk.story.plan("twin-year", 30_000, { name: "Twin", interval: "year", group: "twins" });
    await desk.story.buy({ productKey: "twin-year", customer: { email: "t@example.com" } }, CARDS.pays);
    const shown = words(await desk.owner.get(`${desk.home}/products?search=Twin`));
    expect(shown).toMatch(
      / Twin Twin , every month US\$30\.00 0 live Subscriptions Twin , every year US\$300\.00 1 live Subscription /,
    );
    expect(words(await desk.owner.get(`${desk.home}/products?search=Nothing`))).toContain(
      "No Product for sale has this name.",
    );
  });
});

test("the ids of another Organization are not found, on any page", async () => {
  const other = await desk.story.app.otherOrganization();
  const foreign = caller(`${desk.story.app.url}/manage/v1`, other.keys.manage);
  const benefit = (await foreign("POST", "/benefits", { type: "custom", name: "Theirs" })).body;
  const product = (await foreign("POST", "/products", { name: "Theirs", prices: [{ currency: "usd", amount: 0 }] }))
    .body;
  const discount = (
    await foreign("POST", "/discounts", { code: "THEIRS", type: "percentage", basisPoints: 1, duration: "once" })
  ).body;
  for (const path of [
    `products/${product.id}`,
    `products/${product.id}/edit`,
    `products/${product.id}/archive`,
    `benefits/${benefit.id}`,
    `benefits/${benefit.id}/edit`,
    `benefits/${benefit.id}/delete`,
    `discounts/${discount.id}`,
    `discounts/${discount.id}/edit`,
    `discounts/${discount.id}/delete`,
    "products/prd_x",
  ]) {
    expect((await desk.owner.get(`${desk.home}/${path}`)).status, path).toBe(404);
    if (!/\/(edit|archive|delete)$/.test(path)) continue;
    const form = { once: "x".repeat(22), form: "sent", confirmed: "yes", version: "1", name: "Mine", archived: "true" };
    expect((await desk.owner.send(`${desk.home}/${path}`, form)).status, path).toBe(404);
  }
  expect((await foreign("GET", `/products/${product.id}`)).body).toMatchObject({ name: "Theirs", archived: false });
});
