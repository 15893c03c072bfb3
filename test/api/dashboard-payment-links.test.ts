import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { faultAt, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { sendOn, submit, type Changes } from "../support/filled-form.ts";
import { get, post, wordsOf, type Page } from "../support/pages.ts";
import { formOf } from "../support/payment-links.ts";

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

  const firstField = (changes: Changes) =>
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [`fields.0.${name}`, value]));
  const company = firstField({ label: "Company", key: "company", type: "text", required: "yes" });

  test("asks the buyer the seller's own questions", async () => {
    const path = `${desk.home}/payment-links/new`;
    const first = await desk.owner.get(path);
    expect(first.text).not.toContain("fields.0.key");
    const all = { name: "Asks", products: plans.map(({ id }) => id) };
    const one = await sendOn(desk.owner, path, first, { ...all, action: "field" });
    const two = await sendOn(desk.owner, path, one, { ...company, action: "field" });
    const answer = await sendOn(desk.owner, path, two, {
      "fields.1.label": "City",
      "fields.1.key": "city",
      "fields.1.type": "choice",
      "fields.1.options": "ber = Berlin\r\nBonn\r\n",
    });
    const id = /plk_\w+/.exec(leadsTo(answer) ?? "")![0];
    const { fields } = await read(id);
    expect(fields).toEqual([
      { type: "text", key: "company", label: "Company", required: true, maxLength: 200 },
      {
        type: "choice",
        key: "city",
        label: "City",
        required: false,
        options: [
          { value: "ber", label: "Berlin" },
          { value: "Bonn", label: "Bonn" },
        ],
      },
    ]);
    expect(words(await desk.owner.get(pathOf(id)))).toMatch(/Company company \(text, required\) City city \(choice\)/);
    const edit = `${pathOf(id)}/edit`;
    const cleared = { "fields.0.label": "", "fields.0.key": "" };
    const effect = await submit(desk.owner, edit, cleared);
    await sendOn(desk.owner, edit, effect);
    expect((await read(id)).fields).toEqual(fields.slice(1));
  });

  test("keeps the languages and limits of its own fields that the form does not show", async () => {
    const fields = [
      { type: "text", key: "note", label: { de: "Notiz", en: "Note" }, required: false, maxLength: 40 },
      { type: "number", key: "size", label: "Size", required: false, min: 1, max: 9 },
      {
        type: "choice",
        key: "city",
        label: "City",
        required: true,
        options: [
          { value: "a=b", label: { fr: "Rome" } },
          { value: "Bonn", label: "Bonn" },
        ],
      },
    ];
    const products = plans.map((plan) => ({ productId: plan.id }));
    const { id } = await desk.manage("POST", "/payment-links", { name: "Fields", products, fields });
    const edit = `${pathOf(id)}/edit`;
    const effect = await submit(desk.owner, edit, { "fields.1.label": "Size of the team" });
    await sendOn(desk.owner, edit, effect);
    expect((await read(id)).fields).toEqual([fields[0], { ...fields[1], label: "Size of the team" }, fields[2]]);
  });

  test.each<[string, Changes, string, string]>([
    ["without a key", { key: "" }, "key", "Enter a key"],
    ["with a key in capitals", { key: "Company" }, "key", "a-z"],
    ["without a question", { label: "" }, "label", "Enter the question"],
    ["of a choice with one option", { type: "choice", options: "Bonn" }, "options", "at least two options"],
    ["of a choice with a blank value", { type: "choice", options: "= Bonn\nRome" }, "options", "around each “=”"],
    ["of a choice with a value twice", { type: "choice", options: "a = A\na = B" }, "options", "Another option"],
  ])("with an own field %s is refused at the field", async (_name, changes, part, fault) => {
    const all = { name: "Page", products: plans.map(({ id }) => id), ...company, ...firstField(changes) };
    const answer = await submit(desk.owner, `${desk.home}/payment-links/new`, all);
    expect([answer.status, faultAt(answer, `fields.0.${part}`)]).toEqual([422, expect.stringContaining(fault)]);
  });

  test("has its Products in the order that the seller chooses, also after another edit", async () => {
    const path = `${desk.home}/payment-links/new`;
    const ids = plans.map(({ id }) => id);
    const all = { name: "Ordered", products: ids };
    const ticked = await sendOn(desk.owner, path, await desk.owner.get(path), { ...all, action: "picture" });
    expect(words(ticked)).toMatch(/Order on the page Team Yearly Move up Yearly/);
    const moved = await sendOn(desk.owner, path, ticked, { action: `up:${ids[1]}` });
    expect(words(moved)).toMatch(/Order on the page Yearly Team Move up Team/);
    const id = /plk_\w+/.exec(leadsTo(await sendOn(desk.owner, path, moved)) ?? "")![0];
    const swapped = [{ productId: ids[1] }, { productId: ids[0] }];
    expect((await read(id)).products).toEqual(swapped);
    const edit = `${pathOf(id)}/edit`;
    await sendOn(desk.owner, edit, await submit(desk.owner, edit, { name: "Renamed" }));
    expect(await read(id)).toMatchObject({ name: "Renamed", products: swapped });
  });

  test("can be renamed while one of its Products is archived", async () => {
    const old = await desk.story.plan("old", 1000, { name: "Zeppelin", group: "old" });
    const ids = [old.id, plans[0].id];
    const products = ids.map((productId) => ({ productId }));
    const { id } = await desk.manage("POST", "/payment-links", { name: "Has an old one", products });
    await desk.manage("PATCH", `/products/${old.id}`, { archived: true });
    const edit = `${pathOf(id)}/edit`;
    const effect = await submit(desk.owner, edit, { name: "Renamed" });
    expect(leadsTo(await sendOn(desk.owner, edit, effect))).toBe(`${pathOf(id)}?done=saved`);
    expect(await read(id)).toMatchObject({ name: "Renamed", products });
  });

  test("shows a discount in its preview that is older than a hundred others", async () => {
    for (let n = 0; n < 101; n += 1)
      await desk.manage("POST", "/discounts", {
        code: `N${n}`,
        type: "percentage",
        basisPoints: 1000,
        duration: "once",
      });
    const path = `${desk.home}/payment-links/new`;
    const typed = { products: [plans[0].id], discountCode: "half", action: "picture" };
    expect(words(await sendOn(desk.owner, path, await desk.owner.get(path), typed))).toContain("50% off");
    const nul = await sendOn(desk.owner, path, await desk.owner.get(path), { ...typed, discountCode: "A\0B" });
    expect(nul.status).toBe(200);
  });

  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

  test("shows the lines of the table in the look that the seller chooses", async () => {
    const id = await create();
    const { url, tableUrl } = await read(id);
    const page = await desk.owner.get(`${pathOf(id)}?scheme=dark&radius=4`);
    const size = 'width="100%" height="640" frameborder="0"';
    for (const line of [
      `<script src="${url}/table.js" data-scheme="dark" data-radius="4" async></script>`,
      `<iframe src="${tableUrl}?scheme=dark&amp;radius=4" title="Plans and prices" ${size}></iframe>`,
    ])
      expect(page.text).toContain(escaped(line));
    expect((await desk.owner.get(`${pathOf(id)}?scheme="><b>&radius=99`)).text).toContain(`table.js&quot; async`);
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

  test("is named on the page of a Checkout that a click on its page made", async () => {
    const id = await create({ name: "Clicked" });
    const { url } = await read(id);
    const visit = await get(url);
    const click = await post(url, formOf(visit.text, plans[0].id));
    const checkoutId = /chk_\w{26}/.exec(leadsTo(click)!)![0];
    const page = await desk.owner.get(`${desk.home}/checkouts/${checkoutId}`);
    expect(words(page)).toContain(`Payment link ${id}`);
    expect(page.text).toContain(`href="${pathOf(id)}"`);
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
