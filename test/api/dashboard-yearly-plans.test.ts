import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { faultAt, faultsOf, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { fieldsOf, submit, type Changes } from "../support/filled-form.ts";

let desk: CatalogueDesk;
beforeAll(async () => void (desk = await startCatalogueDesk()));
afterAll(() => desk.story.close());

const PLAN = {
  name: "Pro",
  key: "pro",
  "prices.0.amount": "30",
  "prices.0.currency": "usd",
  "prices.0.yearly": "300",
  alsoYearly: "yes",
};
const send = (changes: Changes) => submit(desk.owner, `${desk.home}/products/new`, { ...PLAN, ...changes });
const products = async (): Promise<Json[]> => (await desk.manage("GET", "/products?limit=100")).data;
const byKey = async (key: string) => (await products()).find((each) => each.key === key)!;

describe("a plan by the month and by the year from one form", () => {
  test("is two Products of one group, each with its event and its entry in the audit log", async () => {
    const id = await desk.created("products", { ...PLAN, trialDays: "14", description: "All of it" });
    const [month, year] = [await byKey("pro"), await byKey("pro-year")];
    expect(id).toBe(month.id);
    const same = { name: "Pro", description: "All of it", group: "plans", trialDays: 14, intervalCount: 1 };
    expect(month).toMatchObject({ ...same, interval: "month", prices: [{ currency: "usd", amount: 3000 }] });
    expect(year).toMatchObject({ ...same, interval: "year", prices: [{ currency: "usd", amount: 30_000 }] });
    for (const product of [month, year]) {
      const [entry, ...others] = await desk.auditOf(product.id);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ operation: "createProduct", resourceId: product.id });
      expect(entry.fields).toContain("prices");
      const { data } = await desk.manage("GET", `/events?resourceId=${product.id}`);
      expect(data.map((event: Json) => event.type)).toEqual(["product.created"]);
    }
  });

  test("has several currencies, and a key that was typed for the year", async () => {
    await desk.created("products", {
      ...PLAN,
      key: "team",
      yearlyKey: "team-annual",
      "prices.1.amount": "2900",
      "prices.1.currency": "jpy",
      "prices.1.yearly": "29000",
    });
    const prices = [
      { currency: "usd", amount: 30_000 },
      { currency: "jpy", amount: 29_000 },
    ];
    expect(await byKey("team-annual")).toMatchObject({ interval: "year", prices });
  });

  test("without keys has none, and without the box is one Product", async () => {
    const before = (await products()).length;
    await desk.created("products", { ...PLAN, key: "", name: "Plain" });
    const plain = (await products()).filter(({ name }) => name === "Plain");
    expect(plain.map(({ key, interval }) => [key, interval]).sort()).toEqual([
      [null, "month"],
      [null, "year"],
    ]);
    await desk.created("products", { ...PLAN, key: "alone", alsoYearly: null });
    await desk.created("products", { ...PLAN, key: "once", sold: "once" });
    expect(await products()).toHaveLength(before + 4);
  });

  test.each<[string, Changes, string, string]>([
    ["a missing price of the year", { "prices.0.yearly": "" }, "prices.0.yearly", "Enter an amount"],
    ["a price of the year that is no amount", { "prices.0.yearly": "many" }, "prices.0.yearly", "amount"],
    ["a price below the minimum", { "prices.0.yearly": "0.10" }, "prices.0.yearly", "is 0 or at least"],
    ["a key that is no key", { yearlyKey: "Pro Year" }, "yearlyKey", "A key is 1 to 64"],
    ["the same key twice", { yearlyKey: "both" }, "yearlyKey", "another key"],
    ["a taken key", { yearlyKey: "pro" }, "yearlyKey", "has this key"],
    ["a plan by the year", { interval: "year" }, "alsoYearly", "billed by the year already"],
    ["a plan of twelve months", { intervalCount: "12" }, "alsoYearly", "billed by the year already"],
  ])("is refused for %s, and neither Product is made", async (_, changes, name, said) => {
    const before = await products();
    const answer = await send({ key: "both", ...changes });
    expect(answer.status).toBe(422);
    expect(faultAt(answer, name)).toContain(said);
    expect(faultsOf(answer)).toHaveLength(1);
    expect(await products()).toEqual(before);
    const shown = Object.fromEntries(fieldsOf(answer.text));
    expect(shown).toMatchObject({ alsoYearly: "yes", "prices.0.amount": "30", key: "both" });
  });

  test("asks for the currency of a row that has a price of the year alone", async () => {
    const row = { "prices.1.currency": "", "prices.1.amount": "", "prices.1.yearly": "29000" };
    const answer = await send({ key: "both", ...row });
    expect(answer.status).toBe(422);
    expect(faultAt(answer, "prices.1.currency")).toBeDefined();
    expect(Object.fromEntries(fieldsOf(answer.text))).toMatchObject({ "prices.1.yearly": "29000" });
  });

  test("shows the faults of both prices at once", async () => {
    const answer = await send({ key: "both", "prices.0.amount": "x", "prices.0.yearly": "y" });
    expect([faultAt(answer, "prices.0.amount"), faultAt(answer, "prices.0.yearly")]).not.toContain(undefined);
  });

  test("sent twice is made once", async () => {
    const path = `${desk.home}/products/new`;
    const page = await desk.owner.get(path);
    const fields = fieldsOf(page.text);
    for (const [name, value] of Object.entries({ ...PLAN, key: "twice" })) fields.set(name, value);
    const [one, two] = [await desk.owner.post(path, fields), await desk.owner.post(path, fields)];
    expect([one.status, two.status]).toEqual([303, 303]);
    expect((await products()).filter(({ key }) => key === "twice" || key === "twice-year")).toHaveLength(2);
  });
});
