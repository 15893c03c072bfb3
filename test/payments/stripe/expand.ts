import type { Book } from "./book.ts";
import { malformed } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The most objects of a list within an object. */
const LISTED = 10;

/** Lists that are shown only on request. */
const HIDDEN_LISTS: Record<string, (book: Book, of: JsonObject) => JsonObject[]> = {
  "customer.subscriptions": (book, { id }) =>
    [...book.subscriptions.values()]
      .filter(({ customer, status }) => customer === id && status !== "canceled")
      .reverse(),
  "customer.sources": (book, { id }) => [...book.sources.values()].filter(({ customer }) => customer === id).reverse(),
  "customer.tax_ids": (book, { id }) => [...book.taxIds.values()].filter(({ customer }) => customer === id).reverse(),
  "charge.refunds": (book, { id }) => [...book.refunds.values()].filter((refund) => refund.charge === id).reverse(),
  "checkout.session.line_items": (book, { id }) => {
    const given = book.hidden.intentData.get(String(id))?.["line_items"];
    return Array.isArray(given) ? given.filter(isObject) : [];
  },
};

/** A card from before PaymentMethods is a card where a source is named, and a PaymentMethod elsewhere. */
function objectOf(book: Book, id: string, name: string): JsonObject | undefined {
  if (name === "default_source") return book.sources.get(id);
  const maps: ReadonlyMap<string, JsonObject>[] = [
    book.paymentIntents,
    book.setupIntents,
    book.paymentMethods,
    book.charges,
    book.refunds,
    book.disputes,
    book.balance,
    book.customers,
    book.sessions,
    book.subscriptions,
    book.schedules,
    book.invoices,
    book.products,
    book.prices,
    book.coupons,
    book.discounts,
    book.sources,
    book.customerBalance,
  ];
  for (const map of maps) {
    const found = map.get(id);
    if (found !== undefined) return found;
  }
  return book.deletedCustomers.has(id) ? { id, object: "customer", deleted: true } : undefined;
}

/** A copy of an answer with these paths expanded, such as `latest_charge.balance_transaction` or `data.customer`. */
export function expanded(book: Book, answer: Json, paths: readonly unknown[]): Json {
  const copy = structuredClone(answer);
  for (const path of paths) {
    if (typeof path !== "string") throw malformed("Invalid string", { param: "expand" });
    const names = path.split(".");
    if (names.length > 4) throw malformed("You cannot expand more than 4 levels of a property", { param: "expand" });
    expandIn(book, copy, names, path);
  }
  return copy;
}

function expandIn(book: Book, value: Json, names: readonly string[], path: string): void {
  const [name, ...rest] = names;
  if (name === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) expandIn(book, each, names, path);
    return;
  }
  if (!isObject(value)) throw refusal(path);
  const list = HIDDEN_LISTS[`${String(value["object"])}.${name}`];
  if (list !== undefined && value[name] === undefined) {
    const all = list(book, value);
    const data = structuredClone(all.slice(0, LISTED));
    value[name] = { object: "list", data, has_more: all.length > LISTED, url: "" };
  }
  const below = value[name];
  if (below === undefined) throw refusal(path);
  const whole = (id: string): Json => {
    const found = objectOf(book, id, name);
    if (found === undefined) throw refusal(path);
    return structuredClone(found);
  };
  if (typeof below === "string") value[name] = whole(below);
  else if (Array.isArray(below)) value[name] = below.map((each) => (typeof each === "string" ? whole(each) : each));
  else if (rest.length === 0 && !isObject(below) && below !== null) {
    throw refusal(path);
  }
  const next = value[name];
  if (rest.length > 0 && next !== null) expandIn(book, next, rest, path);
}

const refusal = (path: string) => malformed(`This property cannot be expanded (${path}).`, { param: "expand" });
