import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { joinAs } from "../support/form-actions.ts";
import { openAs } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2025-09-10T09:00:00Z" }), launchBrowser()]);
  const { app, buy, ok, plan, travel } = story;
  const taxRates = [{ country: "DE", basisPoints: 1900, name: "USt" }];
  await ok(app.manage("PATCH", "/organization", { taxRates }));
  await plan("pro", 3000, { name: "Pro" });
  await plan("team", 9000, { name: "Team, for =many" });
  const buyer = (name: string, country: string) => ({
    customer: { email: `${name}@example.com`, billingAddress: { country } },
  });
  // Ada renews in October. Ben and Cleo buy in October. Dora buys in November, and a second refund is of November.
  await buy({ productKey: "pro", ...buyer("ada", "DE") }, CARDS.pays);
  await travel("2025-10-05T09:00:00Z");
  const ben = await buy({ productKey: "team", ...buyer("ben", "DE") }, CARDS.pays);
  await buy({ productKey: "pro", ...buyer("cleo", "US") }, CARDS.pays);
  const [invoice] = (await ok(app.manage("GET", `/invoices?customerId=${ben.customerId}`))).data;
  await ok(app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 2380 }));
  await travel("2025-11-02T09:00:00Z");
  await buy({ productKey: "team", ...buyer("dora", "DE") }, CARDS.pays);
  await ok(app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1000 }));
  await joinAs(app, "finance");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

async function openAsFinance(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext({ acceptDownloads: true, ...options })).newPage();
  await openAs(page, story.app, "finance");
  return page;
}

const ledgerStatement = sql(
  "test.revenue_of_ledger",
  `SELECT sum(CASE WHEN credit_account = 'revenue' THEN amount ELSE -amount END)::bigint AS revenue
   FROM ledger_transfers WHERE organization_id = $1 AND 'revenue' IN (debit_account, credit_account)
   AND created_at >= '2025-10-01T00:00:00Z' AND created_at < '2025-11-01T00:00:00Z'`,
);

test.each([
  ["with a script, on a desk", { viewport: DESK }],
  ["without a script, on a phone", { viewport: PHONE, javaScriptEnabled: false }],
] as const)("revenue of October by Product as CSV, equal to the ledger: %s", async (_, options) => {
  const page = await openAsFinance(options);
  await page.getByRole("navigation", { name: "Days or months" }).getByRole("link", { name: "12 months" }).click();
  const october = page.getByRole("row", { name: /^October 2025/ });
  await october.getByRole("link", { name: "US$130.00" }).click();
  await page.getByRole("heading", { level: 1, name: "Revenue" }).waitFor();
  const rows = page.getByRole("region", { name: "Revenue by Product" }).getByRole("row");
  expect((await rows.allInnerTexts()).map((text) => text.split(/\s*\t\s*/))).toEqual([
    ["Product", "Sales", "Refunds", "Tax", "Net revenue"],
    ["Pro", "US$65.70", "US$0.00", "US$5.70", "US$60.00"],
    ["Team, for =many", "US$107.10", "US$23.80", "US$13.30", "US$70.00"],
  ]);
  if (!("javaScriptEnabled" in options)) await inspect(page);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download the revenue by Product as CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).replace("\uFEFF", "").trimEnd().split("\r\n");
  expect(lines.map((line) => line.replace(/^prd_\w+/, "prd"))).toEqual([
    "product_id,product,currency,sales,refunds,tax,net_revenue",
    "prd,Pro,usd,6570,0,570,6000",
    'prd,"Team, for =many",usd,10710,2380,1330,7000',
  ]);
  const net = lines.slice(1).reduce((sum, line) => sum + Number(line.split(",").at(-1)), 0);
  const { app } = story;
  const [ledger] = await app.ctx.db.read.query<{ revenue: number }>(ledgerStatement, [app.organization.id]);
  expect(net).toBe(ledger!.revenue);
});

test.each([
  ["with a script, on a desk", { viewport: DESK }],
  ["without a script, on a phone", { viewport: PHONE, javaScriptEnabled: false }],
] as const)("the tax of October by country and rate, and its CSV: %s", async (_, options) => {
  const page = await openAsFinance(options);
  await page.goto(`${story.app.url}/dashboard/${story.app.organization.id}/reports`);
  for (const name of ["Tax", "Receivables", "Revenue"]) {
    await page.getByRole("navigation", { name: "Report" }).getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name: `Report: ${name}` }).waitFor();
    if (!("javaScriptEnabled" in options)) await inspect(page);
  }
  await page.getByRole("navigation", { name: "Report" }).getByRole("link", { name: "Tax" }).click();
  await page.getByLabel("From the month of").fill("2025-10-01");
  await page.getByLabel("To the month of").fill("2025-10-31");
  await page.getByRole("button", { name: "Filter" }).click();
  const germany = page.getByRole("row", { name: /Germany/ });
  await germany.getByText("US$100.00").last().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).replace("\uFEFF", "").trimEnd().split("\r\n");
  expect(lines.slice(1)).toEqual([
    "2025-10,USD,DE,,USt,19,no,120.00,22.80,0.00,0.00,20.00,3.80,100.00,19.00",
    "2025-10,USD,US,,,0,no,30.00,0.00,0.00,0.00,0.00,0.00,30.00,0.00",
  ]);
});
