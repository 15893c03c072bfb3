import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { textOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const forget = sql("test.forget_locale", "UPDATE invoices SET locale = NULL WHERE id = $1");
const forgetNames = sql("test.forget_names", "UPDATE invoice_lines SET product_name = NULL WHERE invoice_id = $1");
const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "123", expectedAmount: "3000" };

let story: Story;
let buyers = 0;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("max", 6000, { name: "Max" });
});
afterAll(() => story.close());

const manage = (path: string): Promise<Json> => story.ok(story.app.manage("GET", path));
const newest = async (customerId: string): Promise<Json> =>
  (await manage(`/invoices?customerId=${customerId}&limit=1`)).data[0];
const pdfText = async (url: string) => textOf(await (await fetch(`${url}/pdf`)).bytes());
const newEmail = () => `buyer-${(buyers += 1)}@example.com`;

/** The page as a browser of this language shows it. */
async function request(url: string, language: string) {
  const text = withPlainSpaces(await (await fetch(url, { headers: { "Accept-Language": language } })).text());
  return { lang: /<html lang="([^"]+)">/.exec(text)![1], text };
}

/** Buys on the page of a Checkout, in a browser of this language. Answers the id of the Customer. */
async function buyOnPage(params: object, language: string, typed: Record<string, string> = {}): Promise<string> {
  const { id, url } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", ...params }));
  const headers = { "Accept-Language": language, Accept: "text/html" };
  const body = new URLSearchParams({ ...CARD, ...typed });
  expect((await fetch(url, { method: "POST", headers, body, redirect: "manual" })).status).toBe(303);
  return (await story.ok(story.app.api("GET", `/checkouts/${id}`))).customerId;
}

const readCustomer = (customerId: string) => manage(`/customers/${customerId}`);

describe("the first invoice has the language of the page", () => {
  it.each<[buyer: string, params: () => object, typed: () => Record<string, string>]>([
    ["that typed an e-mail address", () => ({}), () => ({ email: newEmail() })],
    ["whose Customer the caller named", () => ({ customer: { email: newEmail() } }), () => ({})],
  ])("for a buyer %s", async (_, params, typed) => {
    const customerId = await buyOnPage(params(), "de-AT,de;q=0.8", typed());
    expect(await readCustomer(customerId)).toMatchObject({ locale: "de-AT" });
    const invoice = await newest(customerId);
    expect(invoice).toMatchObject({ locale: "de-AT", lines: [{ description: "Pro" }] });
    expect(await pdfText(invoice.url)).toContain("Rechnungsnummer");
    const { data } = await manage(`/events?limit=100`);
    const recorded = data.filter(({ data: { id } }: Json) => id === invoice.id);
    expect(recorded.map((event: Json) => event.data.locale)).toEqual(recorded.map(() => "de-AT"));
    expect(recorded.length).toBeGreaterThan(0);
  });

  it("unless the Customer has one", async () => {
    const customerId = await buyOnPage({ customer: { email: newEmail(), locale: "fr-CA" } }, "de");
    expect(await readCustomer(customerId)).toMatchObject({ locale: "fr-CA" });
    expect(await newest(customerId)).toMatchObject({ locale: "fr-CA" });
  });

  it("and no language if the browser names none that is known", async () => {
    const customerId = await buyOnPage({ customer: { email: newEmail() } }, "pt-BR");
    expect(await readCustomer(customerId)).toMatchObject({ locale: null });
    expect(await newest(customerId)).toMatchObject({ locale: null });
  });

  it("also if a buyer changes a plan on the page", async () => {
    const { id, customerId } = await story.buy({ productKey: "pro", customer: { email: newEmail() } }, CARDS.pays);
    expect(await newest(customerId)).toMatchObject({ locale: null });
    await buyOnPage({ productKey: "max", subscriptionId: id }, "ja");
    expect(await newest(customerId)).toMatchObject({ locale: "ja", reason: "product_change" });
  });
});

describe("an invoice in German", () => {
  let invoice: Json;
  let note: Json;
  let id: string;
  beforeAll(async () => {
    const customer = { email: newEmail(), locale: "de" };
    const bought = await story.buy({ productKey: "pro", customer }, CARDS.pays);
    id = bought.id;
    invoice = await newest(bought.customerId);
    await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
    await story.settle();
    [note] = (await manage(`/credit-notes?invoiceId=${invoice.id}`)).data;
  });

  it("stays the same, byte by byte, when the Customer reads another language", async () => {
    const bytes = async () => {
      const answers = await Promise.all([invoice.url, note.url].map((url) => fetch(`${url}/pdf`)));
      return Promise.all(answers.map((answer) => answer.bytes()));
    };
    const before = await bytes();
    await story.ok(story.app.manage("PATCH", `/customers/${invoice.customerId}`, { locale: "fr" }));
    expect(await bytes()).toEqual(before);
    expect((await request(invoice.url, "ja")).lang).toBe("de");
    expect(await manage(`/invoices/${invoice.id}`)).toMatchObject({ locale: "de" });
  });

  it("has a German credit note, to which the page leads", async () => {
    expect(note).toMatchObject({ locale: "de" });
    const page = await request(invoice.url, "en");
    expect(page.text).toContain(`<a href="${new URL(note.url).pathname}">Rechnungskorrektur ${note.number}</a>`);
    const shown = await request(note.url, "en");
    const link = `Zu Rechnung</dt><dd><a href="${new URL(invoice.url).pathname}">${invoice.number}</a>`;
    expect([shown.lang, shown.text]).toEqual(["de", expect.stringContaining(link)]);
    expect(await pdfText(note.url)).toContain("Rechnungskorrektur-Nr.");
    const answer = await fetch(`${note.url}/pdf`);
    expect(answer.headers.get("Content-Language")).toBe("de");
  });

  it("is followed by one in the Customer's new language", async () => {
    await story.change(id, { productKey: "max" });
    const later = await newest(invoice.customerId);
    expect(later).toMatchObject({ locale: "fr", lines: [{ description: "Pro, unused rest of the period" }, {}] });
    expect(await pdfText(later.url)).toContain("Pro, reste de la période non utilisé");
  });
});

describe("an invoice from before languages were kept", () => {
  it("is a PDF in English, and a page in the reader's language", async () => {
    const { customerId } = await story.buy(
      { productKey: "pro", customer: { email: newEmail(), locale: "de" } },
      CARDS.pays,
    );
    const { id, url } = await newest(customerId);
    await story.app.ctx.db.tx(async (tx) => void (await tx.query(forget, [id])));
    expect(await manage(`/invoices/${id}`)).toMatchObject({ locale: null });
    expect(await pdfText(url)).toContain("Date of issue");
    const [french, unknown] = [await request(url, "fr-FR"), await request(url, "pt-BR")];
    expect([french.lang, french.text]).toEqual(["fr-FR", expect.stringContaining("Date d’émission")]);
    expect([unknown.lang, unknown.text]).toEqual(["en-GB", expect.stringContaining("Date of issue")]);
  });

  it("shows its lines as they were described", async () => {
    const customer = { email: newEmail(), locale: "de" };
    const { id, customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays);
    await story.change(id, { productKey: "max" });
    const invoice = await newest(customerId);
    await story.app.ctx.db.tx(async (tx) => void (await tx.query(forgetNames, [invoice.id])));
    const text = await pdfText(invoice.url);
    for (const { description } of invoice.lines) expect(text).toContain(description);
    expect(text).toContain("Zwischensumme");
  });
});

test("a language without a catalogue is kept, and the PDF is in English", async () => {
  const customer = { email: newEmail(), locale: "pt-BR" };
  const { customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays);
  const { url, locale } = await newest(customerId);
  expect(locale).toBe("pt-BR");
  expect(await pdfText(url)).toContain("Invoice number");
  expect((await request(url, "es")).lang).toBe("es");
});

test("another Organization finds neither the document nor its language", async () => {
  const { customerId } = await story.buy(
    { productKey: "pro", customer: { email: newEmail(), locale: "de" } },
    CARDS.pays,
  );
  const { id } = await newest(customerId);
  const { keys } = await story.app.otherOrganization();
  const headers = { Authorization: `Bearer ${keys.manage}` };
  for (const path of [`/invoices/${id}`, `/invoices/${id}/pdf`])
    expect((await fetch(`${story.app.url}/manage/v1${path}`, { headers })).status).toBe(404);
});
