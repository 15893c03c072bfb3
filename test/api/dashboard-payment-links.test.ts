import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { faultAt, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { sendOn, submit, type Changes } from "../support/filled-form.ts";
import { wordsOf, type Page } from "../support/pages.ts";

let desk: CatalogueDesk;
let plans: Json[];

beforeAll(async () => {
  desk = await startCatalogueDesk();
  const quantity = { minimum: 1, maximum: 50 };
  plans = [
    await desk.story.plan("team", 3000, { name: "Team", group: "team", quantity }),
    await desk.story.plan("year", 30_000, { name: "Yearly", group: "year", interval: "year" }),
  ];
  const half = { code: "HALF", type: "percentage", basisPoints: 5000, duration: "once" };
  await desk.manage("POST", "/discounts", half);
});
afterAll(() => desk.story.close());

const words = ({ text }: Page) => wordsOf(text);
const create = (changes: Changes = {}) =>
  desk.created("payment-links", { name: "Pricing page", products: plans.map(({ id }) => id), ...changes });
const read = (id: string) => desk.manage("GET", `/payment-links/${id}`);
const pathOf = (id: string) => `${desk.home}/payment-links/${id}`;

describe("a payment link", () => {
  test("is created with all of its fields, and shown with its address, QR code and table", async () => {
    const id = await create({
      currency: "usd",
      quantity: "3",
      "quantityChange.minimum": "2",
      "quantityChange.maximum": "9",
      discountCode: "half",
      allowDiscountCodes: "no",
      locale: "de",
      successUrl: "https://example.com/thanks",
    });
    const link = await read(id);
    expect(link).toMatchObject({
      name: "Pricing page",
      products: plans.map((plan) => ({ productId: plan.id })),
      currency: "usd",
      quantity: 3,
      quantityChange: { minimum: 2, maximum: 9 },
      discountCode: "half",
      allowDiscountCodes: false,
      locale: "de",
      successUrl: "https://example.com/thanks",
      active: true,
    });
    const page = await desk.owner.get(pathOf(id));
    expect(words(page)).toMatch(/Sells Visits 0 Checkouts 0 Purchases 0 .*Team.*Weiter mit Team.*Weiter mit Yearly/);
    for (const text of [link.url, `&lt;script src=&quot;${link.url}/table.js&quot; async&gt;`, "QR code of the page"])
      expect(page.text).toContain(text);
    expect(await desk.auditOf(id)).toMatchObject([{ operation: "createPaymentLink" }]);
    const svg = await desk.owner.get(`${pathOf(id)}/qr.svg`);
    expect([svg.status, svg.headers.get("Content-Disposition")]).toEqual([200, `attachment; filename="${id}.svg"`]);
    expect(svg.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  test.each<[string, Changes, string, string]>([
    ["no name", { name: "" }, "name", "This must not be empty."],
    ["no Product", { products: null }, "products", "Choose at least one Product."],
    ["no number", { quantity: "many" }, "quantity", "This must be a number."],
    ["a quantity that no Product has", { quantity: "51" }, "quantity", "50"],
    ["an unknown code", { discountCode: "NONE" }, "discountCode", "There is no such"],
    ["no address", { successUrl: "example.com" }, "successUrl", "http"],
  ])("with %s is refused at the field", async (_name, changes, field, fault) => {
    const all = { name: "Page", products: plans.map(({ id }) => id), ...changes };
    const answer = await submit(desk.owner, `${desk.home}/payment-links/new`, all);
    expect([answer.status, faultAt(answer, field)]).toEqual([422, expect.stringContaining(fault)]);
  });

  test("shows its page while the form is filled in", async () => {
    const path = `${desk.home}/payment-links/new`;
    const empty = await desk.owner.get(path);
    expect(words(empty)).toContain("The preview appears once you choose a Product.");
    const shown = await sendOn(desk.owner, path, empty, {
      products: [plans[0].id],
      discountCode: "HALF",
      action: "picture",
    });
    expect(words(shown)).toMatch(/Team US\$30\.00 every month .*HALF ?: 50% off .*Continue/);
  });

  test("is edited after its effect is shown, and switched off and on", async () => {
    const id = await create();
    const [path, edit] = [pathOf(id), `${pathOf(id)}/edit`];
    const effect = await submit(desk.owner, edit, { name: "Front page", products: [plans[0].id] });
    expect(words(effect)).toContain("Later visits see the changed page.");
    expect((await read(id)).name).toBe("Pricing page");
    expect(leadsTo(await sendOn(desk.owner, edit, effect))).toBe(`${path}?done=saved`);
    expect(await read(id)).toMatchObject({ name: "Front page", products: [{ productId: plans[0].id }] });
    expect(leadsTo(await submit(desk.owner, `${path}/switch-off`))).toBe(`${path}?done=off`);
    expect(words(await desk.owner.get(`${path}?done=off`))).toMatch(/The page sells no more\..*Switched off/);
    expect((await read(id)).active).toBe(false);
    expect(leadsTo(await submit(desk.owner, `${path}/switch-on`))).toBe(`${path}?done=on`);
    expect((await read(id)).active).toBe(true);
    expect((await desk.auditOf(id)).map(({ operation }) => operation)).toEqual([
      "updatePaymentLink",
      "updatePaymentLink",
      "updatePaymentLink",
      "createPaymentLink",
    ]);
  });

  test("is listed with its counts, filtered by its state, and found by its id", async () => {
    const id = await create({ name: "Listed" });
    const list = await desk.owner.get(`${desk.home}/payment-links?active=true`);
    expect(words(list)).toMatch(/Listed Sells 2 0 0 0/);
    expect(words(await desk.owner.get(`${desk.home}/payment-links?active=false`))).not.toContain("Listed");
    const csv = await desk.owner.get(`${desk.home}/payment-links.csv`);
    expect(csv.text).toContain(`${id},,Listed,true,`);
    expect(leadsTo(await desk.owner.get(`${desk.home}/search?q=${id}`))).toBe(pathOf(id));
  });
});
