import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { newBuyer } from "../support/buyers.ts";
import { CARDS, ok as done } from "../support/story.ts";

const RATES = [
  { country: "DE", basisPoints: 1900, name: "USt" },
  { country: "FR", basisPoints: 2000, name: "TVA", inclusive: true },
  { country: "US", region: "CA", basisPoints: 725, name: "Sales tax" },
  { country: "US", region: "NY", basisPoints: 400, name: "Sales tax" },
];

/** A sandbox on 1 February 2026 with Products, Discounts and tax rates. */
export async function startCatalogueApp(): Promise<TestApp> {
  const app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  const { ok } = checkoutsOf(() => app);
  const month = { interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await ok("POST", "/products", { key: "pro", name: "Pro", description: "For teams.", ...month });
  await ok("POST", "/products", { key: "trial", name: "Pro with a trial", trialDays: 14, ...month });
  const year = { interval: "year", prices: [{ currency: "usd", amount: 36_500 }] };
  await ok("POST", "/products", { key: "year", name: "Pro for a year", ...year });
  await ok("POST", "/products", { ...month, key: "quarter", name: "Pro for a quarter", intervalCount: 3 });
  await ok("POST", "/products", { ...month, key: "weeks", name: "Pro for weeks", interval: "week", intervalCount: 5 });
  const yearly = { name: "خطة — Größe", interval: "year", prices: [{ currency: "jpy", amount: 12_000 }] };
  await ok("POST", "/products", { key: "yen", ...yearly });
  await ok("POST", "/products", {
    key: "dinar",
    name: "Dinar",
    interval: null,
    prices: [{ currency: "kwd", amount: 12_345 }],
  });
  const percentage = { type: "percentage", basisPoints: 2500 };
  await ok("POST", "/discounts", { ...percentage, code: "LAUNCH25", duration: "repeating", months: 3 });
  await ok("POST", "/discounts", { ...percentage, code: "HALF3", basisPoints: 5000, duration: "repeating", months: 3 });
  await ok("POST", "/discounts", { ...percentage, code: "TWICE", duration: "repeating", months: 2 });
  await ok("POST", "/discounts", {
    type: "fixed",
    amount: 900,
    currency: "usd",
    code: "FOUR",
    duration: "repeating",
    months: 4,
  });
  await ok("POST", "/discounts", { ...percentage, code: "LAST", duration: "forever", maxRedemptions: 1 });
  await ok("POST", "/discounts", { ...percentage, code: "FIRST", basisPoints: 10_000, duration: "once" });
  await ok("POST", "/discounts", { ...percentage, code: "FRIEND", basisPoints: 10_000, duration: "forever" });
  await ok("POST", "/discounts", { type: "fixed", amount: 100, currency: "eur", code: "EUROS", duration: "once" });
  await ok("PATCH", "/organization", { taxRates: RATES });
  return app;
}

/** The requests about Checkouts. `ok` is a request of the management API. */
export function checkoutsOf(get: () => TestApp) {
  const ok = (method: string, path: string, body?: object) => done(get().manage(method, path, body));
  const checkout = (productKey: string, more: object = {}) =>
    done(get().api("POST", "/checkouts", { productKey, ...more }));
  const read = (id: string) => done(get().api("GET", `/checkouts/${id}`));
  const invoice = async ({ id }: Json) => ok("GET", `/invoices/${(await read(id)).invoiceId}`);
  return { ok, checkout, read, invoice };
}

/** A buyer with a known tax. */
export const inGermany = () => ({ customer: { email: newBuyer(), billingAddress: { country: "DE" } } });
/** The card as the page's form sends it. */
export const card = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };
