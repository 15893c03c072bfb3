import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveState } from "../../src/store/imports.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { joinAs } from "../support/form-actions.ts";
import { assessed, READ_AT, storeAssessment } from "../support/import-report.ts";
import { wordsOf } from "../support/pages.ts";

const ACCOUNT = "acct_1";

let app: TestApp;
let owner: Desk;
let home: string;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  home = `/dashboard/${app.organization.id}`;
  owner = await openDashboard(app);
});
afterAll(() => app.close());

const read = async (path: string, desk = owner) => {
  const { status, text } = await desk.get(path);
  return { status, text, words: wordsOf(text).replaceAll("\u00a0", " ") };
};

test("before the first import, the page says how to begin, and offers no file", async () => {
  const { words, text } = await read(`${home}/imports`);
  expect(words).toContain("There is no import yet.");
  expect(text).toContain("/docs/guides/move-from-stripe");
  expect(text).not.toContain("imports.csv");
});

describe("after an assessment", () => {
  beforeAll(async () => {
    const many = Array.from({ length: 120 }, (_, n) => assessed(`sub_many_${String(n).padStart(3, "0")}`));
    await storeAssessment(app, ACCOUNT, [
      assessed("sub_stays", { reasons: ["past_due", "open_invoice"], currency: "eur", monthly: 999 }),
      assessed("sub_irr", { reasons: ["currency"], currency: "irr", monthly: 500_000 }),
      assessed("=cmd|' /C calc'!A0", { reasons: ["tiers"] }),
      ...many,
    ]);
    await storeAssessment(app, "acct_2", [assessed("sub_second")]);
  });

  test("the page has the steps, the sums by state and currency, and the reasons, for each account", async () => {
    const { words } = await read(`${home}/imports`);
    expect(words).toMatch(/Stripe acct_1 .*Assess 30 Nov 2026, 09:00 30 Nov 2026, 09:00/);
    expect(words).toContain("Can move 120 US$2,400.00 0 0");
    expect(words).toMatch(/Stays 3 €9\.99 IRR 5,000\.00 US\$20\.00 0 0/);
    expect(words).toContain("It is unpaid past_due 1");
    expect(words).toMatch(/Stripe acct_2 .*Can move 1 US\$20\.00/);
  });

  test("a page has fifty rows, and the next ones follow by a cursor", async () => {
    let path = `${home}/imports?account=acct_1`;
    const seen: string[] = [];
    for (let pages = 1; ; pages++) {
      const { text } = await read(path);
      seen.push(
        ...[...text.matchAll(/<code class="id">(sub_[^<]+|=[^<]+)<\/code><\/a><\/th>/g)].map(([, ref]) => ref!),
      );
      const [, next] = /<a href="([^"]+)" rel="next">/.exec(text) ?? [];
      if (next === undefined) {
        expect(pages).toBe(3);
        break;
      }
      path = next.replaceAll("&amp;", "&");
    }
    expect(seen).toHaveLength(123);
    expect(new Set(seen).size).toBe(123);
    expect(seen.slice(1)).toEqual(seen.slice(1).toSorted());
  });

  test.each([
    ["state=assessed&reason=past_due", ["sub_stays"]],
    ["reason=tiers", ["=cmd"]],
    ["search=sub_irr", ["sub_irr"]],
    ["search=cus_of_sub_irr", ["sub_irr"]],
    ["account=acct_2", ["sub_second"]],
    ["state=moved", []],
    ["totals=different", []],
    ["search=none%40example.com", []],
  ])("the filter %s shows its rows", async (query, refs) => {
    const { status, text, words } = await read(`${home}/imports?${query}`);
    expect(status).toBe(200);
    const rows = [...text.matchAll(/imports\/subscription\?/g)];
    expect(rows).toHaveLength(refs.length);
    for (const ref of refs) expect(words).toContain(ref);
    if (refs.length === 0) expect(words).toContain("No row fits these filters.");
  });

  test.each([
    "cursor=x",
    "cursor=%5B%22a%22%2C%22%5Cu0000%22%2C%22b%22%5D",
    "search=%00",
    "state=sideways",
    "reason=%FF",
  ])("an address with %s shows the page all the same", async (query) => {
    expect((await read(`${home}/imports?${query}`)).status).toBe(200);
    expect((await read(`${home}/imports.csv?${query}`)).status).toBe(200);
  });

  test("the files have all rows of the filters, and no formula", async () => {
    const csv = await owner.get(`${home}/imports.csv`);
    expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    const lines: Record<string, string>[] = parse(csv.text, { columns: true });
    expect(lines).toHaveLength(124);
    expect(lines[0]).toMatchObject({
      source: "stripe",
      account: "acct_1",
      subscription: "'=cmd|' /C calc'!A0",
      reasons: "tiers",
      monthly: "20.00",
      next_charge_at: "2026-12-24T08:00:00.000Z",
      total_there: "",
    });
    const json = JSON.parse((await owner.get(`${home}/imports.json?reason=past_due`)).text);
    expect(json.runs).toMatchObject([
      { account: "acct_1", step: "assess", finishedAt: "2026-11-30T09:00:00.000Z" },
      { account: "acct_2" },
    ]);
    expect(json.data).toMatchObject([
      { subscription: "sub_stays", reasons: ["past_due", "open_invoice"], monthly: 999, totalThere: null },
    ]);
    expect(JSON.parse((await owner.get(`${home}/imports.json?state=moved`)).text).data).toEqual([]);
  });

  test("the page of a row has its reasons and the next step", async () => {
    const at = (ref: string, account = ACCOUNT) =>
      read(`${home}/imports/subscription?${new URLSearchParams({ source: "stripe", account, ref })}`);
    const stays = await at("sub_stays");
    expect(stays.words).toContain(
      "Why the subscription stays past_due It is unpaid open_invoice It has a draft or open invoice",
    );
    expect(stays.text).toContain('/docs/guides/move-from-stripe#1-assess"');
    expect((await at("=cmd|' /C calc'!A0")).status).toBe(200);
    expect((await at("sub_many_001")).text).toContain('/docs/guides/move-from-stripe#2-the-mapping-and-the-import"');
    for (const [ref, account] of [
      ["sub_none", ACCOUNT],
      ["sub_stays", "acct_2"],
      ["\0", ACCOUNT],
    ] as const)
      expect((await at(ref, account)).status).toBe(404);
    expect((await read(`${home}/imports/subscription?source=x&account=${ACCOUNT}&ref=sub_stays`)).status).toBe(404);
  });

  test("a row that an import has left, and an alarm, have their words and the remedy", async () => {
    const { ctx, organization } = app;
    const key = { organizationId: organization.id, source: "stripe", account: "acct_2", ref: "sub_second" } as const;
    const store = (fields: object) => ctx.db.tx((tx) => moveState(tx, key, "assessed", "assessed", fields, READ_AT));
    const query = new URLSearchParams({ source: "stripe", account: "acct_2", ref: "sub_second" });
    await store({ causes: ["customer_taken"] });
    const taken = await read(`${home}/imports/subscription?${query}`);
    expect(taken.words).toContain("customer_taken Another Customer here has the external id");
    expect((await read(`${home}/imports?account=acct_2`)).words).toContain("Stays 1 US$20.00");
    await store({ causes: [], problem: "second_subscription" });
    const alarm = await read(`${home}/imports/subscription?${query}`);
    expect(alarm.words).toContain("Its Customer has another subscription at Stripe, so both systems charge");
    expect(alarm.words).toContain("Cancel one of the two subscriptions of the Customer");
    await store({ problem: null, snapshot: { stop: { periodEnd: READ_AT }, balance: 700 } });
    expect((await read(`${home}/imports/subscription?${query}`)).words).toContain("2026-11-30T09:00:00.000Z");
    const { data } = JSON.parse((await owner.get(`${home}/imports.json?account=acct_2`)).text);
    expect(data[0].snapshot).toEqual({ stop: { periodEnd: "2026-11-30T09:00:00.000Z" }, balance: 700 });
  });

  test("another Organization sees none of it", async () => {
    const other = (await app.otherOrganization()).organization.id;
    const stranger = await joinAs(app, "owner", other);
    expect((await read(`/dashboard/${other}/imports`, stranger)).words).toContain("There is no import yet.");
    const query = new URLSearchParams({ source: "stripe", account: ACCOUNT, ref: "sub_stays" });
    expect((await read(`/dashboard/${other}/imports/subscription?${query}`, stranger)).status).toBe(404);
    expect(JSON.parse((await stranger.get(`/dashboard/${other}/imports.json`)).text)).toEqual({ runs: [], data: [] });
  });
});
