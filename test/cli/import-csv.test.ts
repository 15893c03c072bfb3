import { parse } from "csv-parse/sync";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import {
  countsOf,
  csvOf,
  faultsOf,
  openCsvCommand,
  ROW,
  rowOf,
  type CsvCommand,
  type TestRow,
} from "../support/csv-import.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let csv: CsvCommand;
beforeEach(async () => {
  story = await startStory({ clock: "2026-03-10T09:00:00Z", timeZone: "Europe/Berlin" });
  csv = await openCsvCommand(story.app);
  await story.plan("pro", 3000, { name: "Pro", quantity: { minimum: 1, maximum: 10 } });
});
afterEach(async () => {
  await csv.clear();
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const counts = () => countsOf(story.app);
const customers = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", "/customers?limit=100"))).data.toReversed();

describe("the table", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const NAMES = "id,customer_id,email,name,product,period_end";
  test.each<[name: string, content: string | Uint8Array, customer: object]>([
    ["a byte order mark and CRLF", `\uFEFF${csvOf([ROW], ",", "\r\n")}`, {}],
    ["semicolons and a comma for decimals", csvOf([{ ...ROW, amount: "29,50" }], ";", "\r\n"), {}],
    ["tabs", csvOf([ROW], "\t"), {}],
    [
      "a name with comma, quotes and a line break",
      csvOf([{ ...ROW, company_name: 'King, "Ada"' }]),
      {
        companyName: 'King, "Ada"',
      },
    ],
    [
      "names of columns in capitals, with spaces",
      `${NAMES.toUpperCase().replaceAll(",", " , ")}\nrow-1,ada,ada@example.com,Ada,pro,2026-03-20\n`,
      { name: "Ada" },
    ],
    [
      "blank lines and empty columns to the right",
      `${NAMES},,\n\nrow-1,ada,ada@example.com,Ä,pro,2026-03-20,,\n,,,,,,,\n`,
      {
        name: "Ä",
      },
    ],
    [
      "an address, a tax id and metadata",
      csvOf([
        {
          ...ROW,
          country: "de",
          city: "Berlin",
          tax_id: "DE 136 695 976",
          language: "de",
          "customer_metadata.Size": "12",
        },
      ]),
      {
        locale: "de",
        billingAddress: { country: "DE", city: "Berlin" },
        taxId: { type: "eu_vat", value: "DE136695976" },
        metadata: { Size: "12" },
      },
    ],
    ["bytes", bytes(csvOf([{ ...ROW, name: "Łukasz 李" }])), { name: "Łukasz 李" }],
  ])("may have %s", async (_, content, customer) => {
    const file = await csv.write("table.csv", content);
    expect(await csv.run(file)).toMatchObject({ code: 0, stderr: "" });
    expect(await customers()).toMatchObject([{ email: "ada@example.com", externalId: "ada", ...customer }]);
    expect(await counts()).toMatchObject({ subscriptions: 1, imports: 1 });
  });

  test.each<[name: string, content: string | Uint8Array, says: string]>([
    ["empty", "", "The file is empty. node bin/billow.mjs import csv template writes an example."],
    ["without a column", "id,name\n1,Ada\n", "The column email is missing."],
    [
      "with an unknown column",
      "id,email,e_mail\n1,a@example.com,b\n",
      'There is no column "e_mail". Did you mean `email`?',
    ],
    ["with one column twice", "id,email,email\n1,a@example.com,b\n", "Two columns have the name email."],
    ["in UTF-16", Uint8Array.from([0xff, 0xfe, 0x69, 0x00]), "The file is in UTF-16."],
    [
      "in Windows-1252",
      Uint8Array.from([...bytes("id,email,name\n1,a@example.com,Bj"), 0xf6, 0x72, 0x6e]),
      "Line 2 is not in UTF-8.",
    ],
    ["with an open quote", 'id,email,name\n1,a@example.com,"Ada\n', "Line 2: A quote of this line is never closed."],
  ])("is refused if it is %s", async (_, content, says) => {
    const file = await csv.write("table.csv", content);
    const { code, stderr } = await csv.run(file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(await counts()).toMatchObject({ customers: 0, imports: 0 });
  });

  test("that does not exist is named", async () => {
    expect(await csv.run("/nowhere.csv")).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
  });
});

describe("the faults of a row", () => {
  test.each<[name: string, row: TestRow, faults: string[]]>([
    ["no id", { id: "" }, ["id: This is missing."]],
    ["no e-mail address", { email: "" }, ["email: This is missing."]],
    ["no address", { email: "ada" }, ["email: This is not an e-mail address."]],
    [
      "a bad country and language",
      { country: "XX", language: "deutsch!" },
      [
        "country: This is not an ISO 3166-1 alpha-2 country code.",
        "language: This is not a language tag. Send a tag such as de or en-GB.",
      ],
    ],
    [
      "an address without a country",
      { city: "Berlin" },
      ["country: This is missing. An address and a tax id need the country, such as DE."],
    ],
    [
      "a bad tax id",
      { country: "DE", tax_id: "DE1" },
      ["tax_id: This is not a valid number of the type eu_vat. Check its digits and prefix, such as DE811569869."],
    ],
    ["an unknown Product", { product: "max" }, ["product: There is no Product with this key. Make the Product first."]],
    ["no Product", { product: "" }, ["product: This is missing, and the row has started_at, period_end."]],
    [
      "no date",
      { period_end: "" },
      ["period_end: This is missing: the day of the next charge. A trial has trial_end in its place."],
    ],
    [
      "a date of a locale",
      { period_end: "20.03.2026" },
      ["period_end: This is no date. Write 2027-01-31, or a time such as 2027-01-31T09:00:00Z."],
    ],
    [
      "a period of the past",
      { period_end: "2026-03-01" },
      ["period_end: This has passed. Let the other system bill that period, and write the end of the present one."],
    ],
    [
      "a period of a year",
      { period_end: "2026-12-01", period_start: "2025-12-01" },
      [
        "period_end: This is not the end of the period that began at 2025-11-30T23:00:00.000Z. " +
          "The Product renews every month.",
      ],
    ],
    [
      "a period far away",
      { period_end: "2026-12-01" },
      [
        "period_end: This is more than a period away. The Product renews every month. " +
          "Write trial_end for a free time until then.",
      ],
    ],
    [
      "a begin in the future",
      { started_at: "2026-03-15" },
      ["started_at: This is in the future.", "started_at: This is after the begin of the present period."],
    ],
    ["a quantity that is not sold", { quantity: "11" }, ["quantity: The Product is sold in quantities from 1 to 10."]],
    ["half a unit", { quantity: "1.5" }, ["quantity: This must be a whole number from 1 to 100000."]],
    [
      "an amount of units that is no whole price",
      { quantity: "3", amount: "10" },
      ["amount: US$10.00 is no whole price for each of 3 units."],
    ],
    [
      "separators of thousands",
      { amount: "1,234.50" },
      ["amount: This is no amount. Write 19.90, without a currency and without separators of thousands."],
    ],
    [
      "three decimals",
      { amount: "1,234" },
      [
        "amount: This has more than 2 decimals of usd. " +
          "Write 19.90, without a currency and without separators of thousands.",
      ],
    ],
    ["a tiny amount", { amount: "0.10" }, ["amount: This must be 0, or at least US$0.50."]],
    [
      "an unknown currency",
      { currency: "dollar" },
      [expect.stringMatching(/^currency: This is not an active ISO 4217 currency/) as unknown as string],
    ],
    [
      "a currency without a price",
      { currency: "eur" },
      ["amount: The Product has no price in eur. Write the amount of a period."],
    ],
    [
      "an end after the next charge",
      { ends_at: "2026-06-20" },
      ["ends_at: This is after the next charge. Leave this empty, and plan the end here after that charge."],
    ],
    [
      "an unknown Discount",
      { discount_code: "NONE" },
      ["discount_code: There is no Discount with this code. Make the Discount first."],
    ],
    [
      "the end of no Discount",
      { discount_until: "2026-06-01" },
      ["discount_code: This is missing: discount_until is the end of a discount."],
    ],
    [
      "a trial of the past",
      { period_end: "", trial_end: "2026-03-01" },
      ["trial_end: This has passed. Let the other system bill that period, and write the end of the present one."],
    ],
  ])("%s", async (_, row, faults) => {
    const before = await counts();
    const dry = await csv.run([{ ...ROW, ...row }], "--dry-run");
    expect([dry.code, faultsOf(dry)]).toEqual([3, faults]);
    const real = await csv.run([{ ...ROW, ...row }, rowOf("bob")]);
    expect([real.code, faultsOf(real)]).toEqual([3, faults]);
    expect(real.stdout).toContain("No row was imported, because of the faults.");
    expect(await counts()).toEqual(before);
  });

  test("among the rows: a second id, a Customer in two places, another name, a second balance", async () => {
    const rows = [
      { ...ROW, balance: "5" },
      { ...ROW, id: "row-2", product: "", started_at: "", period_end: "", balance: "5" },
      { ...ROW, id: "row-3", product: "", started_at: "", period_end: "", name: "Grace" },
      rowOf("bob", { id: "row-1" }),
      { ...ROW, id: "row-5", product: "", started_at: "", period_end: "" },
      { ...rowOf("eve"), customer_id: "" },
    ];
    const { code, stdout } = await csv.run(rows, "--dry-run", "--format", "csv");
    expect(code).toBe(3);
    const said = (parse(stdout, { columns: true }) as Json[]).map(({ line, column, message }) => [
      line,
      column,
      message,
    ]);
    expect(said).toEqual([
      ["2", "", "Another row of this Customer has a fault, and the rows of a Customer are imported together."],
      ["3", "balance", "Line 2 has this Customer's balance. Write it in one row of the Customer."],
      ["4", "", "The Customer differs from that of line 2: name."],
      ["5", "id", "Line 2 has the same id."],
      ["6", "customer_id", "Line 4 has the same Customer. Sort the file by customer_id."],
      ["7", "customer_id", "Unlike line 2. Give all rows a customer_id, or no row."],
    ]);
  });

  test("leave the other Customers to --skip-errors", async () => {
    const rows = [{ ...ROW, product: "max" }, rowOf("bob"), rowOf("eve", { email: "eve" })];
    const { code, stdout } = await csv.run(rows, "--skip-errors");
    expect([code, stdout]).toEqual([3, expect.stringContaining("3 rows of 3 Customers: 1 imported")]);
    expect(stdout).toContain("2 rows left out.");
    expect(await customers()).toMatchObject([{ externalId: "bob" }]);
  });

  test("of a Subscription of the same group are found by the dry run, as by the import", async () => {
    await story.plan("max", 5000, { group: "plans" });
    await story.plan("mini", 1000, { group: "plans" });
    const rows = [
      { ...ROW, product: "max" },
      { ...ROW, id: "row-2", product: "mini" },
    ];
    const dry = await csv.run(rows, "--dry-run");
    expect([dry.code, faultsOf(dry).at(-1)]).toEqual([
      3,
      "product: The Subscription of line 2 has the same group, and a Customer has one of a group. Leave one out.",
    ]);
    expect((await csv.run(rows.slice(0, 1))).code).toBe(0);
    const later = await csv.run([{ ...ROW, id: "row-3", product: "mini" }], "--dry-run");
    expect(faultsOf(later).at(-1)).toMatch(
      /^product: The Customer has the Subscription sub_\w+ of this group here, .* Leave the row out, or end that one first\.$/,
    );
  });
});
