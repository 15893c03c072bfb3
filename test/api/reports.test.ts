import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caller, type Json } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { joinAs } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/**
 * A shop in New York, where the month begins at 5:00 UTC in January. Anna in Germany pays 20.00 and a contained tax of
 * 19 % on 15 January, and gets 11.90 back in February. A business in Austria owes its tax itself. Carl has no rate, and
 * pays nothing from February on. Quentin in Quebec buys on 31 January, 23:00 of New York.
 */
let story: Story;
let anna: Json;
let invoiceOfAnna: Json;
beforeAll(async () => {
  story = await startStory({ clock: "2026-01-15T12:00:00Z", timeZone: "America/New_York" });
  const { app, buy, ok, plan, travel } = story;
  const manage = (method: string, path: string, body: object) => ok(app.manage(method, path, body));
  await manage("PATCH", "/organization", {
    address: { line1: "1 Main Street", city: "New York", postalCode: "10001", state: "NY", country: "US" },
    taxRates: [
      { country: "DE", basisPoints: 1900, name: "USt", inclusive: true },
      { country: "AT", basisPoints: 2000, name: "USt", reverseCharge: true },
      { country: "CA", region: "QC", basisPoints: 1497, name: "GST+QST" },
    ],
  });
  await plan("pro", 11_900, { name: "Pro" });
  await plan("book", 2000, { name: "Book", interval: null });
  const from = (email: string, billingAddress: object, others = {}) => ({
    customer: { email, billingAddress, ...others },
  });
  anna = await buy({ productKey: "pro", ...from("anna@example.com", { country: "DE" }) }, CARDS.pays);
  await buy(
    {
      productKey: "book",
      ...from("office@example.com", { country: "AT" }, { taxId: { type: "eu_vat", value: "ATU13585627" } }),
    },
    CARDS.pays,
  );
  await buy({ productKey: "pro", ...from("carl@example.com", { country: "US", state: "NY" }) }, CARDS.failsLater);
  await travel("2026-02-01T04:00:00Z");
  await buy({ productKey: "book", ...from("quentin@example.com", { country: "CA", state: "QC" }) }, CARDS.pays);
  await travel("2026-02-20T12:00:00Z");
  [, invoiceOfAnna] = (await ok(app.manage("GET", `/invoices?customerId=${anna.customerId}`))).data;
  await manage("POST", `/invoices/${invoiceOfAnna.id}/refunds`, { amount: 1190 });
  await story.settle();
});
afterAll(() => story.close());

const read = (path: string) => story.ok(story.app.manage("GET", `/reports/${path}`));
const NOTHING = { net: 0, tax: 0 };

test("the report of tax has the months of the time zone by country, region and rate, less credit notes", async () => {
  const report = await read("tax?from=2026-01-31&to=2026-02-01");
  expect(report).toMatchObject({
    timeZone: "America/New_York",
    start: "2026-01-01T05:00:00.000Z",
    end: "2026-03-01T05:00:00.000Z",
  });
  const month = (name: string) => report.data.filter((row: Json) => row.month === name);
  const rate = (country: string, region: string | null, name: string | null, basisPoints: number) => {
    const place = { currency: "usd", country, region, name, basisPoints, reverseCharge: false };
    return { ...place, voided: NOTHING, creditNotes: NOTHING };
  };
  const sold = (net: number, tax: number) => ({ invoices: { net, tax }, net, tax });
  expect(month("2026-01")).toMatchObject([
    { ...rate("AT", null, "USt", 2000), ...sold(2000, 0), reverseCharge: true },
    { ...rate("CA", "QC", "GST+QST", 1497), ...sold(2000, 299) },
    { ...rate("DE", null, "USt", 1900), ...sold(10_000, 1900) },
    { ...rate("US", null, null, 0), ...sold(11_900, 0) },
  ]);
  const credited = { creditNotes: { net: 1000, tax: 190 }, net: 9000, tax: 1710 };
  expect(month("2026-02")).toMatchObject([
    { ...rate("DE", null, "USt", 1900), ...sold(10_000, 1900), ...credited },
    { ...rate("US", null, null, 0), ...sold(11_900, 0) },
  ]);
});

test("the report of revenue has the bookings of each month, and each account of the ledger", async () => {
  const { data } = await read("revenue?from=2026-01-01&to=2026-02-28");
  expect(data).toMatchObject([
    { month: "2026-01", currency: "usd", invoices: 28_099, creditNotes: 0, tax: 2199, net: 25_900 },
    { month: "2026-02", currency: "usd", invoices: 23_800, creditNotes: 1190, tax: 1710, net: 20_900 },
  ]);
  expect(data[0].accounts).toEqual({
    receivable: 0,
    provider: 28_099,
    outside: 0,
    revenue: -25_900,
    tax: -2199,
    balance: 0,
    writtenOff: 0,
    adjustment: 0,
    disputed: 0,
    disputeLost: 0,
    payingOut: 0,
  });
  expect(data[1].accounts).toMatchObject({ receivable: 11_900, provider: 10_710, revenue: -20_900, tax: -1710 });
});

describe("the report of receivables", () => {
  test("has the open invoices by age, now and at the end of a day", async () => {
    const ages = (amount: number) => [
      { fromDays: 0, toDays: 30, amount, invoices: 1 },
      { fromDays: 31, toDays: 60, amount: 0, invoices: 0 },
      { fromDays: 61, toDays: 90, amount: 0, invoices: 0 },
      { fromDays: 91, toDays: null, amount: 0, invoices: 0 },
    ];
    const now = await read("receivables");
    expect(now.data).toEqual([{ currency: "usd", amount: 11_900, invoices: 1, ages: ages(11_900) }]);
    expect(await read("receivables?on=2026-02-14")).toMatchObject({ at: "2026-02-15T05:00:00.000Z", data: [] });
    // The invoice is of 15 February, 12:00.
    const then = await read("receivables?on=2026-02-15");
    expect(then).toMatchObject({ at: "2026-02-16T05:00:00.000Z", data: now.data });
    // A day that is not over has the receivables of now.
    const tomorrow = await read("receivables?on=2027-01-01");
    expect(tomorrow.at.slice(0, 10)).toBe(now.at.slice(0, 10));
    expect(tomorrow.data).toEqual(now.data);
  });

  test("keeps a past day after the payment", async () => {
    const [open] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    await story.ok(story.app.manage("POST", `/invoices/${open.id}/mark-paid`, { reason: "By transfer" }));
    expect((await read("receivables")).data).toEqual([]);
    expect((await read("receivables?on=2026-02-16")).data).toMatchObject([{ amount: 11_900, invoices: 1 }]);
    const { data } = await read("revenue?from=2026-02-01&to=2026-02-01");
    expect(data[0].accounts).toMatchObject({ receivable: 0, outside: 11_900 });
  });
});

test("the reports of random histories and of every story equal the ledger", async () => {
  // The audit compares each month and each end of a month with the ledger, in this story and in those of `scenarios/`.
  expect(await story.audit()).toEqual([]);
});

describe("the dashboard", () => {
  let owner: Desk;
  let home: string;
  beforeAll(async () => {
    owner = await openDashboard(story.app);
    home = `/dashboard/${story.app.organization.id}/reports`;
  });
  const page = async (path: string) => {
    const { status, text, headers } = await owner.get(home + path);
    return { status, text, headers, words: wordsOf(text) };
  };
  const SPAN = "from=2026-01-01&to=2026-02-28";

  test("shows each report, and leads from one to the others", async () => {
    expect((await owner.get(home)).headers.get("Location")).toBe(`${home}/revenue`);
    const revenue = await page(`/revenue?${SPAN}`);
    expect(revenue.words).toContain(
      "January 2026 US$280.99 US$0.00 US$0.00 US$21.99 US$259.00 US$0.00 US$0.00 US$0.00",
    );
    expect(revenue.words).toMatch(/Payment provider US\$388\.09/);
    for (const report of ["tax", "receivables"]) expect(revenue.text).toContain(`href="${home}/${report}"`);
    const tax = await page(`/tax?${SPAN}`);
    expect(tax.words).toContain("February 2026 Germany 19 % USt US$100.00 US$10.00 US$1.90 US$90.00 US$17.10");
    expect(tax.words).toContain("January 2026 Austria 20 % USt , reverse charge US$20.00");
    expect(tax.words).toContain("January 2026 Canada, QC 14.97 % GST+QST");
    const owed = await page("/receivables?on=2026-02-16");
    expect(owed.words).toContain("USD US$119.00 US$0.00 US$0.00 US$0.00 US$119.00");
    expect(owed.text).toMatch(/<a href="[^"]+\/invoices\/inv_\w+">/);
    expect((await page("/receivables?on=2025-02-16")).words).toContain("No invoice was open.");
  });

  test("has the figures of the API as CSV, with the amounts in the major unit", async () => {
    const lines = async (path: string) => {
      const file = await page(path);
      expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
      return file.text.replace("\uFEFF", "").trimEnd().split("\r\n");
    };
    expect((await lines(`/revenue.csv?${SPAN}`))[1]).toMatch(/^2026-01,USD,280\.99,0\.00,0\.00,21\.99,259\.00,/);
    const tax = await lines(`/tax.csv?${SPAN}`);
    expect(tax[0]).toBe(
      "month,currency,country,region,rate,percent,reverse_charge,invoices_net,invoices_tax,void_invoices_net," +
        "void_invoices_tax,credit_notes_net,credit_notes_tax,net,tax",
    );
    expect(tax[2]).toBe("2026-01,USD,CA,QC,GST+QST,14.97,no,20.00,2.99,0.00,0.00,0.00,0.00,20.00,2.99");
    const owed = await lines("/receivables.csv?on=2026-02-16");
    expect(owed).toHaveLength(2);
    expect(owed[1]).toMatch(/^inv_\w+,INV-\w+-0002,cus_\w+,carl@example\.com,USD,119\.00,2026-02-15T12:00:00/);
  });

  test("says the fault of a filter", async () => {
    const wrong = await page("/tax?from=2026-02-01&to=2026-01-01");
    expect(wrong.status).toBe(422);
    expect(wrong.words).toContain("The last month is before the first one.");
    expect((await page("/tax.csv?from=x")).status).toBe(422);
    const unknown = await page("/revenue?state=x");
    expect([unknown.status, unknown.words.includes("There is no filter “state”.")]).toEqual([422, true]);
  });

  test("shows reports to owners and finance alone", async () => {
    for (const [role, status] of [
      ["finance", 200],
      ["support", 403],
    ] as const) {
      const desk = await joinAs(story.app, role);
      expect((await desk.get(`${home}/tax`)).status).toBe(status);
    }
  });
});

test("another currency and another Organization have reports of their own", async () => {
  expect((await read("tax?from=2026-01-01&to=2026-02-01&currency=EUR")).data).toEqual([]);
  expect((await read("revenue?from=2026-01-01&to=2026-02-01&currency=eur")).data).toEqual([]);
  const { keys } = await story.app.otherOrganization();
  const manage = caller(`${story.app.url}/manage/v1`, keys.manage);
  for (const path of ["tax?from=2026-01-01&to=2026-02-01", "revenue?from=2026-01-01&to=2026-02-01", "receivables"])
    expect(await manage("GET", `/reports/${path}`)).toMatchObject({ status: 200, body: { data: [] } });
});

test.each([
  ["tax?to=2026-06-01", "from", "required"],
  ["tax?from=2026-06-31&to=2026-07-01", "from", "invalid_date"],
  ["revenue?from=2026-07-01&to=2026-06-01", "to", "end_before_start"],
  ["revenue?from=2015-06-30&to=2026-06-01", "from", "span_too_long"],
  ["receivables?on=tomorrow", "on", "invalid_date"],
  ["receivables?currency=xxx", "currency", "invalid_currency"],
])("%s is refused", async (path, field, code) => {
  const { status, body } = await story.app.manage("GET", `/reports/${path}`);
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([{ in: "query", code, pointer: expect.stringContaining(field) }]);
});
