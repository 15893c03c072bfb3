import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caller } from "../support/app.ts";
import { faultAt, faultsOf, idIn, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { fieldsOf, filledIn, sendOn, submit, type Changes } from "../support/filled-form.ts";
import { wordsOf, type Page } from "../support/pages.ts";

let desk: CatalogueDesk;
beforeAll(async () => void (desk = await startCatalogueDesk()));
afterAll(() => desk.story.close());
const words = ({ text }: Page) => wordsOf(text);
const PRO = { name: "Pro", "prices.0.amount": "30", "prices.0.currency": "usd" };

describe("a Product that is sold by quantity", () => {
  const TEAM = {
    ...PRO,
    "quantity.minimum": "2",
    "quantity.maximum": "50",
    "unitName.en.one": "seat",
    "unitName.en.other": "seats",
    "unitName.ja.one": "席",
    "unitName.ja.other": "席",
  };
  const unitName = { en: { one: "seat", other: "seats" }, ja: { one: "席", other: "席" } };

  test("has limits and nouns, and its picture shows the smallest quantity", async () => {
    const drawn = await submit(desk.owner, `${desk.home}/products/new`, { ...TEAM, name: "Team", action: "picture" });
    expect(words(drawn)).toContain("US$60.00 every month 2 seats × US$30.00");
    const id = await desk.created("products", { ...TEAM, name: "Team" });
    const quantity = { minimum: 2, maximum: 50 };
    expect(await desk.manage("GET", `/products/${id}`)).toMatchObject({ quantity, unitName });
    expect(words(await desk.owner.get(`${desk.home}/products/${id}`))).toContain("Quantity 2 to 50 seats");
    const like = Object.fromEntries(fieldsOf((await desk.owner.get(`${desk.home}/products/new?like=${id}`)).text));
    expect(like).toMatchObject({ "quantity.minimum": "2", "quantity.maximum": "50", "unitName.ja.one": "席" });
  });

  test("is changed after the effect is shown, and an empty largest quantity has no limit", async () => {
    const id = await desk.created("products", { ...TEAM, name: "Team to edit" });
    const path = `${desk.home}/products/${id}/edit`;
    const effect = await submit(desk.owner, path, {
      "quantity.maximum": "",
      "unitName.ja.one": "",
      "unitName.ja.other": "",
    });
    expect(words(effect)).toContain("From now on, the Product is sold in these quantities: 2 to 100,000.");
    expect(words(effect)).toContain("0 live Subscriptions keep the present quantity.");
    const saved = await sendOn(desk.owner, path, effect, {});
    expect(saved.status).toBe(303);
    expect(await desk.manage("GET", `/products/${id}`)).toMatchObject({
      quantity: { minimum: 2, maximum: 100_000 },
      unitName: { en: unitName.en },
    });
    expect(words(await desk.owner.get(`${desk.home}/products/${id}`))).toContain("Quantity 2 to 100,000 seats");
  });

  test.each<[string, Changes, string, string]>([
    ["a largest quantity below the smallest", { "quantity.maximum": "1" }, "quantity.maximum", "Enter at least the"],
    ["no units", { "quantity.minimum": "0" }, "quantity.minimum", "This must be at least 1."],
    ["half a unit", { "quantity.minimum": "2.5" }, "quantity.minimum", "This must be a whole number."],
    ["more units than there can be", { "quantity.maximum": "100001" }, "quantity.maximum", "at most 100000"],
    ["one noun of a language", { "unitName.de.one": "Platz" }, "unitName.de.other", "Enter both nouns"],
    ["a long noun", { "unitName.en.one": "x".repeat(41) }, "unitName.en.one", "at most 40 characters long"],
  ])("with %s is refused at the field", async (_, typed, name, fault) => {
    const answer = await submit(desk.owner, `${desk.home}/products/new`, { ...TEAM, name: "Refused", ...typed });
    expect([answer.status, faultAt(answer, name)]).toEqual([422, expect.stringContaining(fault)]);
  });

  test("is drawn with one unit if no Checkout can have its total", async () => {
    const strange = { ...TEAM, "prices.0.amount": "9999999999", "quantity.minimum": "100000", "quantity.maximum": "" };
    const drawn = await submit(desk.owner, `${desk.home}/products/new`, { ...strange, name: "Big", action: "picture" });
    expect(drawn.status).toBe(200);
  });
});

describe("a Product", () => {
  test("is created with all of its fields, and makes its event and an entry of the audit log", async () => {
    const benefit = await desk.manage("POST", "/benefits", { type: "feature", name: "Exports", key: "exports-all" });
    await desk.story.news();
    const path = `${desk.home}/products/new`;
    const filled = await desk.owner.get(path);
    const first = await desk.owner.post(
      path,
      filledIn(fieldsOf(filled.text), {
        name: " Größe ",
        key: "all-fields",
        description: "Two\nlines",
        intervalCount: "3",
        trialDays: "14",
        trialCard: "optional",
        group: "tools",
        "prices.0.amount": "30,50",
        "prices.0.currency": "eur",
        action: "price",
      }),
    );
    // The button shows one more row, and the form keeps its values.
    expect([first.status, first.text.includes('name="prices.1.amount"')]).toEqual([200, true]);
    const answer = await sendOn(desk.owner, path, first, {
      "prices.1.amount": "3100",
      "prices.1.currency": "jpy",
      benefitIds: [benefit.id],
      metadata: "seats = 5\nplan = pro = max\nactive = true",
    });
    expect([answer.status, faultsOf(answer)]).toEqual([303, []]);
    const id = idIn(answer);
    expect((await desk.owner.get(leadsTo(answer)!)).text).toContain(
      `<a href="${desk.home}/checkouts/new?productId=${id}">create a Checkout link</a>`,
    );
    expect(words(await desk.owner.get(`${desk.home}/products/${id}/edit`))).toContain("Edit Größe");
    expect(await desk.manage("GET", `/products/${id}`)).toMatchObject({
      key: "all-fields",
      name: "Größe",
      description: "Two\nlines",
      group: "tools",
      interval: "month",
      intervalCount: 3,
      trialDays: 14,
      trialCard: "optional",
      prices: [
        { currency: "eur", amount: 3050 },
        { currency: "jpy", amount: 3100 },
      ],
      benefitIds: [benefit.id],
      metadata: { seats: 5, plan: "pro = max", active: true },
    });
    expect(await desk.story.news()).toEqual(["product.created"]);
    expect(words(await desk.owner.get(leadsTo(answer)!))).toMatch(
      /The Product is for sale\..*€30\.50.*JP¥3,100.*every 3 months/,
    );
  });

  test("that is sold once ignores the fields of a Subscription", async () => {
    const id = await desk.created("products", {
      ...PRO,
      name: "Book",
      sold: "once",
      trialDays: "x",
      "prices.0.amount": "0",
    });
    const book = await desk.manage("GET", `/products/${id}`);
    expect(book).toMatchObject({
      interval: null,
      group: null,
      trialDays: null,
      prices: [{ currency: "usd", amount: 0 }],
    });
  });

  test("is created once by a form that is sent twice", async () => {
    const path = `${desk.home}/products/new`;
    const fields = filledIn(fieldsOf((await desk.owner.get(path)).text), { ...PRO, name: "Only one" });
    const answers = [await desk.owner.post(path, fields), await desk.owner.post(path, fields)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const { data } = await desk.manage("GET", "/products?search=Only+one");
    expect(data).toHaveLength(1);
    const other = await desk.owner.post(path, filledIn(fields, { name: "Only one, changed" }));
    expect([other.status, words(other)]).toEqual([409, expect.stringContaining("sent before with other values")]);
  });

  test.each<[string, Changes, string, string]>([
    ["no name", { name: " " }, "name", "This must not be empty."],
    ["a long name", { name: "x".repeat(257) }, "name", "This must be at most 256 characters long."],
    ["a key with a space", { key: "my key" }, "key", "A key is 1 to 64 of a-z, 0-9, _ and -."],
    [
      "no price",
      { "prices.0.amount": "", "prices.0.currency": "" },
      "prices.0.amount",
      "Enter a price. Something free",
    ],
    ["a price without an amount", { "prices.0.amount": "" }, "prices.0.amount", "Enter an amount, or choose no"],
    ["a price without a currency", { "prices.0.currency": "" }, "prices.0.currency", "Choose the currency"],
    ["a price that is no number", { "prices.0.amount": "thirty" }, "prices.0.amount", "Enter an amount such as 50.00"],
    ["too many decimals", { "prices.0.amount": "3.999" }, "prices.0.amount", "at most 2 decimals"],
    ["a tiny price", { "prices.0.amount": "0.01" }, "prices.0.amount", "A price in USD is 0 or at least US$0.50."],
    [
      "two prices in one currency",
      { "prices.1.amount": "3", "prices.1.currency": "usd" },
      "prices.1.currency",
      "There is already a price in this currency.",
    ],
    ["half a day of a trial", { trialDays: "0.5" }, "trialDays", "This must be a whole number."],
    ["a trial of no day", { trialDays: "0" }, "trialDays", "This must be at least 1."],
    ["a period of 11 years", { interval: "year", intervalCount: "11" }, "intervalCount", "At most 10 for year"],
    ["a group with a space", { group: "my plans" }, "group", "A key is 1 to 64"],
    ["metadata without a value", { metadata: "seats" }, "metadata", "Write “name = value” in each line, not “seats”."],
    ["a long name of metadata", { metadata: `${"x".repeat(41)} = 1` }, "metadata", "A key has 1 to 40 characters"],
  ])("with %s is refused at the field, which keeps its value", async (_, typed, name, fault) => {
    const answer = await submit(desk.owner, `${desk.home}/products/new`, { ...PRO, name: "Refused", ...typed });
    expect([answer.status, faultAt(answer, name)]).toEqual([422, expect.stringContaining(fault)]);
    expect((await desk.manage("GET", "/products?search=Refused")).data).toEqual([]);
  });

  test.each<[Changes]>([
    [{ "prices.0.amount": "-1" }],
    [{ "prices.0.amount": "999999999999" }],
    [{ "prices.0.currency": "xxx" }],
    [{ trialDays: "99999999", intervalCount: "99999999" }],
    [{ interval: "century", sold: "maybe", trialCard: "no" }],
    [{ key: "\0", description: "\0" }],
    [{ "prices.99999.amount": "1", "prices.x.amount": "1", benefitIds: ["x", "x"], pictured: "eur" }],
  ])("whose form has %j is drawn and refused without a failure of the server", async (typed) => {
    const path = `${desk.home}/products/new`;
    const strange = { ...PRO, name: "", ...typed };
    expect((await submit(desk.owner, path, { ...strange, action: "picture" })).status).toBe(200);
    expect((await submit(desk.owner, path, strange)).status).toBe(422);
    const address = new URLSearchParams(Object.entries(strange).map(([name, value]) => [name, String(value)]));
    expect((await desk.owner.get(`${path}?${address}`)).status).toBe(200);
  });

  test("with an unknown Benefit, or with the Benefit of another Organization, is refused", async () => {
    const other = await desk.story.app.otherOrganization();
    const foreign = caller(`${desk.story.app.url}/manage/v1`, other.keys.manage);
    const { body } = await foreign("POST", "/benefits", { type: "custom", name: "Foreign" });
    const answer = await submit(desk.owner, `${desk.home}/products/new`, { ...PRO, benefitIds: [body.id] });
    expect([answer.status, words(answer)]).toEqual([422, expect.stringContaining("There is no such Benefit.")]);
  });

  test("with a taken key is refused, and the fault names the holder", async () => {
    const id = await desk.created("products", { ...PRO, key: "taken" });
    const answer = await submit(desk.owner, `${desk.home}/products/new`, { ...PRO, name: "Second", key: "taken" });
    expect([answer.status, faultAt(answer, "key")]).toEqual([
      409,
      `The Product ${id} has this key. Choose another key, or change that Product.`,
    ]);
  });

  test("gets a key that fits its name and is free", async () => {
    await desk.created("products", { ...PRO, name: "Größter Plan", key: "grosster-plan" });
    const path = `${desk.home}/products/new`;
    const preview = await submit(desk.owner, path, {
      ...PRO,
      name: "Größter Plan",
      interval: "year",
      action: "picture",
    });
    expect(words(preview)).toContain("Use the key grosster-plan-year");
    const keyed = await sendOn(desk.owner, path, preview, { action: "key:grosster-plan-year" });
    expect(Object.fromEntries(fieldsOf(keyed.text))["key"]).toBe("grosster-plan-year");
  });

  test("stands beside the Checkout that its buyer will see", async () => {
    const preview = await submit(desk.owner, `${desk.home}/products/new`, {
      ...PRO,
      name: "Pictured",
      description: "All you need",
      trialDays: "14",
      "prices.1.amount": "2900",
      "prices.1.currency": "jpy",
      pictured: "jpy",
      action: "picture",
    });
    expect(preview.status).toBe(200);
    expect(words(preview)).toMatch(
      /In the Checkout.*Pictured.*Free for 14 days.*JP¥2,900 every month from 15 March 2026.*All you need.*As a plan/,
    );
    const empty = await desk.owner.get(`${desk.home}/products/new`);
    expect(words(empty)).toMatch(
      /A Customer has at most one Subscription in each group.*The preview appears once you type a price\./,
    );
  });
});

test("a text with a null character is refused, not stored", async () => {
  const answer = await submit(desk.owner, `${desk.home}/products/new`, { ...PRO, name: "a\0b" });
  expect(answer.status).toBe(422);
});
