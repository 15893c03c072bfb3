import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let desk: Desk;
let ada: string;
let overdue: string;
let base: string;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const { plan, buy, travel, app, ok } = story;
  base = `/dashboard/${app.organization.id}`;
  await plan("pro", 3000);
  await plan("team", 6000);
  desk = await openDashboard(app);
  const empty = await desk.get(base);
  expect(empty.text).toContain("MRR and revenue appear here with the first purchase");
  expect(wordsOf(empty.text)).toContain(
    "First steps Create a Product Done Create a Checkout link Open the link, and pay with a test card",
  );
  expect(empty.text).toContain(`<a href="${base}/checkouts/new">Create a Checkout link</a>`);
  ada = (await buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays)).id;
  // Each of these pages is opened before the overview and before a worker, so the page itself counts the events.
  expect((await desk.get(`${base}/metrics/mrr`)).text).toContain(ada);
  const late = await buy({ productKey: "pro", customer: { email: "late@example.com" } }, CARDS.failsLater);
  overdue = late.id;
  expect((await desk.get(`${base}/metrics/movements`)).text).toContain(overdue);
  await travel("2025-07-03");
  await story.change(ada, { productKey: "team", prorationBehavior: "none" });
  const [payment] = (await ok(app.manage("GET", `/payments?customerId=${late.customerId}&status=succeeded`))).data;
  await ok(app.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
});
afterAll(() => story.close());

/** The cells of the row of a table that begins with this text. */
function rowOf(text: string, first: string): string[] {
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    row!
      .split(/<\/t[hd]>/)
      .map((cell) => cell.replace(/<[^>]*>/g, "").trim())
      .filter((cell) => cell !== ""),
  );
  return rows.find((cells) => cells[0] === first) ?? expect.fail(`no row begins with ${first}`);
}

describe("the overview", () => {
  test("begins with the matters that wait for a person", async () => {
    const { text } = await desk.get(base);
    expect(text.indexOf("Needs attention")).toBeLessThan(text.indexOf("Net revenue"));
    expect(text).toMatch(/A bank took back US\$30\.00/);
  });

  test("names the Customers with an unpaid renewal, and leads to their Subscriptions", async () => {
    const { text } = await desk.get(base);
    expect(wordsOf(text)).toContain("Past due 1 Subscription has an unpaid renewal: late@example.com . All past due");
    const [late] = (await story.ok(story.app.manage("GET", "/customers?email=late@example.com"))).data;
    expect(text).toContain(`<a href="${base}/customers/${late.id}?at=${overdue}#${overdue}">`);
    expect(text).toContain(`<a href="${base}/subscriptions?status=past_due">`);
  });

  test("leads from a notice to the page on which a person can act", async () => {
    const { app, ok } = story;
    const rate = { country: "DE", basisPoints: 1900, name: "VAT", reverseCharge: true };
    await ok(app.manage("PATCH", "/organization", { taxRates: [rate] }));
    const { text } = await desk.get(base);
    await ok(app.manage("PATCH", "/organization", { taxRates: [] }));
    expect(text).toMatch(new RegExp(`Country missing[^]*?<a href="${base}/settings">The settings</a>`));
    expect((await desk.get(base)).text).not.toContain("Country missing");
  });

  test("has a row for each day, and each figure leads to its rows", async () => {
    const { text } = await desk.get(`${base}?from=2025-06-30&to=2025-07-03`);
    expect(rowOf(text, "30 Jun").slice(1, 2)).toEqual(["US$60.00"]);
    expect(rowOf(text, "1 Jul").slice(-4)).toEqual(["1", "0", "1", "0"]);
    const [link] = /\/metrics\/movements\?[^"]*kind=expansion/.exec(text)!;
    const rows = await desk.get(`/dashboard/${story.app.organization.id}${link.replaceAll("&amp;", "&")}`);
    expect(rowOf(rows.text, "3 Jul 2025")).toEqual(["3 Jul 2025", "Expansion", "ada@example.com", ada, "US$30.00"]);
  });

  test("has a row for each month", async () => {
    const { text } = await desk.get(`${base}?by=month&to=2025-07-15`);
    expect(rowOf(text, "July 2025 so far").slice(1, 2)).toEqual(["US$90.00"]);
    expect(rowOf(text, "June 2025")).toContain("US$60.00");
    const june = await desk.get(`${base}/metrics/mrr?to=2025-06-30`);
    expect(june.text.match(/<td class="number">US\$30\.00/g)).toHaveLength(2);
  });

  test("leads from a number of Subscriptions to their rows, also on a day that is over", async () => {
    const { text } = await desk.get(`${base}?from=2025-06-30&to=2025-07-03`);
    expect(rowOf(text, "30 Jun").slice(-4)).toEqual(["2", "0", "0", "0"]);
    const rowsOn = async (day: string, status: string) => {
      const address = `${base}/metrics/subscriptions?currency=usd&to=${day}&status=${status}`;
      expect(text).toContain(`href="${address.replaceAll("&", "&amp;")}"`);
      const page = (await desk.get(address)).text;
      return [...page.matchAll(/#(sub_\w+)"><code/g)].map(([, id]) => id);
    };
    expect(await rowsOn("2025-06-30", "active")).toEqual([ada, overdue].sort());
    expect(await rowsOn("2025-07-01", "active")).toEqual([ada]);
    expect(await rowsOn("2025-07-01", "past_due")).toEqual([overdue]);
    const { text: none } = await desk.get(`${base}/metrics/subscriptions?to=2025-06-30&status=trialing`);
    expect(none).toContain("No Subscription had this status");
  });

  test("refuses an address that no link of ours has", async () => {
    for (const query of ["from=2025-13-01", "from=2025-07-02&to=2025-07-01", "currency=xxx", "from=2020-01-01"])
      expect((await desk.get(`${base}?${query}`)).status, query).toBe(404);
    for (const query of ["kind=gift", "after=x", "after=2025-06-01,sub,x", "to=today"])
      expect((await desk.get(`${base}/metrics/movements?${query}`)).status, query).toBe(404);
    for (const query of ["", "status=canceled", "status=active&after=a,b"])
      expect((await desk.get(`${base}/metrics/subscriptions?${query}`)).status, query).toBe(404);
    expect((await desk.get(`${base}/metrics/revenue?after=x,refund,y`)).status).toBe(404);
    expect((await desk.get(`${base}/metrics/revenue?after=2025-06-01T00:00:00Z,gift,y`)).status).toBe(404);
  });
});

test("the overview opens in the currency that has money, and says that revenue is invoiced", async () => {
  const other = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const there = await openDashboard(other.app);
  const home = `/dashboard/${other.app.organization.id}`;
  expect((await there.get(home)).text).toContain("in USD and the time zone");
  await other.plan("pro", 0, { prices: [{ currency: "eur", amount: 3000 }] });
  await other.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  const { text } = await there.get(home);
  expect(text).toContain("in EUR and the time zone");
  const [tile] = /<dt>Net revenue.*?<dd class="note">[^<]*/s.exec(text)!;
  expect(tile).toContain("currency=eur");
  expect(tile).toMatch(/€30\.00[^]*invoiced, paid or not/);
  expect((await there.get(`${home}?currency=usd`)).text).toContain("in USD and the time zone");
  await other.close();
});

test("the revenue is that of the invoices, by Product and one by one", async () => {
  const { text } = await desk.get(`${base}/metrics/revenue?from=2025-06-01&to=2025-07-31`);
  expect(rowOf(text, "pro")).toEqual(["pro", "US$120.00", "US$0.00", "US$0.00", "US$120.00"]);
  expect(text.match(/<td>Invoice<\/td>/g)).toHaveLength(4);
});

test("the revenue by Product is a CSV", async () => {
  const { status, text } = await desk.get(`${base}/metrics/revenue.csv?from=2025-06-01&to=2025-07-31`);
  expect(status).toBe(200);
  const lines = text.replace("\uFEFF", "").split("\r\n");
  expect(lines[0]).toBe("product_id,product,currency,sales,refunds,tax,net_revenue");
  expect(lines[1]).toMatch(/^prd_\w+,pro,usd,12000,0,0,12000$/);
  expect(lines.slice(2)).toEqual([""]);
});

test("long lists go on on the next page", async () => {
  const { buy, travel } = story;
  for (let n = 0; n < 3; n += 1) await buy({ productKey: "pro", customer: { email: `c${n}@example.com` } }, CARDS.pays);
  await travel("2027-01-03");
  const seen = new Set<string>();
  let next: string | undefined = `${base}/metrics/revenue?from=2026-02-01&to=2027-01-02`;
  for (let pages = 1; next !== undefined; pages += 1) {
    expect(pages).toBeLessThan(3);
    const { text } = await desk.get(next);
    for (const [, id] of text.matchAll(/#(inv_\w+)/g)) seen.add(id!);
    next = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  // Four Customers have twelve renewals each.
  expect(seen.size).toBeGreaterThanOrEqual(44);
});
