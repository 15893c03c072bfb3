import { setTimeout } from "node:timers/promises";
import { MAX_FAILED_ATTEMPTS } from "../src/domain/model/checkout.ts";

/** Untyped JSON of the server. */
export type Json = ReturnType<typeof JSON.parse>;
type Request = (method: "GET" | "POST" | "PUT" | "PATCH", path: string, body?: object) => Promise<Json>;
/** The two APIs of a running sandbox. */
export type Sandbox = { url: string; api: Request; manage: Request };

/** The reader of a page, and the market that the reader buys in. */
type Reader = { locale: string; currency: string; name: string; billingAddress: object };

const READERS = {
  en: {
    locale: "en-GB",
    currency: "usd",
    name: "Ada King-Noel, Countess of Lovelace",
    billingAddress: { country: "GB", line1: "12 St James’s Square", postalCode: "SW1Y 4JH", city: "London" },
  },
  de: {
    locale: "de-DE",
    currency: "eur",
    name: "Dr. Annegret Müller-Lüdenscheidt",
    billingAddress: { country: "DE", line1: "Schönhauser Allee 123", postalCode: "10437", city: "Berlin" },
  },
  fr: {
    locale: "fr-FR",
    currency: "eur",
    name: "Jean-Baptiste Lévêque-Dampierre",
    billingAddress: { country: "FR", line1: "8 bis, rue des Martyrs", postalCode: "75009", city: "Paris" },
  },
  es: {
    locale: "es-ES",
    currency: "eur",
    name: "María Fernanda Gutiérrez de la Torre",
    billingAddress: { country: "ES", line1: "Calle de Alcalá, 45, 3.º B", postalCode: "28014", city: "Madrid" },
  },
  ja: {
    locale: "ja-JP",
    currency: "jpy",
    name: "株式会社山田製作所 山田 太郎",
    billingAddress: { country: "JP", line1: "神宮前1-2-3", postalCode: "150-0001", city: "渋谷区", state: "東京都" },
  },
} as const satisfies Record<string, Reader>;

export type Language = keyof typeof READERS;
export const LANGUAGES = Object.keys(READERS) as Language[];
export const localeOf = (language: Language) => READERS[language].locale;
export const currencyOf = (language: Language) => READERS[language].currency;

export const CARDS = {
  pays: "4242424242424242",
  declined: "4000000000000002",
  failsLater: "4000000000000341",
  asksBuyer: "4000000000003220",
  processing: "4000000000002024",
} as const;

export const SELLER = {
  name: "Kestrel",
  legalName: "Kestrel & Möller Softwarewerkstatt GmbH",
  address: { country: "DE", line1: "Hafenstraße 7", postalCode: "20457", city: "Hamburg" },
  taxId: { type: "eu_vat", value: "DE811569869" },
  branding: { displayName: "Kestrel & Möller", accentColor: "#0a6c74" },
  supportEmail: "help@kestrel.example",
  supportUrl: "https://kestrel.example/support",
  termsUrl: "https://kestrel.example/terms",
  privacyUrl: "https://kestrel.example/privacy",
  websiteUrl: "https://kestrel.example",
  timeZone: "Europe/Berlin",
  taxRates: [
    { country: "DE", basisPoints: 1900, name: "MwSt." },
    { country: "FR", basisPoints: 2000, name: "TVA", inclusive: true },
    { country: "ES", basisPoints: 2100, name: "IVA" },
    { country: "GB", basisPoints: 2000, name: "VAT" },
    { country: "JP", basisPoints: 1000, name: "消費税", inclusive: true },
    { country: "US", region: "CA", basisPoints: 725, name: "Sales tax" },
  ],
};

export const SEATS = {
  en: { one: "seat", other: "seats" },
  de: { one: "Arbeitsplatz", other: "Arbeitsplätze" },
  fr: { one: "poste", other: "postes" },
  es: { one: "puesto", other: "puestos" },
  ja: { one: "シート", other: "シート" },
};

const prices = (usd: number, jpy: number) => [
  { currency: "usd", amount: usd },
  { currency: "eur", amount: usd },
  { currency: "jpy", amount: jpy },
];

async function stock({ manage }: Sandbox): Promise<void> {
  await manage("PATCH", "/organization", SELLER);
  await manage("PATCH", "/organization", { portal: { pause: { longestMonths: 3, perYear: 1, access: "revoke" } } });
  await manage("PUT", "/sandbox/clock", { now: "2026-02-10T09:00:00Z" });
  const benefit = async (body: object): Promise<string> => (await manage("POST", "/benefits", body)).id;
  const seats = await benefit({
    type: "feature",
    key: "many-seats",
    name: "500 seats",
    properties: { feature: "seats", value: 500 },
  });
  const benefitIds = [
    await benefit({ type: "feature", key: "seats", name: "25 seats", properties: { feature: "seats", value: 25 } }),
    await benefit({
      type: "license_key",
      key: "editor",
      name: "Desktop editor",
      properties: { prefix: "KESTREL", activationLimit: 3 },
    }),
    await benefit({
      type: "custom",
      key: "help",
      name: "Support by e-mail within one working day",
      properties: { note: "Write to help@kestrel.example" },
    }),
  ];
  const product = (key: string, name: string, more: object) => manage("POST", "/products", { key, name, ...more });
  const month = { interval: "month" };
  const optional = { group: "harbour", trialDays: 30, trialCard: "optional" };
  const description = "Shared workspaces, reports that refresh by themselves, and an archive of every version.";
  const atlas = { ...month, description, benefitIds, group: "atlas" };
  await product("team", "Atlas Professional Workspace for Teams", { ...atlas, prices: prices(3900, 5800) });
  const more = {
    ...atlas,
    description: "All of Atlas for a whole company, with a person to call.",
    benefitIds: [seats],
  };
  await product("company", "Atlas Company", { ...more, prices: prices(9900, 14_800) });
  await product("trial", "Beacon Monitoring", { ...month, group: "beacon", trialDays: 14, prices: prices(1900, 2800) });
  await product("open-trial", "Harbour", { ...month, ...optional, prices: prices(900, 1400) });
  const bySeat = { quantity: { minimum: 2, maximum: 50 }, unitName: SEATS };
  await product("seats", "Atlas Seats", { ...month, ...bySeat, group: "seats", prices: prices(1200, 1800) });
  const byTen = { quantity: { minimum: 10, maximum: 200 }, unitName: SEATS };
  await product("studio", "Atlas Studio", {
    ...month,
    ...byTen,
    benefitIds,
    group: "seats",
    prices: prices(1000, 1500),
  });
  await manage("PATCH", "/organization", { portal: { changeQuantity: true, export: true } });
  await product("charts", "Atlas Charts", { ...month, ...bySeat, group: "charts", prices: prices(1000, 1500) });
  await product("once", "Field Guide to Tidal Charts, Second Edition", { prices: prices(4900, 7500), interval: null });
  await product("reader", "Atlas Reader", { ...month, group: "reader", prices: prices(0, 0) });
  const year = { interval: "year", group: "yearly", description, benefitIds };
  await product("team-year", "Atlas Professional, a whole year", { ...year, prices: prices(39_000, 58_000) });
  await product("old", "Driftwood", { ...month, group: "old", prices: prices(500, 800) });
  const percentage = { type: "percentage", basisPoints: 2500 };
  await manage("POST", "/discounts", { ...percentage, code: "SPRING25", duration: "repeating", months: 3 });
}

/** The state of one reader's purchases: Customers, addresses of pages and ids of Checkouts, by name. */
export type Sold = {
  customers: Record<string, string>;
  pages: Record<string, string>;
  checkouts: Record<string, string>;
};

/** The requests about one reader. Each name is a Customer of its own. */
function deskOf(sandbox: Sandbox, language: Language) {
  const { api, manage } = sandbox;
  const { currency, name, locale, billingAddress } = READERS[language];
  const sold: Sold = { customers: {}, pages: {}, checkouts: {} };
  const customer = async (who: string): Promise<string> => {
    const email = `${who}.${language}@example.com`;
    sold.customers[who] ??= (await api("POST", "/customers", { email, name, locale, billingAddress })).id as string;
    return sold.customers[who];
  };
  const checkout = async (productKey: string, who: string | null, more: object = {}): Promise<Json> => {
    const named = who === null ? {} : { customerId: await customer(who) };
    const back = { cancelUrl: "https://kestrel.example/pricing" };
    return api("POST", "/checkouts", { productKey, currency, locale, ...back, ...named, ...more });
  };
  const buy = async (productKey: string, who: string, card: string = CARDS.pays, more: object = {}): Promise<Json> =>
    manage("POST", `/sandbox/checkouts/${(await checkout(productKey, who, more)).id}/pay`, { card });
  /** Buys at a Checkout that names no Customer, by the Customer's e-mail address. */
  const buyByAddress = async (productKey: string, who: string): Promise<void> => {
    await customer(who);
    const { id } = await checkout(productKey, null);
    const email = `${who}.${language}@example.com`;
    await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays, email, billingAddress });
  };
  const invoice = async ({ invoiceId }: Json): Promise<Json> => manage("GET", `/invoices/${invoiceId}`);
  const newest = async (subscriptionId: string): Promise<Json> =>
    (await manage("GET", `/invoices?subscriptionId=${subscriptionId}&limit=1`)).data[0];
  const activate = async (key: string, label: string | null): Promise<void> => {
    const organizationId = (await manage("GET", "/organization")).id;
    const answer = await fetch(`${sandbox.url}/licenses/v1/activate`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
      body: JSON.stringify({ organizationId, key, label }),
    });
    if (!answer.ok) throw new Error(`a device: ${answer.status} ${await answer.text()}`);
  };
  return { manage, api, locale, sold, customer, checkout, buy, buyByAddress, invoice, newest, activate };
}
type Desk = ReturnType<typeof deskOf> & { bought: Record<string, Json> };

/** Customers whose first renewal fails, each with an invoice to pay on its page. */
const UNPAID = ["declined", "processing", "challenged"];

/** The purchases of 10 February. */
async function sellFirst(desk: Desk): Promise<void> {
  const { buy, bought, checkout, sold } = desk;
  bought["main"] = await buy("team", "main", CARDS.pays, { discountCode: "SPRING25" });
  sold.checkouts["main"] = bought["main"].id;
  await buy("team", "renewing");
  bought["ended"] = await buy("old", "main");
  const { subscriptionId: pausing } = await buy("team", "paused");
  await desk.manage("POST", `/subscriptions/${pausing}/pause`, { access: "revoke" });
  for (const name of UNPAID) bought[name] = await buy("company", `unpaid-${name}`, CARDS.failsLater);
  bought["late"] = await buy("company", "late", CARDS.failsLater);
  bought["lost"] = await buy("company", "lost", CARDS.failsLater);
  bought["book"] = await buy("once", "main");
  sold.pages["checkout-expired"] = (await checkout("team", "expired", { expiresInMinutes: 5 })).url;
}

/** The credit note of the reader's refund. A worker makes the refund within a second. */
async function creditNote({ manage, customer }: Desk): Promise<Json> {
  const query = `/credit-notes?customerId=${await customer("main")}&limit=1`;
  for (let turns = 0; turns < 100; turns += 1) {
    const [found] = (await manage("GET", query)).data;
    if (found) return found;
    await setTimeout(200);
  }
  throw new Error("a refund makes no credit note");
}

/** The purchases of 12 March, when the first renewals are past. */
async function sellLater(desk: Desk): Promise<void> {
  const { manage, api, locale, buy, bought, checkout, customer, sold, invoice, newest } = desk;
  const { pages } = sold;
  bought["trial"] = await buy("trial", "main");
  for (const productKey of ["team", "trial"]) await desk.buyByAddress(productKey, "typed");
  bought["leaving"] = await buy("open-trial", "main");
  await api("PATCH", `/subscriptions/${bought["leaving"].subscriptionId}`, { cancelAtPeriodEnd: true });
  await manage("POST", `/subscriptions/${bought["ended"].subscriptionId}/cancel-now`, {});
  const book = await invoice(bought["book"]);
  await manage("POST", `/invoices/${book.id}/refunds`, { amount: Math.floor(book.totalAmount / 3) });
  pages["invoice-refunded"] = book.url;
  pages["credit-note"] = (await creditNote(desk)).url;
  pages["invoice-paid"] = (await newest(bought["main"].subscriptionId)).url;
  pages["invoice-due"] = (await newest(bought["late"].subscriptionId)).url;
  const lost = await newest(bought["lost"].subscriptionId);
  await manage("POST", `/invoices/${lost.id}/void`, {});
  pages["invoice-void"] = lost.url;
  const disputed = await invoice(await buy("once", "disputed"));
  const [payment] = (await manage("GET", `/payments?invoiceId=${disputed.id}&limit=1`)).data;
  await manage("POST", `/sandbox/payments/${payment.id}/dispute`, {});
  pages["invoice-disputed"] = disputed.url;
  for (const name of UNPAID) pages[`invoice-${name}`] = (await newest(bought[name].subscriptionId)).url;
  const credited = await customer("credited");
  const { currency } = disputed;
  const amount = currency === "jpy" ? 2000 : 1200;
  await manage("POST", `/customers/${credited}/balance-adjustments`, { amount, currency, reason: "Goodwill" });
  pages["checkout-unknown"] = (await checkout("team", null)).url;
  pages["checkout"] = (await checkout("team", "new")).url;
  pages["checkout-discount"] = (await checkout("team", "discounted", { discountCode: "SPRING25" })).url;
  pages["checkout-balance"] = (await checkout("team", "credited")).url;
  pages["checkout-trial"] = (await checkout("trial", "new")).url;
  pages["checkout-open-trial"] = (await checkout("open-trial", "new")).url;
  pages["checkout-once"] = (await checkout("once", "new")).url;
  pages["checkout-free"] = (await checkout("reader", "new")).url;
  await prepareCheckouts(desk);
  pages["checkout-thanks"] = (await api("GET", `/checkouts/${(await buy("team", "thanks")).id}`)).url;
  const { subscriptionId } = bought["main"];
  const change = { productKey: "company", subscriptionId, locale };
  pages["checkout-change"] = (await api("POST", "/checkouts", change)).url;
  pages["checkout-gone"] = (await checkout("old", "gone")).url;
  await preparePortal(desk);
}

/** Payment links for one picture each. */
async function prepareLinks({ manage, sold, locale }: Desk, language: Language): Promise<void> {
  const { pages } = sold;
  const make = async (name: string, keys: readonly string[], more: object = {}): Promise<string> => {
    const products = keys.map((productKey) => ({ productKey }));
    const body = { name, products, currency: currencyOf(language), locale, ...more };
    return (await manage("POST", "/payment-links", body)).url;
  };
  const plans = ["team", "company", "trial", "team-year"];
  pages["buy"] = await make("Pricing page", plans, { discountCode: "SPRING25" });
  pages["buy-one"] = await make("Seats", ["seats"], { quantityChange: { minimum: 2, maximum: 50 } });
  pages["buy-fault"] = pages["buy-one"];
  pages["buy-notice"] = `${pages["buy"]}?product=none&quantity=0`;
  pages["buy-table"] = `${pages["buy"]}/table`;
  pages["buy-table-dark"] = `${pages["buy"]}/table?scheme=dark&accent=c2410c&radius=2`;
  pages["buy-off"] = await make("Old page", ["team"], { active: false });
}

/** One own field of each type, with long words. */
const FIELDS = [
  { key: "po", type: "text", label: { en: "Purchase order number", de: "Bestellnummer", ja: "注文番号" } },
  { key: "people", type: "number", label: { en: "People in the team", de: "Personen im Team" }, min: 1, max: 5000 },
  {
    key: "heard",
    type: "choice",
    label: { en: "How did you hear of us?", de: "Wie haben Sie von uns erfahren?", ja: "当社を知ったきっかけ" },
    required: true,
    options: [
      { value: "friend", label: { en: "A recommendation", de: "Durch eine Empfehlung", ja: "紹介" } },
      { value: "search", label: { en: "A search", de: "Durch eine Suche", ja: "検索" } },
    ],
  },
  { key: "project", type: "text", label: "Project", maxLength: 500, required: true },
  {
    key: "terms",
    type: "checkbox",
    label: {
      en: "I have read the data processing agreement, and accept it for my company.",
      de: "Ich habe die Vereinbarung über die Auftragsverarbeitung gelesen und stimme ihr für mein Unternehmen zu.",
      ja: "データ処理契約を読み、当社を代表して同意します。",
    },
    required: true,
  },
];

/** Checkouts for one picture each. */
async function prepareCheckouts({ manage, checkout, buy, sold, locale, api }: Desk): Promise<void> {
  const { pages } = sold;
  for (const name of ["address", "unknown-faults", "tax-id", "region", "has-plan"])
    pages[`checkout-${name}`] = (await checkout("team", null)).url;
  for (const name of ["code", "faults", "declined", "bank", "processing", "deliverables", "subscribed"])
    pages[`checkout-${name}`] = (await checkout("team", name)).url;
  await buy("company", "subscribed");
  for (const name of ["waiting", "again", "paid"])
    pages[`checkout-hosted-${name}`] = (await checkout("once", `hosted-${name}`)).url;
  const seats = { quantity: 5, quantityChange: { minimum: 2, maximum: 50 } };
  for (const name of ["quantity", "quantity-faults", "quantity-deliverables"])
    pages[`checkout-${name}`] = (await checkout("seats", name, seats)).url;
  for (const name of ["fields", "fields-faults"])
    pages[`checkout-${name}`] = (await checkout("team", name, { fields: FIELDS })).url;
  pages["checkout-hosted-save"] = (await checkout("trial", "hosted-save")).url;
  pages["checkout-trial-deliverables"] = (await checkout("trial", "trial-deliverables")).url;
  pages["checkout-free-deliverables"] = (await checkout("reader", "free-deliverables")).url;
  const amount = await checkout("once", "amount");
  [sold.checkouts["amount"], pages["checkout-amount"]] = [amount.id, amount.url];
  const successUrl = "https://kestrel.example/thanks";
  pages["checkout-arrival"] = (await checkout("once", "arrival", { successUrl })).url;
  const changed = await buy("team", "changed");
  const change = { productKey: "company", subscriptionId: changed.subscriptionId, locale };
  pages["checkout-changed"] = (await api("POST", "/checkouts", change)).url;
  const attempts = await checkout("once", "attempts");
  for (let n = 0; n < MAX_FAILED_ATTEMPTS; n += 1)
    await manage("POST", `/sandbox/checkouts/${attempts.id}/pay`, { card: CARDS.declined });
  pages["checkout-attempts"] = attempts.url;
}

/** Devices, a planned change, and Customers for the pages of the portal. */
async function preparePortal({ api, buy, customer, activate }: Desk): Promise<void> {
  const grants = (await api("GET", `/benefit-grants?customerId=${await customer("main")}`)).data as Json[];
  const { key } = grants.find(({ properties }) => properties?.key).properties;
  for (const label of ["MacBook Pro", "Büro-PC — 経理部, 3. Stock", null]) await activate(key, label);
  await buy("company", "big");
  await buy("seats", "crew", CARDS.pays, { quantity: 5 });
  await buy("charts", "repriced", CARDS.pays, { quantity: 5 });
  const shrinking = await buy("company", "shrinking");
  await api("PATCH", `/subscriptions/${shrinking.subscriptionId}`, {
    productKey: "team",
    prorationBehavior: "next_period",
  });
  await customer("mover");
}

/** Brings a new price, which needs a consent, to the Subscriptions of one Product. */
async function raisePrice({ manage }: Sandbox): Promise<void> {
  const [charts] = (await manage("GET", "/products?key=charts")).data;
  await manage("PATCH", `/products/${charts.id}`, { prices: prices(1200, 1800) });
  const { id } = await manage("POST", `/products/${charts.id}/price-changes`, { consent: "required" });
  for (let status = "running"; status === "running";) ({ status } = await manage("GET", `/price-changes/${id}`));
}

/** Sells to a reader of each language, and moves the clock by a month in between. */
export async function fillSandbox(sandbox: Sandbox): Promise<Record<Language, Sold>> {
  await stock(sandbox);
  const desks = LANGUAGES.map((language): Desk => ({ ...deskOf(sandbox, language), bought: {} }));
  for (const desk of desks) await sellFirst(desk);
  await sandbox.manage("POST", "/sandbox/clock/advance", { to: "2026-03-12T09:00:00Z" });
  for (const [n, desk] of desks.entries()) {
    await sellLater(desk);
    await prepareLinks(desk, LANGUAGES[n]!);
  }
  await raisePrice(sandbox);
  const [old] = (await sandbox.manage("GET", "/products?key=old")).data;
  await sandbox.manage("PATCH", `/products/${old.id}`, { archived: true });
  return Object.fromEntries(LANGUAGES.map((language, n) => [language, desks[n]!.sold])) as Record<Language, Sold>;
}
