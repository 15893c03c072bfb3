import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { faultAt, outcome, startSettings, type SettingsDesk } from "../support/dashboard-settings.ts";
import { fieldsOf } from "../support/filled-form.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

let at: SettingsDesk;
beforeAll(async () => void (at = await startSettings()));
afterAll(() => at.story.close());
beforeEach(() => at.reset());

const saved = () => [303, `${at.settings}/taxes?done=saved`];

describe("tax rates", () => {
  test("are typed in from the table of the European Union, checked, and then saved", async () => {
    const page = await at.owner.get(`${at.settings}/taxes`);
    expect(wordsOf(page.text)).toContain("As of 1 January 2026");
    expect(wordsOf(page.text)).toContain("Finland 25.5 % 1 September 2024 None");
    const filled = await at.save("/taxes", { action: "fill", eu: ["DE", "FI"] });
    expect([filled.status, wordsOf(filled.text)]).toEqual([200, expect.stringContaining("not saved yet")]);
    expect((await at.organization()).taxRates).toEqual([]);
    const fields = fieldsOf(filled.text);
    fields.set("taxRates.0.inclusive", "yes");
    expect(outcome(await at.owner.post(`${at.settings}/taxes`, fields))).toEqual(saved());
    const vat = { region: null, name: "VAT", reverseCharge: true };
    expect((await at.organization()).taxRates).toEqual([
      { ...vat, country: "DE", basisPoints: 1900, inclusive: true },
      { ...vat, country: "FI", basisPoints: 2550, inclusive: false },
    ]);
    expect(wordsOf((await at.owner.get(`${at.settings}/taxes`)).text)).toContain(
      "Germany 19 % 1 January 2021 The same",
    );
    const customer = { email: "tax@example.com", billingAddress: { country: "DE" } };
    const bought = await at.story.buy({ productKey: "pro", customer }, CARDS.pays);
    const { data } = await at.story.ok(at.story.app.manage("GET", `/invoices?customerId=${bought.customerId}`));
    expect(data[0]).toMatchObject({ totalAmount: 3000, taxAmount: 479 });
  });

  test("are changed, removed and added in rows", async () => {
    const rate = { name: "Sales tax", inclusive: false, reverseCharge: false };
    await at.change({
      taxRates: [
        { ...rate, country: "US", region: "NY", basisPoints: 888 },
        { ...rate, country: "US", region: null, basisPoints: 100 },
      ],
    });
    const answer = await at.save("/taxes", {
      "taxRates.0.remove": "yes",
      "taxRates.1.basisPoints": "1,5 %",
      "taxRates.3.country": "AT",
      "taxRates.3.basisPoints": "20",
      "taxRates.3.name": "USt",
    });
    expect(outcome(answer)).toEqual(saved());
    expect((await at.organization()).taxRates).toEqual([
      { ...rate, country: "US", region: null, basisPoints: 150 },
      { ...rate, country: "AT", region: null, basisPoints: 2000, name: "USt" },
    ]);
  });

  test("that are wrong are refused at their row", async () => {
    const row = (n: number, country: string, percent: string, name: string) => ({
      [`taxRates.${n}.country`]: country,
      [`taxRates.${n}.basisPoints`]: percent,
      [`taxRates.${n}.name`]: name,
    });
    const many = await at.save("/taxes", row(1, "DE", "nineteen", "VAT"));
    expect([many.status, faultAt(many.text, "taxRates.1.basisPoints")]).toEqual([
      422,
      "Enter a percentage such as 19 or 25.5.",
    ]);
    const high = await at.save("/taxes", { ...row(1, "DE", "101", "VAT"), ...row(2, "", "20", "USt") });
    expect(faultAt(high.text, "taxRates.1.basisPoints")).toBe("Enter at most 100.");
    expect(faultAt(high.text, "taxRates.2.country")).toContain("not an ISO 3166-1 alpha-2 country");
    const twice = await at.save("/taxes", { ...row(0, "DE", "19", "VAT"), ...row(2, "DE", "7", "VAT") });
    expect(faultAt(twice.text, "taxRates.2.country")).toBe("Another row has the same country and region.");
    const region = (n: number, text: string) => ({ ...row(n, "CA", "5", "QST"), [`taxRates.${n}.region`]: text });
    const one = await at.save("/taxes", { ...region(0, "Quebec"), ...region(2, "CA-QC") });
    expect(faultAt(one.text, "taxRates.2.country")).toBe("Another row has the same country and region.");
    const unknown = await at.save("/taxes", region(1, "Quebeck"));
    expect(faultAt(unknown.text, "taxRates.1.region")).toContain("Did you mean `Quebec`?");
    expect((await at.organization()).taxRates).toEqual([]);
  });

  test("of a long list are on pages, and a page changes its own rates alone", async () => {
    const rates = Array.from({ length: 120 }, (_, n) => ({
      country: "DE",
      region: `Region ${n}`,
      basisPoints: 100 + n,
      inclusive: false,
      name: "Sales tax",
      reverseCharge: false,
    }));
    await at.change({ taxRates: rates });
    const first = await at.owner.get(`${at.settings}/taxes`);
    expect(first.text).toContain(`${at.settings}/taxes?from=40`);
    const second = `${at.settings}/taxes?from=40`;
    const fields = fieldsOf((await at.owner.get(second)).text);
    fields.set("taxRates.40.remove", "yes");
    fields.set("taxRates.41.basisPoints", "9.99");
    expect(outcome(await at.owner.post(second, fields))).toEqual(saved());
    const wanted = rates.filter((_, n) => n !== 40);
    wanted[40] = { ...wanted[40]!, basisPoints: 999 };
    expect((await at.organization()).taxRates).toEqual(wanted);
  });
});
