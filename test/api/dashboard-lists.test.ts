import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { findUserByEmail, users } from "../../src/store/users.ts";
import { LISTS } from "../../src/web/dashboard/lists/routes.ts";
import { sectionOf } from "../../src/web/dashboard/lists/page.ts";
import { OWNER, signInAt } from "../support/dashboard.ts";
import { joinAs } from "../support/form-actions.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { wordsOf } from "../support/pages.ts";

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.story.close());

const read = async (path: string) => {
  const { status, text } = await fixture.owner.get(fixture.home + path);
  return { status, words: wordsOf(text), text };
};
/** The words of each row of the list on a page. */
async function rows(path: string): Promise<string[]> {
  const { status, text } = await fixture.owner.get(fixture.home + path);
  expect(status).toBe(200);
  const [, body = ""] = /<tbody>([^]*)<\/tbody>/.exec(text) ?? [];
  return [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) => wordsOf(`<main>${row}`).trim());
}
/** The lines of a CSV as cells. No cell of the fixture has a line break. */
async function csv(path: string): Promise<string[][]> {
  const answer = await fixture.owner.get(fixture.home + path);
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
  const lines = answer.text.split("\r\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell]) =>
      cell!.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'),
    ),
  );
}
const column = ([headings, ...lines]: string[][], name: string) => lines.map((line) => line[headings!.indexOf(name)]);

describe("a list", () => {
  test.each([
    ["customers", ["Grace Hopper grace@example.com", "Ada Lovelace ada@example.com Engines team_1"]],
    ["subscriptions", ["Grace Hopper Pro Past due US$30.00 every month", "Ada Lovelace Pro Active"]],
    [
      "payments",
      ["Ada Lovelace Succeeded Partly refunded Refund of US$30.00 Visa", "Grace Hopper Failed card declined"],
    ],
    ["refunds", ["Ada Lovelace Succeeded Invoice Card =Goodwill, once US$5.00"]],
    ["disputes", ["Ada Lovelace Open Not received"]],
    ["checkouts", ["Pro, yearly None Expired US$300.00", "Pro Grace Hopper Completed US$30.00"]],
    ["discounts", ["SPRING 25% For 3 months 0 of 10"]],
  ])("of %s shows its rows", async (name, wanted) => {
    const found = await rows(`/${name}`);
    for (const start of wanted)
      expect(
        found.some((row) => row.startsWith(start)),
        `${start} in ${found.join("; ")}`,
      ).toBe(true);
  });

  test("of invoices shows times in the Organization's zone, and leads to the page of the invoice", async () => {
    const { invoice, home } = fixture;
    const { text } = await read("/invoices");
    expect(text).toContain(`<a href="${home}/invoices/${invoice.id}">${invoice.number}</a>`);
    expect((await rows(`/invoices?number=${invoice.number}`))[0]).toBe(
      `${invoice.number} Ada Lovelace Paid Partly refunded Checkout US$30.00 1 Mar 2026, 04:00`,
    );
  });

  test("is filtered by the filters of the management API, also by those that its bar does not show", async () => {
    expect(await rows("/subscriptions?status=past_due")).toHaveLength(1);
    expect(await rows("/subscriptions?status=trialing")).toHaveLength(0);
    expect(await rows(`/payments?customerId=${fixture.ada.customerId}&status=succeeded`)).toHaveLength(2);
    expect(await rows("/customers?email=ADA@example.com&externalId=")).toHaveLength(1);
    expect(await rows("/discounts?code=spring")).toHaveLength(1);
    for (const part of ["ovela", "ADA@", "team_", "gines"])
      expect(await rows(`/customers?search=${part}`), part).toHaveLength(1);
    // Characters of patterns mean themselves, and a short text is found, too.
    for (const [part, number] of [
      ["t%am", 0],
      ["team-", 0],
      ["a_a", 0],
      ["ad", 1],
    ] as const)
      expect(await rows(`/customers?search=${encodeURIComponent(part)}`), part).toHaveLength(number);
    const { text } = await read(`/payments?customerId=${fixture.ada.customerId}`);
    expect(text).toContain(`name="customerId" value="${fixture.ada.customerId}"`);
    expect(text).toContain("Clear filters");
  });

  test("is filtered by the day of the creation, in the Organization's zone", async () => {
    // The invoice of 1 March, 9:00 UTC, and that of 1 April, 9:00 UTC. In New York, a day ends at 4:00 or 5:00 UTC.
    const days = async (query: string) =>
      (await rows(`/invoices?customerId=${fixture.ada.customerId}&${query}`)).map((row) => row.slice(-18).trim());
    expect(await days("firstDay=2026-03-01&lastDay=2026-03-31")).toEqual(["1 Mar 2026, 04:00"]);
    const first = await days("lastDay=2026-03-31");
    expect(first).toEqual(["1 Mar 2026, 04:00"]);
    expect(await days("lastDay=2026-02-28")).toEqual([]);
    expect((await days("firstDay=2026-03-02")).length).toBe((await days("")).length - 1);
    for (const list of ["customers", "subscriptions", "payments", "refunds", "disputes", "checkouts"]) {
      expect((await rows(`/${list}?firstDay=2026-03-01`)).length, list).toBeGreaterThan(0);
      expect(await rows(`/${list}?lastDay=2026-02-28`), list).toEqual([]);
      const { text, words } = await read(`/${list}`);
      expect(text).toContain('<input type="date" id="filter-firstDay"');
      expect(words).toMatch(/Created from .*Created until/);
      expect(text, list).toContain(`aria-sort="descending"><a href="${fixture.home}/${list}?sort=oldest">`);
    }
    const wrong = await read("/invoices?firstDay=2026-02-30");
    expect([wrong.status, wrong.words.includes("Enter a day such as 2026-10-31.")]).toEqual([422, true]);
  });

  test("is sorted by its heading, and the CSV too", async () => {
    const newest = await rows("/invoices");
    expect(newest.length).toBeGreaterThan(2);
    const { text } = await read("/invoices?status=paid");
    const [, path] = /aria-sort="descending"><a href="([^"]+)"/.exec(text)!;
    expect(path).toBe(`${fixture.home}/invoices?status=paid&amp;sort=oldest`);
    const oldest = await read("/invoices?sort=oldest");
    expect(oldest.text).toMatch(/aria-sort="ascending"><a href="[^"?]+\/invoices">/);
    expect(oldest.text).toContain('<option value="oldest" selected>Oldest first</option>');
    const times = column(await csv("/invoices.csv?sort=oldest"), "created_at");
    expect(times).toEqual([...times].sort());
    expect(column(await csv("/invoices.csv"), "created_at")).toEqual(times.toReversed());
  });

  test("offers the Products by name, and the words of each status", async () => {
    const { text } = await read("/subscriptions?status=active");
    expect(text).toContain('<option value="active" selected>Active</option>');
    expect(text).toMatch(/<option value="prd_\w+">Pro, yearly<\/option>/);
  });

  test.each([
    ["/subscriptions?status=gone", "Choose one of the values of this filter."],
    ["/subscriptions?state=active", "There is no filter “state”."],
    [`/customers?email=${"x".repeat(400)}`, "320"],
  ])("says the fault of %s", async (path, fault) => {
    const { status, words } = await read(path);
    expect(status).toBe(422);
    expect(words).toContain(fault);
    expect(words).not.toContain("Download CSV");
  });

  test("without rows says what to do", async () => {
    expect((await read("/disputes?status=won")).words).toContain("No row fits these filters. Show all");
    expect((await read("/customers?cursor=cus_x")).status).toBe(404);
    expect((await read(`/customers?cursor=${newId("dsp")}`)).status).toBe(404);
    expect((await read("/customers?cursor=cus_00000000000000000000000000")).words).toContain("To the first page");
  });

  test("of a new Organization says the next step, which leads to a page", async () => {
    const { app } = fixture.story;
    const { organization } = await app.otherOrganization();
    const user = (await findUserByEmail(app.ctx.db.read, OWNER.email))!;
    await app.ctx.db.tx(async (tx) => insertMembership(tx, organization.id, user.id, "owner"));
    for (const list of LISTS) {
      const { section, path } = { ...list, ...sectionOf(list) };
      const { text } = await fixture.owner.get(`/dashboard/${organization.id}${path}`);
      const [, next] = /<div class="empty">.*?<a href="([^"]+)"/s.exec(text) ?? [];
      expect((await fixture.owner.get(next!)).status, section).toBe(200);
    }
  });

  test("shows a Checkout without a Customer on a page of its own", async () => {
    const { words } = await read(`/checkouts/${fixture.checkout.id}`);
    expect(words).toMatch(/Status Expired Product Pro, yearly , every year Customer None Total US\$300\.00/);
    expect((await read(`/checkouts/${newId("chk")}`)).status).toBe(404);
  });
});

test("the list of Checkouts makes a link for a buyer who is not known yet", async () => {
  const { owner, home } = fixture;
  expect((await read("/checkouts")).words).toContain("New Checkout link");
  const path = `${home}/checkouts/new`;
  const page = await owner.get(path);
  expect(wordsOf(page.text)).toContain("A Checkout is a page on which one buyer buys one Product.");
  const [, productId] = /<option value="(prd_\w+)"[^>]*>Pro: /.exec(page.text)!;
  const [, once] = /name="once" value="([\w-]+)"/.exec(page.text)!;
  const made = await owner.send(path, { once: once!, productId: productId! });
  expect([made.status, made.headers.get("Location")]).toEqual([
    303,
    expect.stringMatching(/\/checkouts\/chk_\w+\?done=created$/),
  ]);
  const shown = await owner.get(made.headers.get("Location")!);
  expect(wordsOf(shown.text)).toContain("Send the link of the page to the buyer.");
  expect(shown.text).toMatch(/href="[^"]+\/checkout\/[^"]+"/);
  const reader = await joinAs(fixture.story.app, "read_only");
  expect(wordsOf((await reader.get(`${home}/checkouts`)).text)).not.toContain("New Checkout link");
});

test("the filter of the Benefits is named for Benefits", async () => {
  expect((await read("/benefits")).text).toContain('<label for="filter-search">Part of the name</label>');
});

describe("a CSV", () => {
  test("has the rows of the filters, with amounts in major units and whole ids", async () => {
    const found = await csv("/invoices.csv?status=paid");
    expect(column(found, "total").every((total) => total === "30.00")).toBe(true);
    expect(column(found, "refunded")).toContain("5.00");
    expect(column(found, "number")).toContain(fixture.invoice.number);
    expect(column(found, "customer_email")).toContain("ada@example.com");
    expect(column(found, "status")).not.toContain("open");
  });

  test.each(["customers", "subscriptions", "payments", "disputes", "checkouts", "discounts"])(
    "of %s has a cell for each heading",
    async (name) => {
      const [headings, ...lines] = await csv(`/${name}.csv`);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toHaveLength(headings!.length);
    },
  );

  test("begins with the mark by which Excel knows UTF-8", async () => {
    const headers = { Cookie: fixture.owner.cookie! };
    const answer = await fetch(`${fixture.story.app.url}${fixture.home}/customers.csv`, { headers });
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64]);
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="customers.csv"');
  });

  test("has no cell that a spreadsheet runs", async () => {
    expect(column(await csv("/refunds.csv"), "reason")).toEqual(["'=Goodwill, once"]);
  });

  test("has every row of a list with several pages, once, and pages lead there and back", async () => {
    const { app, ok } = fixture.story;
    const names = Array.from({ length: 260 }, (_, n) => `copy${n}@example.com`);
    await Promise.all(names.map((email) => ok(app.api("POST", "/customers", { email }))));
    const emails = column(await csv("/customers.csv"), "email");
    expect([new Set(emails).size, emails.length]).toEqual([262, 262]);
    const link = (text: string, rel: string) =>
      new RegExp(`<a href="([^"]+)" rel="${rel}"`).exec(text)?.[1]?.replaceAll("&amp;", "&");
    let path = "";
    const walk = async (begin: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let next: string | undefined = begin; next;) {
        path = next;
        const { text } = await fixture.owner.get(path);
        seen.push(...[...text.matchAll(/class="long">(copy\d+)@/g)].map(([, each]) => each!));
        next = link(text, "next");
      }
      expect([new Set(seen).size, seen.length]).toEqual([260, 260]);
      return seen;
    };
    // The sandbox's clock stands still, so all of them were created at one instant.
    const oldest = await walk(`${fixture.home}/customers?sort=oldest`);
    expect(await walk(`${fixture.home}/customers?firstDay=2026-03-01`)).toEqual(oldest.toReversed());
    expect(column(await csv("/customers.csv?sort=oldest"), "email").toReversed()).toEqual(emails);
    await walk(`${fixture.home}/customers`);
    let pages = 1;
    for (let back: string | undefined = path; back; pages += 1) {
      path = back;
      back = link((await fixture.owner.get(path)).text, "prev");
    }
    expect([path, pages - 1]).toEqual([`${fixture.home}/customers`, 6]);
  });

  test("is for roles that may export, and its button too", async () => {
    const { app } = fixture.story;
    const user = await draftUser({ email: "support@example.com", name: "Sam", password: OWNER.password });
    await app.ctx.db.tx(async (tx) => {
      users.insert(tx, user);
      insertMembership(tx, app.organization.id, user.id, "support");
    });
    const desk = await signInAt(app.url, { email: "support@example.com", password: OWNER.password });
    expect((await desk.get(`${fixture.home}/customers.csv`)).status).toBe(403);
    expect((await desk.get(`${fixture.home}/customers`)).text).not.toContain(".csv");
    expect((await read("/customers")).text).toContain(`${fixture.home}/customers.csv`);
    expect((await fixture.owner.get(`${fixture.home}/customers.csv?state=x`)).status).toBe(422);
  });
});
