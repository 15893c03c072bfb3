import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultAt, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { fieldsOf, sendOn, submit, type Changes } from "../support/filled-form.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

let desk: CatalogueDesk;
beforeAll(async () => void (desk = await startCatalogueDesk()));
afterAll(() => desk.story.close());
const words = ({ text }: Page) => wordsOf(text);

describe("a Discount", () => {
  const HALF = { code: "HALF", basisPoints: "50" };

  test("is created with all of its fields, in the Organization's time zone", async () => {
    const product = await desk.story.plan("reduced", 3000, { name: "Reduced", group: "reduced" });
    const id = await desk.created("discounts", {
      code: "SPRING",
      basisPoints: "12,5",
      duration: "repeating",
      months: "3",
      maxRedemptions: "10",
      startsAt: "2026-03-01T00:00",
      endsAt: "2026-07-01T00:00",
      productIds: [product.id],
    });
    expect(await desk.manage("GET", `/discounts/${id}`)).toMatchObject({
      code: "SPRING",
      type: "percentage",
      basisPoints: 1250,
      duration: "repeating",
      months: 3,
      maxRedemptions: 10,
      startsAt: "2026-02-28T23:00:00.000Z",
      endsAt: "2026-06-30T22:00:00.000Z",
      productIds: [product.id],
    });
    expect(words(await desk.owner.get(`${desk.home}/discounts/${id}`))).toMatch(
      /12\.5% .*For 3 months.*0 purchases of at most 10.*Reduced.*Discount SPRING.*−US\$3\.75/,
    );
  });

  test("of an amount is created in its currency", async () => {
    const fixed = { code: "YEN", type: "fixed", basisPoints: "x", amount: "500", currency: "jpy", duration: "forever" };
    const id = await desk.created("discounts", fixed);
    expect(await desk.manage("GET", `/discounts/${id}`)).toMatchObject({
      type: "fixed",
      basisPoints: null,
      amount: 500,
      currency: "jpy",
      productIds: null,
    });
  });

  test.each<[string, Changes, string, string]>([
    ["no code", { code: "" }, "code", "A code is 1 to 64"],
    ["no percentage", { basisPoints: "" }, "basisPoints", "Enter a percentage such as 25 or 12.5."],
    ["0 percent", { basisPoints: "0" }, "basisPoints", "A percentage is more than 0 and at most 100."],
    ["101 percent", { basisPoints: "101" }, "basisPoints", "A percentage is more than 0 and at most 100."],
    ["no amount", { type: "fixed" }, "amount", "Enter an amount such as 5.00."],
    ["an amount of 0", { type: "fixed", amount: "0" }, "amount", "Enter an amount above 0."],
    ["no months", { duration: "repeating" }, "months", "Enter the number of months."],
    ["no use", { maxRedemptions: "0" }, "maxRedemptions", "This must be at least 1."],
    ["a time that is none", { startsAt: "2026-02-30T00:00" }, "startsAt", "Enter a date and a time"],
    [
      "an end before its start",
      { startsAt: "2026-03-02T00:00", endsAt: "2026-03-01T00:00" },
      "endsAt",
      "The end must be later than the start.",
    ],
  ])("with %s is refused at the field", async (_, typed, name, fault) => {
    const answer = await submit(desk.owner, `${desk.home}/discounts/new`, { ...HALF, ...typed });
    expect([answer.status, faultAt(answer, name)]).toEqual([422, expect.stringContaining(fault)]);
    expect((await desk.manage("GET", "/discounts?code=HALF")).data).toEqual([]);
  });

  test("with a taken code is refused, and one for an unknown Product too", async () => {
    const id = await desk.created("discounts", { code: "TAKEN", basisPoints: "10" });
    const second = await submit(desk.owner, `${desk.home}/discounts/new`, { code: "taken", basisPoints: "10" });
    expect([second.status, faultAt(second, "code")]).toEqual([
      409,
      `The Discount ${id} has this code. Choose another code, or change that Discount.`,
    ]);
    const unknown = await submit(desk.owner, `${desk.home}/discounts/new`, {
      ...HALF,
      productIds: [`prd_${"0".repeat(26)}`],
    });
    expect([unknown.status, words(unknown)]).toEqual([422, expect.stringContaining("There is no such Product.")]);
  });

  test("is edited and deleted, after pages that say whom the change touches", async () => {
    await desk.story.plan("sold-off", 3000, { group: "sold-off" });
    const id = await desk.created("discounts", { code: "EDIT", basisPoints: "10" });
    await desk.story.buy(
      { productKey: "sold-off", discountCode: "EDIT", customer: { email: "d@example.com" } },
      CARDS.pays,
    );
    await desk.story.app.api("POST", "/checkouts", { productKey: "sold-off", discountCode: "EDIT" });
    const path = `${desk.home}/discounts/${id}/edit`;
    const page = await submit(desk.owner, path, { code: "EDITED", maxRedemptions: "1", endsAt: "2026-12-31T12:00" });
    expect(words(page)).toMatch(/Buyers type EDITED ?\. The code EDIT stops.*At most 1 purchase.*after 1 purchase\./);
    expect(words(page)).toMatch(/31 Dec 2026, 12:00.*1 open Checkout has and keeps/);
    expect(leadsTo(await sendOn(desk.owner, path, page))).toBe(`${desk.home}/discounts/${id}?done=saved`);
    const saved = { code: "EDITED", maxRedemptions: 1, endsAt: "2026-12-31T11:00:00.000Z", basisPoints: 1000 };
    expect(await desk.manage("GET", `/discounts/${id}`)).toMatchObject(saved);
    expect((await submit(desk.owner, path)).status).toBe(422);
    const faulty = await submit(desk.owner, path, { startsAt: "2027-01-01T00:00" });
    expect([faulty.status, faultAt(faulty, "endsAt")]).toEqual([422, "The end must be later than the start."]);

    const deletion = `${desk.home}/discounts/${id}/delete`;
    const asked = await desk.owner.get(deletion);
    expect(words(asked)).toMatch(/code EDITED any more.*1 open Checkout loses.*The 1 purchase before keep/);
    const fields = fieldsOf(asked.text);
    const answers = [await desk.owner.post(deletion, fields), await desk.owner.post(deletion, fields)];
    expect(answers.map(leadsTo)).toEqual([
      `${desk.home}/discounts?done=deleted`,
      `${desk.home}/discounts?done=deleted`,
    ]);
    expect((await desk.owner.get(`${desk.home}/discounts/${id}`)).status).toBe(404);
    expect(words(await desk.owner.get(leadsTo(answers[0]!)!))).toContain("The Discount has been deleted.");
  });
});
