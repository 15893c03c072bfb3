import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { get, post, wordsOf } from "../support/pages.ts";

const CARD = { number: "4242424242424242", expiry: "12 / 40", cvc: "987", expectedAmount: "3000" };
const DECLINED = { ...CARD, number: "4000000000000002" };

let app: TestApp;
let buyers = 0;

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  const pro = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  const trial = { ...pro, key: "trial", group: "trials", trialDays: 14 };
  const open = { ...trial, key: "open", trialCard: "optional" };
  for (const product of [pro, trial, open]) expect((await app.manage("POST", "/products", product)).status).toBe(201);
});

afterAll(() => app.close());

const newEmail = () => `reader-${(buyers += 1)}@example.com`;

async function checkout(params: object): Promise<Json> {
  const { status, body } = await app.api("POST", "/checkouts", { productKey: "pro", ...params });
  expect(status).toBe(201);
  return body;
}

const languageOf = (page: string) => /<html lang="([^"]+)">/.exec(page)![1];

describe("the language of a Checkout", () => {
  test.each<[checkout: string | null, customer: string | null, browser: string, page: string, pay: string]>([
    ["de", "fr", "ja", "de", "Für 30,00 $ zahlungspflichtig bestellen"],
    [null, "fr", "ja", "fr", "Commander et payer 30,00 $US"],
    [null, null, "ja", "ja", "注文を確定して$30.00を支払う"],
    ["pt-BR", "es-MX", "ja", "es-MX", "Realizar pedido y pagar USD 30.00"],
    ["pt-BR", "zh-Hant-TW", "it, de-CH;q=0.5", "de-CH", "Für $ 30.00 zahlungspflichtig bestellen"],
    [null, null, "it", "en-GB", "Pay US$30.00"],
    [null, null, "en-US", "en-US", "Pay $30.00"],
  ])("of locale %j, with a Customer of %j and a browser of %s, is %s", async (locale, customer, browser, page, pay) => {
    const { url } = await checkout({ locale, customer: { email: newEmail(), locale: customer } });
    const text = await (await fetch(url, { headers: { "Accept-Language": browser } })).text();
    expect(languageOf(text)).toBe(page);
    expect(wordsOf(text)).toContain(` ${pay} `);
  });

  test.each(["trial", "open"])(
    "leaves only the words of German law on the button of a trial: %s",
    async (productKey) => {
      const { url } = await checkout({ productKey, locale: "de" });
      const buttons = [...(await get(url)).text.matchAll(/<button[^>]* type="submit"[^>]*>([^<]*)/g)];
      expect(buttons.map(([, label]) => label)).toEqual(["Zahlungspflichtig bestellen"]);
    },
  );

  test("is also the language of a page that is not there", async () => {
    const answer = await fetch(`${app.url}/nothing/here`, {
      headers: { Accept: "text/html", "Accept-Language": "fr" },
    });
    const text = await answer.text();
    expect([answer.status, languageOf(text)]).toEqual([404, "fr"]);
    expect(wordsOf(text)).toContain("Page introuvable");
  });
});

const PAGES = {
  "en-GB": {
    open: "US$30.00 Due today Then US$30.00 every month from 1 March 2026, until you cancel.",
    trial:
      "Free for 14 days Then US$30.00 every month from 15 February 2026, until you cancel. You won’t be charged today.",
    wrong: "Please check the fields Enter your e-mail address.",
    declined: "Payment failed The card was declined. Try another card or ask your bank.",
    expired: "This page has expired This page was available for a limited time. You were not charged.",
    completed: "Thank you Your payment was received. Your purchase Pro Paid US$30.00",
  },
  de: {
    open: "30,00 $ Heute fällig Danach 30,00 $ monatlich ab dem 1. März 2026, bis Sie kündigen.",
    trial:
      "14 Tage kostenlos Danach 30,00 $ monatlich ab dem 15. Februar 2026, bis Sie kündigen. " +
      "Heute wird nichts abgebucht.",
    wrong: "Bitte prüfen Sie Ihre Angaben Geben Sie Ihre E-Mail-Adresse ein.",
    declined:
      "Zahlung fehlgeschlagen Die Karte wurde abgelehnt. Verwenden Sie eine andere Karte oder wenden Sie sich an " +
      "Ihre Bank.",
    expired: "Diese Seite ist abgelaufen Diese Seite war nur für begrenzte Zeit gültig. Es wurde nichts abgebucht.",
    completed: "Vielen Dank Ihre Zahlung ist eingegangen. Ihr Kauf Pro Bezahlt 30,00 $",
  },
  fr: {
    open: "30,00 $US Total dû aujourd’hui Ensuite, 30,00 $US par mois à partir du 1er mars 2026, jusqu’à résiliation.",
    trial:
      "Gratuit pendant 14 jours Ensuite, 30,00 $US par mois à partir du 15 février 2026, jusqu’à résiliation. " +
      "Aucun montant ne sera débité aujourd’hui.",
    wrong: "Veuillez vérifier votre saisie Saisissez votre adresse e-mail.",
    declined: "Échec du paiement La carte a été refusée. Utilisez une autre carte ou contactez votre banque.",
    expired:
      "Cette page a expiré Cette page n’était valable que pendant une durée limitée. Aucun montant n’a été débité.",
    completed: "Merci Votre paiement a bien été reçu. Votre achat Pro Payé 30,00 $US",
  },
  es: {
    open:
      "30,00 US$ Total a pagar hoy Después, 30,00 US$ al mes a partir del 1 de marzo de 2026, hasta que cancele " +
      "la suscripción.",
    trial:
      "Gratis durante 14 días Después, 30,00 US$ al mes a partir del 15 de febrero de 2026, hasta que cancele la " +
      "suscripción. Hoy no se le cobrará nada.",
    wrong: "Revise los datos introducidos Introduzca su correo electrónico.",
    declined: "El pago ha fallado La tarjeta ha sido rechazada. Pruebe con otra tarjeta o consulte a su banco.",
    expired:
      "Esta página ha caducado Esta página solo era válida durante un tiempo limitado. No se le ha cobrado nada.",
    completed: "Gracias Hemos recibido su pago. Su compra Pro Pagado 30,00 US$",
  },
  ja: {
    open: "$30.00 本日のお支払い額 その後は、2026年3月1日から毎月$30.00。解約されるまで自動更新されます。",
    trial: "14日間無料 その後は、2026年2月15日から毎月$30.00。解約されるまで自動更新されます。本日の請求はありません。",
    wrong: "入力内容をご確認ください メールアドレスを入力してください。",
    declined:
      "お支払いを完了できませんでした " +
      "カードが承認されませんでした。別のカードをお試しいただくか、カード会社にお問い合わせください。",
    expired: "このページの有効期限が切れました このページの有効期間は終了しました。請求は行われていません。",
    completed: "ありがとうございます お支払いが完了しました。 ご購入内容 Pro お支払い済み $30.00",
  },
};

describe.each(Object.entries(PAGES))("in %s", (locale, said) => {
  const wordsIn = async (answer: ReturnType<typeof get>, status: number) => {
    const page = await answer;
    expect([page.status, languageOf(page.text)]).toEqual([status, locale]);
    return wordsOf(page.text);
  };

  test("the page says the costs", async () => {
    const [pro, trial] = [await checkout({ locale }), await checkout({ locale, productKey: "trial" })];
    expect(await wordsIn(get(pro.url), 200)).toContain(said.open);
    expect(await wordsIn(get(trial.url), 200)).toContain(said.trial);
  });

  test("a fault, a declined card and the thanks are said", async () => {
    const { url, id } = await checkout({ locale });
    const email = newEmail();
    expect(await wordsIn(post(url, CARD), 422)).toContain(said.wrong);
    expect(await wordsIn(post(url, { ...DECLINED, email }), 402)).toContain(said.declined);
    expect(await post(url, { ...CARD, email })).toMatchObject({ status: 303 });
    expect(await wordsIn(get(url), 200)).toContain(said.completed);
    const { customerId } = (await app.api("GET", `/checkouts/${id}`)).body;
    expect((await app.manage("GET", `/customers/${customerId}`)).body).toMatchObject({ email, locale });
  });

  test("an expired page says so", async () => {
    const { url } = await checkout({ locale, expiresInMinutes: 5 });
    expect((await app.manage("POST", "/sandbox/clock/advance", { by: "PT6M" })).status).toBe(200);
    expect(await wordsIn(get(url), 200)).toContain(said.expired);
  });
});
