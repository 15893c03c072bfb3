import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { findUserByEmail } from "../../src/store/users.ts";
import type { Json } from "../support/app.ts";
import { OWNER } from "../support/dashboard.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { joinAs } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";

let fixture: Fixture;
let note: Json;
let owed: Json;
beforeAll(async () => {
  fixture = await startFixture();
  const { app, ok } = fixture.story;
  const { creditNoteId } = await ok(app.manage("GET", `/refunds/${fixture.refund.id}`));
  note = await ok(app.manage("GET", `/credit-notes/${creditNoteId}`));
  owed = (await ok(app.manage("GET", `/invoices?customerId=${fixture.grace.customerId}&status=open`))).data[0];
});
afterAll(() => fixture.story.close());

async function read(path: string) {
  const { status, text, headers } = await fixture.owner.get(fixture.home + path);
  return { status, text, headers, words: wordsOf(text) };
}

describe("the page of an invoice", () => {
  test("has its state, amounts with their reasons, payments, refunds, disputes and credit notes", async () => {
    const { invoice, home, ada, refund, dispute } = fixture;
    const { status, text, words } = await read(`/invoices/${invoice.id}`);
    expect(status).toBe(200);
    expect(words).toContain(`Invoice ${invoice.number}`);
    expect(words).toContain("Status Paid Partly refunded Customer Ada Lovelace Total US$30.00");
    expect(words).toContain("The sum of the lines.");
    expect(words).toContain("Refund of US$5.00 to the card");
    expect(words).toContain("Dispute about");
    for (const { id } of [refund, dispute]) expect(text).toContain(`<li id="${id}">`);
    expect(words).toMatch(/Payments .*Outcome .*US\$30\.00 Succeeded Partly refunded/);
    expect(text).toContain(`<a href="${home}/credit-notes/${note.id}">${note.number}</a>`);
    expect(text).toContain(`href="${home}/customers/${ada.customerId}"`);
    expect(text).toContain(`href="${home}/customers/${ada.customerId}/invoices/${invoice.id}/refund"`);
    expect(text).toContain(`<a href="${invoice.url}">`);
  });

  test("offers the actions of an open invoice, to roles that may do them", async () => {
    const finance = await joinAs(fixture.story.app, "finance");
    const path = `${fixture.home}/invoices/${owed.id}`;
    const words = wordsOf((await finance.get(path)).text);
    for (const action of ["Charge now", "Mark as paid", "Void"]) expect(words).toContain(`${action} invoice`);
    expect(words).toContain("Status Open");
    const reader = await joinAs(fixture.story.app, "read_only");
    const { status, text } = await reader.get(path);
    expect(status).toBe(200);
    expect(text).not.toContain(`${owed.id}/charge`);
    // The link opens the page on which the invoice can be paid, so it is for people who deal with Customers.
    expect(text).not.toContain(owed.url);
  });

  test("shows a void invoice with its reason", async () => {
    const { app, ok, buy, travel } = fixture.story;
    const card = "4000000000000341";
    const sale = { productKey: "pro", customer: { email: "void@example.com", name: "Vera Void" } };
    const { customerId } = await buy(sale, card);
    await travel("2026-05-03");
    const [open] = (await ok(app.manage("GET", `/invoices?customerId=${customerId}&status=open`))).data;
    await ok(app.manage("POST", `/invoices/${open.id}/void`, { reason: "A wrong order" }));
    const { words } = await read(`/invoices/${open.id}`);
    expect(words).toContain("Status Void");
    expect(words).toContain("Reason for voiding: A wrong order");
  });
});

describe("the document", () => {
  test.each([
    ["an invoice", () => `/invoices/${fixture.invoice.id}`, "Invoice"],
    ["a credit note", () => `/credit-notes/${note.id}`, "Credit note"],
  ])("of %s is what the buyer sees, in a frame without scripts, forms and links", async (_, pathOf, kind) => {
    const page = await read(pathOf());
    expect(page.text).toContain(`src="${fixture.home}${pathOf()}/document"`);
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-src 'self'");
    const framed = await read(`${pathOf()}/document`);
    expect(framed.headers.get("Content-Security-Policy")).toMatch(/script-src 'none'.*frame-ancestors 'self'/);
    expect(framed.text).not.toMatch(/<article[^]*<a [^]*<\/article>/);
    const buyers = fixture.story.app.ctx.config.publicOrigin;
    const { url } = kind === "Invoice" ? fixture.invoice : note;
    const own = wordsOf((await fixture.owner.get(url.slice(buyers.length))).text);
    const article = (words: string) => words.slice(words.indexOf(kind), words.indexOf("Open as PDF"));
    expect(article(own).length).toBeGreaterThan(100);
    expect(framed.words).toContain(article(own).trim());
  });

  test.each([
    ["an invoice", () => `/invoices/${fixture.invoice.id}/pdf`],
    ["a credit note", () => `/credit-notes/${note.id}/pdf`],
  ])("of %s is a PDF, which a browser need not load twice", async (_, pathOf) => {
    const pdf = await read(pathOf());
    expect(pdf.status).toBe(200);
    expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
    expect(pdf.text.startsWith("%PDF-")).toBe(true);
    expect(pdf.headers.get("ETag")).toMatch(/^"/);
  });
});

test("the page of a credit note leads to invoice and refund", async () => {
  const { words, text } = await read(`/credit-notes/${note.id}`);
  expect(words).toContain(`Credit note ${note.number}`);
  expect(text).toContain(`<a href="${fixture.home}/invoices/${fixture.invoice.id}">${fixture.invoice.number}</a>`);
  expect(text).toContain(`?at=${fixture.refund.id}#${fixture.refund.id}`);
  expect(words).toContain("Total US$5.00");
});

test("documents of another Organization are not found", async () => {
  const { app } = fixture.story;
  const { organization } = await app.otherOrganization();
  const owner = await findUserByEmail(app.ctx.db.read, OWNER.email);
  await app.ctx.db.tx(async (tx) => insertMembership(tx, organization.id, owner!.id, "owner"));
  const paths = [`/invoices/${fixture.invoice.id}`, `/credit-notes/${note.id}`].flatMap((path) =>
    ["", "/document", "/pdf"].map((part) => path + part),
  );
  for (const path of paths) {
    expect((await fixture.owner.get(fixture.home + path)).status, path).toBe(200);
    expect((await fixture.owner.get(`/dashboard/${organization.id}${path}`)).status, path).toBe(404);
  }
  for (const path of [`/invoices/${newId("inv")}`, "/invoices/x", `/credit-notes/${newId("crn")}/pdf`])
    expect((await read(path)).status, path).toBe(404);
});
