import { html } from "hono/html";
import type { Price } from "../../../domain/model/product.ts";
import { CURRENCIES, formatMoney, isCurrency, minimumCharge } from "../../../domain/currency.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import type { Fault } from "../../../errors.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import { shownAgain } from "../../components/field.ts";
import type { Html } from "../../layout.ts";
import { EDIT, faultAt, type Sent } from "../sent-form.ts";
import { readAmount } from "../typed-values.ts";
import { fault } from "../form-values.ts";

/** The rows that a form can have: the prices of a Product. */
const MOST_ROWS = 100;

/** `yearly`: the price of the same plan by the year, in the form of a new Product. */
type Row = { currency: string; amount: string; yearly: string };

const names = new Intl.DisplayNames(["en-GB"], { type: "currency" });
/** `USD US Dollar`, for the choice of a currency. Made once: a form has this list in each of its rows. */
export const CURRENCY_OPTIONS = [...CURRENCIES.keys()].map(
  (code) => [code, `${code.toUpperCase()} ${names.of(code.toUpperCase()) ?? ""}`.trim()] as const,
);

/**
 * The rows of a form that are filled in, in their order. A price of a year alone fills a row, if the plan is sold by
 * the year, too.
 */
export function filledRows(fields: URLSearchParams): Row[] {
  const isYearly = fields.has("alsoYearly");
  const numbers = [...fields.keys()].flatMap((name) => /^prices\.(\d{1,3})\.amount$/.exec(name)?.[1] ?? []);
  return [...new Set(numbers.map(Number))]
    .filter((n) => n < MOST_ROWS)
    .sort((one, other) => one - other)
    .map((n) => ({
      currency: (fields.get(`prices.${n}.currency`) ?? "").trim().toLowerCase(),
      amount: (fields.get(`prices.${n}.amount`) ?? "").trim(),
      yearly: (fields.get(`prices.${n}.yearly`) ?? "").trim(),
    }))
    .filter(({ currency, amount, yearly }) => currency !== "" || amount !== "" || (isYearly && yearly !== ""));
}

export const writtenPrices = (prices: readonly Price[]): [string, string][] =>
  prices.flatMap(({ currency, amount }, n): [string, string][] => [
    [`prices.${n}.currency`, currency],
    [`prices.${n}.amount`, majorUnits(amount, currency)],
  ]);

/** The prices of the rows. The faults count the filled rows, and so do the rows of a form that is shown again. */
export function readPrices(fields: URLSearchParams): { prices: Price[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const prices = filledRows(fields).map(({ currency, amount: text }, n): Price => {
    const at = (name: string, message: string) => faults.push(fault(`prices.${n}.${name}`, message));
    if (!isCurrency(currency)) {
      at("currency", "Choose the currency of this price.");
      return { currency, amount: 0 };
    }
    const read = readAmount(text, currency);
    if ("fault" in read) at("amount", read.fault);
    else if (read.amount === null) at("amount", "Enter an amount, or choose no currency to leave this price out.");
    return { currency, amount: ("amount" in read && read.amount) || 0 };
  });
  if (prices.length === 0) faults.push(fault("prices.0.amount", "Enter a price. Something free has the price 0."));
  return { prices, faults };
}

/** The rows without a fault, for a picture while somebody types. */
export function validPrices(fields: URLSearchParams): Price[] {
  return filledRows(fields).flatMap(({ currency, amount }) => {
    const read = isCurrency(currency) ? readAmount(amount, currency) : { amount: null };
    return "amount" in read && read.amount !== null ? [{ currency, amount: read.amount }] : [];
  });
}

/** The API counts in minor units. This form does not. */
export function mendPrice(fields: URLSearchParams, each: Fault): Fault {
  const [, n] = /^\/prices\/(\d+)\/amount$/.exec(each.pointer) ?? [];
  const row = n === undefined ? undefined : filledRows(fields)[Number(n)];
  if (row === undefined || each.code !== "below_minimum_charge") return each;
  const least = formatMoney(minimumCharge(row.currency), row.currency);
  return { ...each, message: `A price in ${row.currency.toUpperCase()} is 0 or at least ${least}.` };
}

const EMPTY: Row = { currency: "", amount: "", yearly: "" };

function yearlyField(sent: Sent, yearly: string, n: number, ofRow: Html): Html {
  const name = `prices.${n}.yearly`;
  return html`<div class="field only-yearly">
<label for="${name}">Amount for a year${ofRow}</label>
<input id="${name}" name="${name}" type="text" inputmode="decimal" autocomplete="off" maxlength="20"
 value="${shownAgain(yearly)}" ${faultMark(name, faultAt(sent, name))}>
${faultText(name, faultAt(sent, name))}
</div>`;
}

function priceRow(sent: Sent, { currency, amount, yearly }: Row, n: number, hasYearly: boolean): Html {
  const [inCurrency, inAmount] = [`prices.${n}.currency`, `prices.${n}.amount`];
  const ofRow = html`<span class="hidden"> of price ${n + 1}</span>`;
  const option = ([code, label]: readonly [string, string]) =>
    html`<option value="${code}"${code === currency ? html` selected` : ""}>${label}</option>`;
  return html`<div class="pair">
<div class="field">
<label for="${inAmount}">Amount${ofRow}</label>
<input id="${inAmount}" name="${inAmount}" type="text" inputmode="decimal" autocomplete="off" maxlength="20"
 value="${shownAgain(amount)}" ${faultMark(inAmount, faultAt(sent, inAmount))}>
${faultText(inAmount, faultAt(sent, inAmount))}
</div>
<div class="field">
<label for="${inCurrency}">Currency${ofRow}</label>
<select id="${inCurrency}" name="${inCurrency}" autocomplete="off" ${faultMark(inCurrency, faultAt(sent, inCurrency))}>
<option value="">No price</option>
${CURRENCY_OPTIONS.map(option)}
</select>
${faultText(inCurrency, faultAt(sent, inCurrency))}
</div>
</div>
${hasYearly ? yearlyField(sent, yearly, n, ofRow) : ""}`;
}

/**
 * The rows of the prices, and a button that adds a row, also without a script. `first`: the currency of the first row
 * of an empty form. `hasYearly`: each row also has a price for a year.
 */
export function priceFields(sent: Sent, first: string, hasYearly = false): Html {
  const filled = filledRows(sent.fields);
  const rows = filled.length === 0 ? [{ ...EMPTY, currency: first }] : filled;
  const more = sent.fields.get(EDIT) === "price" && rows.length < MOST_ROWS ? [EMPTY] : [];
  const ofAll = sent.refusal?.faults.find(({ pointer }) => pointer === "/prices")?.message;
  return html`<fieldset class="prices"><legend>Prices</legend>
<p class="hint">One price for each currency, such as 19.99. Something free has the price 0.</p>
${[...rows, ...more].map((row, n) => priceRow(sent, row, n, hasYearly))}
${faultText("prices", ofAll)}
<button class="button small other" type="submit" name="${EDIT}" value="price">Add a currency</button>
</fieldset>`;
}

/** The fields of the prices that show their own faults. */
export const priceNames = (fields: URLSearchParams): string[] =>
  [...Array(Math.max(filledRows(fields).length, 1)).keys()].flatMap((n) => [
    `prices.${n}.currency`,
    `prices.${n}.amount`,
    `prices.${n}.yearly`,
  ]);
