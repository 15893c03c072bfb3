import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { findUserByEmail } from "../../src/store/users.ts";
import { OWNER, type Desk } from "../support/dashboard.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { joinAs } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";

let fixture: Fixture;
let licenseKey: string;
let creditNote: string;
beforeAll(async () => {
  fixture = await startFixture();
  const { app, ok } = fixture.story;
  const { data } = await ok(app.api("GET", `/benefit-grants?customerId=${fixture.ada.customerId}`));
  licenseKey = data[0].properties.key;
  const notes = await ok(app.manage("GET", "/credit-notes"));
  creditNote = notes.data[0].number;
});
afterAll(() => fixture.story.close());

const search = (typed: string) => fixture.owner.get(`${fixture.home}/search?${new URLSearchParams({ q: typed })}`);
/** The path below the dashboard to which a search leads at once; the words of the page if it leads nowhere. */
async function led(typed: string): Promise<string> {
  const answer = await search(typed);
  if (answer.status === 303) return answer.headers.get("Location")!.slice(fixture.home.length);
  expect(answer.status).toBe(200);
  return wordsOf(answer.text);
}

describe("a search leads to the one hit", () => {
  test("of an id", async () => {
    const { ada, invoice, refund, dispute, checkout, discount } = fixture;
    const adas = `/customers/${ada.customerId}`;
    expect(await led(ada.customerId)).toBe(adas);
    for (const { id } of [ada, refund, dispute]) expect(await led(id)).toBe(`${adas}?at=${id}#${id}`);
    expect(await led(` ${invoice.id}\t`)).toBe(`/invoices/${invoice.id}`);
    expect(await led(checkout.id)).toBe(`/checkouts/${checkout.id}`);
    expect(await led(discount.id)).toBe("/discounts?code=SPRING");
    expect(await led(ada.productId)).toBe(`/subscriptions?productId=${ada.productId}`);
  });

  test("of other texts that name one resource", async () => {
    const { ada, grace, invoice } = fixture;
    const [adas, graces] = [`/customers/${ada.customerId}`, `/customers/${grace.customerId}`];
    for (const typed of ["ADA@example.com", "team_1", "ada", "Ada Lovelace", "LOVE", "engines"])
      expect(await led(typed), typed).toBe(adas);
    // A part within a word, of the name, the e-mail address or the external id.
    for (const typed of ["velac", "da@exam", "eam_1"]) expect(await led(typed), typed).toBe(adas);
    expect(await led("hopper")).toBe(graces);
    expect(await led("yearly")).toMatch(/^\/products\/prd_\w+$/);
    expect(await led(invoice.number.toLowerCase())).toBe(`/invoices/${invoice.id}`);
    expect(await led(creditNote)).toMatch(/^\/credit-notes\/crn_\w+$/);
    expect(await led("spring")).toBe("/discounts?code=SPRING");
    expect(await led(licenseKey.toLowerCase().replaceAll("-", " "))).toMatch(
      new RegExp(`^${adas}\\?at=(bgr_\\w+)#\\1$`),
    );
    expect(await led("0341")).toBe(graces);
    expect(await led("4242")).toBe(adas);
  });
});

describe("a search for a page of the dashboard", () => {
  test.each([
    ["tax", "/settings/taxes"],
    ["VAT", "/settings/taxes"],
    ["tax rates", "/settings/taxes"],
    ["dunn", "/settings/dunning"],
    ["logo", "/settings/branding"],
    ["settings", "/settings"],
    ["audit-log", "/audit-log"],
    ["webhooks", "/developers/webhooks"],
    ["clock", "/sandbox"],
  ])("%s leads to %s", async (typed, path) => {
    expect(await led(typed)).toBe(path);
  });

  test("has each page that fits, and the account of the person", async () => {
    expect(await led("payments")).toMatch(/Search Pages Payments Payments/);
    const account = await search("second factor");
    expect([account.status, account.headers.get("Location")]).toEqual([303, "/dashboard/account"]);
  });

  test("leads to no page that the role may not see, and to no page by the middle of a word", async () => {
    const { app } = fixture.story;
    const [finance, support] = await Promise.all([joinAs(app, "finance"), joinAs(app, "support")]);
    const get = (desk: Desk, q: string) => desk.get(`${fixture.home}/search?${new URLSearchParams({ q })}`);
    expect((await get(finance, "tax")).headers.get("Location")).toBe(`${fixture.home}/settings/taxes`);
    for (const typed of ["tax", "dunning", "members", "webhooks", "clock"])
      expect(wordsOf((await get(support, typed)).text), typed).toContain(`There is no “ ${typed} ”`);
    expect(await led("unning")).toContain("There is no “ unning ”");
    expect(await led("ta")).toContain("There is no “ ta ”");
  });
});

test("several hits stand below the name of their kind", async () => {
  const { app, ok } = fixture.story;
  const made = await ok(app.api("POST", "/customers", { email: "spring@example.com", name: "Spring Adams" }));
  const { text } = await search("spring");
  expect(wordsOf(text)).toContain("Search Customers Spring Adams spring@example.com Discounts SPRING");
  expect(text).toContain(`href="${fixture.home}/customers/${made.id}"`);
  expect(text).toContain('name="q" type="search" value="spring"');
});

test("a search without a hit says what can be searched", async () => {
  for (const typed of ["laces", "%", "_", "\u{10FFFF}", "O'Hara", newId("cus"), newId("itn"), "1234", "0".repeat(320)])
    expect(await led(typed), typed).toContain(`There is no “ ${typed} ”. The search knows ids`);
  expect(await led("")).toContain("Search The search knows ids");
  expect(await led("x".repeat(400))).toContain("The search knows ids");
  expect(await led("a\u0000b")).toContain("The search knows ids");
});

test("a search finds no resource of another Organization", async () => {
  const { app } = fixture.story;
  const { organization } = await app.otherOrganization();
  const user = (await findUserByEmail(app.ctx.db.read, OWNER.email))!;
  await app.ctx.db.tx(async (tx) => insertMembership(tx, organization.id, user.id, "owner"));
  const { ada, invoice } = fixture;
  for (const typed of [
    ada.customerId,
    ada.id,
    invoice.number,
    "ada@example.com",
    "ada",
    "4242",
    "spring",
    licenseKey,
  ]) {
    const { status, text } = await fixture.owner.get(
      `/dashboard/${organization.id}/search?${new URLSearchParams({ q: typed })}`,
    );
    expect([status, wordsOf(text)], typed).toEqual([200, expect.stringContaining(`There is no “ ${typed} ”`)]);
  }
});
