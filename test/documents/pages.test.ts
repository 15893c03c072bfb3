import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { get } from "../support/pages.ts";
import { textOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let invoice: Json;
let note: Json;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  await story.ok(story.app.manage("PATCH", "/organization", { legalName: "Zażółć <Gęślą> & Co." }));
  await story.plan("pro", 3000, { name: "Pro" });
  const { id } = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com", name: "محمد الأحمد" } },
    CARDS.pays,
  );
  const newest = async () =>
    (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data[0];
  invoice = await newest();
  await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1000, to: "balance" }));
  invoice = await newest();
  [note] = (await story.ok(story.app.manage("GET", "/credit-notes"))).data;
});
afterAll(() => story.close());

/** The words of a page, without its tags. */
const words = (html: string) =>
  html
    .slice(html.indexOf("<main"))
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

test("an invoice's page says the same as its PDF", async () => {
  const page = await get(invoice.url);
  expect(page).toMatchObject({ status: 200 });
  const said = words(page.text).replace(/\s+/g, " ");
  for (const part of [
    "Zażółć <Gęślą> & Co.",
    "محمد الأحمد",
    "Paid on 1 March 2026",
    "1 March 2026 – 1 April 2026",
    "US$30.00",
    "Visa •••• 4242",
  ]) {
    expect(said).toContain(part);
  }
  expect(said).toContain("Refunded −US$10.00");
  expect(said).toContain(`Refund to the account balance 1 March 2026 · Credit note ${note.number}`);
  const pdf = await fetch(`${invoice.url}/pdf`);
  expect([pdf.status, pdf.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  expect(pdf.headers.get("Content-Disposition")).toBe(`inline; filename="${invoice.number}.pdf"`);
  const { url, keys } = story.app;
  const managed = await fetch(`${url}/manage/v1/invoices/${invoice.id}/pdf`, {
    headers: { Authorization: `Bearer ${keys.manage}` },
  });
  expect(Buffer.compare(await pdf.bytes(), await managed.bytes())).toBe(0);
});

test("a credit note has a page and a PDF, too", async () => {
  const page = await get(note.url);
  const said = words(page.text).replace(/\s+/g, " ");
  expect(page.text).toContain(`<a href="${new URL(invoice.url).pathname}">${invoice.number}</a>`);
  for (const part of [
    "Credit note",
    note.number,
    `For invoice ${invoice.number}`,
    "US$10.00 refunded",
    "Account balance 1 March 2026 US$10.00",
  ]) {
    expect(said).toContain(part);
  }
  expect(textOf(await (await fetch(`${note.url}/pdf`)).bytes())).toContain(note.number);
});

test("a link opens one document alone, and only as it is", async () => {
  const secret = invoice.url.split("/").at(-1);
  const { url } = story.app;
  for (const wrong of [
    invoice.url.slice(0, -1),
    `${invoice.url}A`,
    invoice.url.replace("/invoices/", "/checkout/"),
    `${url}/credit-notes/${note.id}/${secret}`,
    `${url}/invoices/${note.id}/${secret}`,
    `${url}/invoices/inv_01kg8n5vq4e0rb7w9c3d6f2h1j/${secret}`,
    invoice.url.replace(secret.slice(0, 26), "01kg8n5vq4e0rb7w9c3d6f2h1j"),
  ]) {
    expect((await get(wrong)).status, wrong).toBe(404);
    expect((await get(`${wrong}/pdf`)).status, wrong).toBe(404);
  }
  expect((await get(note.url, "POST")).status).toBe(405);
  expect((await get(invoice.url, "HEAD")).status).toBe(200);
});

test("a renewal that waits for the buyer leads to their bank, and back to the invoice", async () => {
  const customer = { email: "grace@example.com", externalId: "grace" };
  const { id, customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays);
  await story.newCard(customerId, CARDS.asksBuyer);
  await story.travel("2026-04-01");
  const [open] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data;
  const bank = /href="([^"]*\/sandbox\/challenge\/[^"]+)"/.exec((await get(open.url)).text)![1]!;
  const answered = await fetch(bank, {
    method: "POST",
    body: new URLSearchParams({ answer: "pass" }),
    redirect: "manual",
  });
  expect(answered.status).toBe(303);
  const back = await get(new URL(answered.headers.get("Location")!, open.url).href);
  expect([back.status, back.headers.get("Location")]).toEqual([303, new URL(open.url).pathname]);
  const page = (await get(open.url)).text;
  expect(page).toContain("Paid on 1 April 2026");
  expect(page).not.toContain("/sandbox/challenge/");
});
