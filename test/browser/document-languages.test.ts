import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { inspect, inspectAsShown, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openPage } from "../support/buyers.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-02-01T09:00:00Z" }), launchBrowser()]);
  await story.plan("pro", 1190, { name: "Pro" });
  const branding = { displayName: "Acme", accentColor: "#0a7d55" };
  await story.ok(story.app.manage("PATCH", "/organization", { branding, supportEmail: "help@acme.example" }));
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

const newest = async (id: string): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data[0];

/** An open invoice in this language, which could not be charged to the card on file. */
async function owe(locale: string | null, email: string): Promise<{ id: string; url: string; end: string }> {
  const { id, currentPeriodEnd } = await story.buy(
    { productKey: "pro", customer: { email, locale } },
    CARDS.failsLater,
  );
  await story.travel(currentPeriodEnd);
  return { id, url: (await newest(id)).url, end: (await newest(id)).periodEnd };
}

const SAID = {
  de: {
    due: "11,90 $ offen",
    why: "Die Karte wurde abgelehnt. Verwenden Sie eine andere Karte oder wenden Sie sich an Ihre Bank.",
    card: ["Kartennummer", "Gültig bis", "Prüfnummer"],
    pay: /^11,90.\$ bezahlen$/,
    wrong: "Eine Testumgebung nimmt nur Testkarten an",
    title: "Fehler: Rechnung",
    failed: "Zahlung fehlgeschlagen",
    paid: /^Bezahlt am \d+\.\u00a0\S+\u00a02026$/,
    columns: ["Beschreibung", "Menge", "Einzelpreis", "Steuer", "Betrag"],
    pdf: "Als PDF öffnen",
    refund: "Erstattung auf Visa •••• 4242",
    note: "Rechnungskorrektur",
  },
  ja: {
    due: "ご請求額 $11.90",
    why: "カードが承認されませんでした。別のカードをお試しいただくか、カード会社にお問い合わせください。",
    card: ["カード番号", "有効期限", "セキュリティコード"],
    pay: /^\$11\.90を支払う$/,
    wrong: "テスト環境では、4242 4242 4242 4242などのテストカードのみご利用いただけます。",
    title: "エラー：請求書",
    failed: "お支払いを完了できませんでした",
    paid: /^2026\u2060年\u2060\d+\u2060月\u2060\d+\u2060日にお支払い済み$/,
    columns: ["内容", "数量", "単価", "税率", "金額"],
    pdf: "PDFで開く",
    refund: "Visa •••• 4242への返金",
    note: "返金明細書",
  },
} as const;

async function type(page: Page, labels: readonly string[], number: string): Promise<void> {
  for (const [n, value] of [number, "12 / 40", "123"].entries())
    await page.getByLabel(labels[n]!, { exact: true }).fill(value);
}

describe.each(Object.entries(SAID))("an invoice in %s", (locale, said) => {
  test("is explained, paid, refunded and read in this language alone, on a phone", async () => {
    const { id, url } = await owe(locale, `${locale}@example.com`);
    const page = await openPage(browser, { viewport: PHONE, locale: "en-US" });
    await page.goto(url);
    expect(await page.locator("html").getAttribute("lang")).toBe(locale);
    expect((await page.getByRole("heading", { level: 1 }).first().innerText()).replace("\u00a0", " ")).toBe(said.due);
    await page.getByText(said.why).waitFor();
    await inspectAsShown(page);
    const pay = () => page.getByRole("button", { name: said.pay }).click();
    await type(page, said.card, "4111 1111 1111 1111");
    await pay();
    await page.getByRole("alert").getByText(said.wrong).waitFor();
    expect(await page.title()).toContain(said.title);
    await inspectAsShown(page);
    await type(page, said.card, CARDS.declined);
    await pay();
    await page.getByRole("alert").getByText(said.failed).waitFor();
    await type(page, said.card, CARDS.pays);
    await pay();
    const state = page.locator("article .state");
    await state.getByText(said.paid).waitFor();
    const headers = page.getByRole("table").first().getByRole("columnheader");
    expect(await headers.allTextContents()).toEqual(said.columns);
    expect(await page.getByRole("link", { name: said.pdf }).count()).toBe(1);
    const invoice = await newest(id);
    await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
    await story.settle();
    await page.reload();
    await page.getByRole("cell", { name: said.refund }).waitFor();
    await inspect(page);
    await page.getByRole("link", { name: said.note }).click();
    await page.getByRole("heading", { level: 1, name: said.note }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(locale);
    await inspect(page);
  });
});

test("an invoice without a language speaks that of the browser", async () => {
  const { url } = await owe(null, "unknown@example.com");
  for (const [locale, due] of [
    ["fr-FR", "11,90 $US à payer"],
    ["es-ES", "11,90 US$ pendientes de pago"],
    ["pt-BR", "US$11.90 due"],
  ]) {
    const page = await openPage(browser, { locale: locale! });
    await page.goto(url);
    const heading = await page.getByRole("heading", { level: 1 }).first().innerText();
    expect(heading.replace("\u00a0", " ")).toBe(due);
    const quantity = page.getByRole("table").first().getByRole("columnheader").nth(1);
    const lines = await quantity.evaluate((element) => {
      const text = element.ownerDocument.createRange();
      text.selectNodeContents(element);
      return text.getClientRects().length;
    });
    expect(lines).toBe(1);
    await inspectAsShown(page);
  }
});
