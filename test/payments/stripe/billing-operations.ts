import {
  cancelSubscription,
  makeCoupon,
  makeDiscount,
  makeInvoice,
  makeInvoiceItem,
  makePrice,
  makeSchedule,
  makeSubscription,
  type NewSubscription,
} from "./billing.ts";
import type { Book } from "./book.ts";
import type { JsonObject } from "./json.ts";
import type { Customer } from "./objects.ts";

/** Operations of the seller's other software, which sells through Stripe Billing. Those that make an object answer its id. */
export function billingOperations(book: Book) {
  const customerOf = (id: string): Customer => {
    const found = book.customers.get(id);
    if (found === undefined) throw new Error(`This server has no ${id}`);
    return found;
  };
  return {
    subscribe: (customer: string, fields: NewSubscription = {}): string =>
      makeSubscription(book, customerOf(customer).id, fields).id,
    cancelSubscription: (id: string): void => cancelSubscription(book, book.subscriptions.get(id)!),
    schedule: (customer: string, fields: JsonObject = {}): string =>
      makeSchedule(book, customerOf(customer).id, fields),
    price: (fields: JsonObject = {}): string => makePrice(book, fields).id,
    coupon: (fields: JsonObject = {}): string => makeCoupon(book, fields).id,
    discount: (coupon: string, fields: JsonObject = {}): string => makeDiscount(book, coupon, fields),
    invoice: (customer: string, subscription: string | null, fields: JsonObject = {}): string =>
      makeInvoice(book, customer, subscription, fields).id,
    invoiceItem: (customer: string, subscription: string | null, fields: JsonObject = {}): string =>
      makeInvoiceItem(book, customer, subscription, fields).id,
    /** Any fields of a Customer, such as `balance` or `discount`. */
    changeCustomer: (id: string, fields: JsonObject): void => void Object.assign(customerOf(id), fields),
    /** A card (`card_…`) or another source (`src_…`) from before PaymentMethods. */
    source(customer: string, object: "card" | "source", fields: JsonObject = {}): string {
      const id = book.newId(object === "card" ? "card" : "src");
      const card = { brand: "Visa", country: "US", exp_month: 12, exp_year: 2034, funding: "credit", last4: "4242" };
      const own = object === "card" ? card : { type: "sepa_debit", status: "chargeable", usage: "reusable" };
      book.sources.set(id, { id, object, customer: customerOf(customer).id, ...own, ...fields });
      return id;
    },
    taxId(customer: string, type: string, value: string): string {
      const id = book.newId("txi");
      const owner = { country: value.slice(0, 2), customer: customerOf(customer).id };
      const own = { created: book.now(), livemode: book.livemode, type, value };
      book.taxIds.set(id, { id, object: "tax_id", ...owner, ...own });
      return id;
    },
  };
}
