import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { Wording } from "../../src/documents/billing-document.ts";
import { ENGLISH } from "../../src/texts/words.ts";
import type { Json } from "../support/app.ts";
import { infoOf, pagesOf, textOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const POLISH = "Zażółć Gęślą Jaźń Sp. z o.o.";
const SELLER = {
  legalName: POLISH,
  address: { country: "PL", line1: "ul. Świętokrzyska 31/33a", postalCode: "00-049", city: "Łódź" },
  taxId: { type: "eu_vat", value: "PL5260250274" },
};

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z", timeZone: "Europe/Warsaw" });
  await story.ok(story.app.manage("PATCH", "/organization", SELLER));
  const prices = [
    { currency: "eur", amount: 123_450 },
    { currency: "jpy", amount: 100_000 },
    { currency: "kwd", amount: 12_345 },
  ];
  await story.plan("book", 0, { name: "Book", interval: null, prices });
});
afterAll(() => story.close());

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const { url, keys } = story.app;
  return fetch(`${url}/manage/v1${path}`, { method, headers: { Authorization: `Bearer ${keys.manage}`, ...headers } });
}

async function pdfOf(path: string): Promise<Uint8Array> {
  const answer = await get(`${path}/pdf`);
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  return answer.bytes();
}

const read = (path: string): Promise<Json> => story.ok(story.app.manage("GET", path));

/** Sells a book to this Customer, and reads the invoice. */
async function sell(customer: object, currency = "eur"): Promise<Json> {
  const { invoiceId } = await story.buy({ productKey: "book", currency, customer }, CARDS.pays);
  return read(`/invoices/${invoiceId}`);
}

let buyers = 0;
const email = () => `buyer-${(buyers += 1)}@example.com`;

test.each([
  ["Polish", "Żaneta Źdźbło-Łęcka"],
  ["Czech, Turkish, Vietnamese", "Šárka Žďárská İsmail Iğdır Nguyễn Thị Ngọc Ánh"],
  ["Greek and Cyrillic", "Αθανάσιος Ιωαννίδης Щербакова Їжакевич"],
  ["Japanese", "株式会社 山田太郎 ソフトウェア 髙﨑"],
  ["Chinese", "深圳市腾讯计算机系统有限公司 張偉"],
  ["Korean", "김민수 주식회사 한국소프트"],
  ["Arabic", "محمد الأحمد"],
  ["Arabic with ligatures", "شركة الأمل لا إله إلا الله علاء الدين العربي"],
  ["Hebrew", "שלום ישראל"],
  ["Hindi", "अमित कुमार"],
  ["Thai", "สมชาย น้ำ ที่"],
  ["two scripts", "Tokyo 東京 Łódź"],
  ["letters that no font has", "Lela ლელა 😀"],
])("gives a name back: %s", async (_, name) => {
  const { id } = await sell({ email: email(), name });
  const text = textOf(await pdfOf(`/invoices/${id}`));
  expect(text).toContain(name);
  expect(text).toContain(POLISH);
});

test("characters that can't be seen, or would turn the text around, are left out", async () => {
  const { id } = await sell({ email: email(), name: "Ada\u202egnp.exe \u200bLove\u00adlace" });
  expect(textOf(await pdfOf(`/invoices/${id}`))).toContain("Adagnp.exe Lovelace");
});

test.each([
  ["eur", "€1,234.50"],
  ["jpy", "JP¥100,000"],
  ["kwd", "KWD 12.345"],
])("%s has the decimals that it has", async (currency, price) => {
  const invoice = await sell({ email: email(), name: "Ada Lovelace" }, currency);
  const [page] = pagesOf(await pdfOf(`/invoices/${invoice.id}`));
  expect(page).toMatch(new RegExp(`\\bBook +1 +${RegExp.escape(price)} +– +${RegExp.escape(price)}\n`));
  for (const row of ["Subtotal", "Total", "Amount paid", "Visa •••• 4242"]) {
    expect(page).toMatch(new RegExp(`\\b${row} +${RegExp.escape(price)}\n`));
  }
  expect(new Wording(currency, "UTC", ENGLISH).money(invoice.totalAmount).replace("\u00a0", " ")).toBe(price);
});

test("names seller, buyer, date and payment, in the Organization's time zone", async () => {
  await story.travel("2026-03-29T22:30:00Z");
  const customer = {
    email: email(),
    name: "Ada Lovelace",
    billingAddress: { country: "GB", line1: "12 St James's Square", city: "London" },
  };
  const invoice = await sell({ ...customer, taxId: { type: "gb_vat", value: "GB980780684" } });
  const pdf = await pdfOf(`/invoices/${invoice.id}`);
  const text = textOf(pdf);
  for (const said of ["ul. Świętokrzyska 31/33a", "00-049 Łódź", "Poland", "Tax ID: PL5260250274"])
    expect(text).toContain(said);
  for (const said of ["Ada Lovelace", "12 St James's Square", "London", "United Kingdom", "Tax ID: GB980780684"])
    expect(text).toContain(said);
  const [page] = pagesOf(pdf);
  expect(page).toMatch(new RegExp(`Invoice number +${invoice.number}\n`));
  expect(page).toMatch(/Date of issue +30 March 2026\n/);
  expect(page).toMatch(/30 March 2026 +Visa •••• 4242 +€1,234\.50\n/);
  expect(infoOf(pdf)).toMatchObject({ Title: `Invoice ${invoice.number}`, Author: POLISH, Tagged: "yes", Pages: "1" });
});

describe("the endpoint", () => {
  let invoice: Json;
  let path: string;
  beforeAll(async () => {
    invoice = await sell({ email: email(), name: "一郎 शर्मा محمد" });
    path = `/invoices/${invoice.id}/pdf`;
  });

  it("gives the same bytes for the same invoice, and none to a client that has them", async () => {
    const one = await get(path);
    const { id } = await sell({ email: email(), name: "⼀郎 शर्मिष्ठा العربي" });
    expect(textOf(await pdfOf(`/invoices/${id}`))).toContain("⼀郎");
    const other = await get(path);
    expect(Buffer.compare(await one.bytes(), await other.bytes())).toBe(0);
    expect(one.headers.get("Content-Disposition")).toBe(`inline; filename="${invoice.number}.pdf"`);
    const again = await get(path, { "If-None-Match": one.headers.get("ETag")! });
    expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, one.headers.get("ETag"), ""]);
    expect((await get(path, { "If-Match": '"other"' })).status).toBe(412);
  });

  it.each([
    ["application/pdf", 200],
    ["*/*", 200],
    ["application/*;q=0.5", 200],
    ["text/html,application/pdf;q=0.9", 200],
    ["application/json", 406],
    ["application/pdf;q=0, */*", 406],
    ["text/html", 406],
  ])("Accept: %s is %i", async (accept, status) => expect((await get(path, { Accept: accept })).status).toBe(status));

  it("answers as documented", async () => {
    expect((await story.app.manage("GET", path)).status).toBe(200);
    const [found, head] = [await get(path), await get(path, {}, "HEAD")];
    for (const name of ["Content-Type", "Content-Length", "ETag"])
      expect(head.headers.get(name)).toBe(found.headers.get(name));
    expect(await story.app.manage("GET", path, undefined, { Accept: "text/html" })).toMatchObject({ status: 406 });
    expect(await story.app.manage("GET", `${path}?colour=red`)).toMatchObject({ status: 422 });
    expect(await story.app.manage("POST", path)).toMatchObject({ status: 405 });
    expect(await story.app.manage("GET", "/invoices/inv_01kg8n5vq4e0rb7w9c3d6f2h1j/pdf")).toMatchObject({
      status: 404,
    });
  });

  it("finds no invoice of another Organization", async () => {
    const { keys } = await story.app.otherOrganization();
    expect((await get(path, { Authorization: `Bearer ${keys.manage}` })).status).toBe(404);
  });
});
