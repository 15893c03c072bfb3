import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, inspectAsShown, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let portal: string;
let sold: Json;
let other: Json;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-11-22T09:00:00Z" }), launchBrowser()]);
  const { app, ok } = story;
  portal = (await ok(app.manage("GET", "/organization"))).portalUrl;
  const benefit = async (name: string, type: string, properties: object) =>
    (await ok(app.manage("POST", "/benefits", { name, type, properties }))).id;
  const benefitIds = [
    await benefit("Single sign-on", "feature", { feature: "sso", value: true }),
    await benefit("Editor", "license_key", { prefix: "ACME" }),
  ];
  await story.plan("pro", 3000, { name: "Pro", benefitIds });
  await story.plan("team", 6000, { name: "Team", group: "team" });
  const customer = { email: "ada@example.com", name: "Ada Lovelace", externalId: "ada" };
  sold = await story.buy({ productKey: "pro", customer }, CARDS.pays);
  const [invoice] = (await ok(app.manage("GET", `/invoices?subscriptionId=${sold.id}`))).data;
  await ok(app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
  await story.settle();
  await story.travel("2026-12-01");
  other = await story.buy({ productKey: "team", customer }, CARDS.pays);
  await story.newCard(sold.customerId, CARDS.failsLater);
  await story.travel("2026-12-24");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

type Row = {
  locale: string;
  title: string;
  overdue: string;
  refunded: string;
  cancel: string;
  submit: string;
  lose: string;
  undo: string;
  card: string;
  signIn: string;
};

const ROWS: Row[] = [
  {
    locale: "en-US",
    title: "Your account",
    overdue: "$30.00 is overdue",
    refunded: "Refunded $5.00 to Visa •••• 4242 on November 22, 2026",
    cancel: "Cancel subscription",
    submit: "Cancel on January 1",
    lose: "You keep Team until January 1, 2027. You won’t be charged again.",
    undo: "Undo cancellation",
    card: "Use another card",
    signIn: "Sign in",
  },
  {
    locale: "de-DE",
    title: "Ihr Konto",
    overdue: "30,00 $ sind überfällig",
    refunded: "5,00 $ am 22. November 2026 auf Visa •••• 4242 erstattet",
    cancel: "Abonnement kündigen",
    submit: "Zum 1. Januar kündigen",
    lose: "Sie behalten Team bis zum 1. Januar 2027. Es wird nichts mehr abgebucht.",
    undo: "Kündigung zurücknehmen",
    card: "Andere Karte verwenden",
    signIn: "Anmelden",
  },
  {
    locale: "fr-FR",
    title: "Votre compte",
    overdue: "Paiement en retard : 30,00 $US",
    refunded: "Remboursement de 5,00 $US sur Visa •••• 4242 le 22 novembre 2026",
    cancel: "Résilier votre abonnement",
    submit: "Résilier au 1er janvier",
    lose: "Vous gardez Team jusqu’au 1er janvier 2027. Aucun autre montant ne sera débité.",
    undo: "Annuler la résiliation",
    card: "Utiliser une autre carte",
    signIn: "Se connecter",
  },
  {
    locale: "es-ES",
    title: "Su cuenta",
    overdue: "Pago atrasado de 30,00 US$",
    refunded: "Reembolso de 5,00 US$ en Visa •••• 4242 el 22 de noviembre de 2026",
    cancel: "Cancelar la suscripción",
    submit: "Cancelar el 1 de enero",
    lose: "Conservará Team hasta el 1 de enero de 2027. No se le volverá a cobrar.",
    undo: "Anular la cancelación",
    card: "Usar otra tarjeta",
    signIn: "Iniciar sesión",
  },
  {
    locale: "ja-JP",
    title: "アカウント",
    overdue: "$30.00のお支払いが遅れています",
    refunded: "2026年11月22日に$5.00をVisa •••• 4242へ返金しました",
    cancel: "解約する",
    submit: "1\u2060月\u20601\u2060日に解約する",
    lose: "Teamは2027年1月1日までご利用いただけます。今後の請求はありません。",
    undo: "解約を取り消す",
    card: "別のカードを使う",
    signIn: "ログイン",
  },
];

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f\s]+/g, " ").replaceAll("\u2060", "");
const wordsIn = async (page: Page) => plain((await page.getByRole("main").textContent())!);

async function enter(locale: string, viewport: typeof DESK): Promise<Page> {
  const context = await browser.newContext({ viewport, locale });
  const page = await context.newPage();
  await page.goto((await story.ok(story.app.manage("POST", "/portal-sessions", { customerId: sold.customerId }))).url);
  expect(await page.getAttribute("html", "lang")).toBe(locale);
  return page;
}

describe.each(ROWS)("in the language of $locale", ({ locale, title, signIn, ...texts }) => {
  test("the account says what is overdue, paid and refunded", async () => {
    const page = await enter(locale, PHONE);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
    expect(await page.getAttribute("html", "lang")).toBe(locale);
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(headings.map(plain)).toContain(texts.overdue);
    expect(await wordsIn(page)).toContain(texts.refunded);
    await inspect(page);
    await page.context().close();
  });

  test("a Subscription is canceled and kept, and another card is asked for", async () => {
    const page = await enter(locale, DESK);
    const entry = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Team" }) });
    await entry.getByRole("link", { name: texts.cancel }).click();
    expect(await wordsIn(page)).toContain(texts.lose);
    await inspectAsShown(page);
    await page.getByRole("button", { name: texts.submit }).click();
    await entry.getByRole("button", { name: texts.undo }).click();
    await entry.getByRole("link", { name: texts.cancel }).waitFor();
    expect(await story.subscription(other.id)).toMatchObject({ cancelAtPeriodEnd: false });
    await page.getByRole("link", { name: texts.card }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(texts.card);
    expect(await page.getAttribute("html", "lang")).toBe(locale);
    await inspectAsShown(page);
    await page.context().close();
  });

  test("the sign-in is in the same language", async () => {
    const page = await (await browser.newContext({ viewport: PHONE, locale })).newPage();
    await page.goto(portal);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(signIn);
    await inspectAsShown(page);
    await page.goto(`${portal}/sign-in/x`);
    await inspectAsShown(page);
    await page.context().close();
  });
});

test("a Customer's own locale comes before that of the browser", async () => {
  await story.ok(story.app.manage("PATCH", `/customers/${sold.customerId}`, { locale: "de" }));
  const french = await (await browser.newContext({ viewport: DESK, locale: "fr-FR" })).newPage();
  await french.goto(
    (await story.ok(story.app.manage("POST", "/portal-sessions", { customerId: sold.customerId }))).url,
  );
  expect(await french.getByRole("heading", { level: 1 }).textContent()).toBe("Ihr Konto");
  await french.context().close();
});
