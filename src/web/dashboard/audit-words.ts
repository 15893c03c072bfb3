import { html } from "hono/html";
import { isCurrency } from "../../domain/currency.ts";
import type { AuditEntry, Plain } from "../../domain/team/audit.ts";
import { valueInWords } from "../../domain/words.ts";
import { isId, type IdPrefix } from "../../ids.ts";
import type { Html } from "../layout.ts";
import { moneyText } from "./components/cells.ts";

/** The nouns of the resources that have a page. */
const NOUNS: Partial<Record<IdPrefix, string>> = {
  bft: "Benefit",
  bgr: "Grant",
  chk: "Checkout",
  cus: "Customer",
  dsc: "Discount",
  dsp: "Dispute",
  eml: "E-mail",
  inv: "Invoice",
  key: "API key",
  pay: "Payment",
  pch: "Price change",
  pm: "Card",
  plk: "Payment link",
  prd: "Product",
  rfd: "Refund",
  sub: "Subscription",
  whd: "Delivery",
  whk: "Webhook endpoint",
};
/** The pages of catalogue resources. The search leads from the id of any other resource to its page. */
const PAGES: Partial<Record<string, string>> = {
  bft: "/benefits/",
  pch: "/price-changes/",
  plk: "/payment-links/",
  prd: "/products/",
};

/** A resource as a link with its noun. A resource without a page is its id. `self`: of the Organization's dashboard. */
export function resourceLink(id: string, self: string): Html {
  const [prefix = ""] = id.split("_");
  const noun = NOUNS[prefix as IdPrefix];
  if (noun === undefined || !isId(prefix as IdPrefix, id)) return html`<code class="id">${id}</code>`;
  return html`<a href="${self}${PAGES[prefix] ?? "/search?q="}${id}" title="${id}">${noun}</a>`;
}

const split = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `updateCustomer` as "Update customer". The name of a protocol keeps its letters. */
export function operationWords(operation: string): string {
  const words = split(operation);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace("open id", "OpenID").replace("api key", "API key");
}

/** `branding.accentColor` as "branding: accent color". */
const fieldWords = (name: string): string => name.split(".").map(split).join(": ");

/** Fields with keys and codes of the seller, which may have an underscore. */
const VERBATIM: ReadonlySet<string> = new Set(["discountCode", "productKey"]);

function valueWords(name: string, value: Plain, currency: Plain | undefined, self: string): Html | string {
  if (value === null) return "empty";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return /amount|limit/i.test(name) && typeof currency === "string" && isCurrency(currency)
      ? moneyText(value, currency)
      : String(value);
  if (VERBATIM.has(name)) return html`<bdi>${value}</bdi>`;
  return /^[a-z]{2,3}_[0-9a-z]{26}$/.test(value) ? resourceLink(value, self) : valueInWords(value);
}

/** The changed fields of an entry in words. `usual`: the currency of amounts without one. */
export function changeWords({ fields, values }: AuditEntry, self: string, usual: string | undefined): Html {
  if (fields === null) return html`Deleted with the Customer`;
  const currency = values?.["currency"] ?? usual;
  const entry = (name: string, n: number) => {
    const value = values?.[name];
    const said = value === undefined ? "" : html`: ${valueWords(name, value, currency, self)}`;
    return html`${n === 0 ? "" : ", "}${fieldWords(name)}${said}`;
  };
  return html`${fields.map(entry)}`;
}
