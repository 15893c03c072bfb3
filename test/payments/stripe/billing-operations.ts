import {
  cancelSubscription,
  makeCoupon,
  makeDiscount,
  makeInvoice,
  makeInvoiceItem,
  makePrice,
  makeSchedule,
  makeSubscription,
  makeTaxRate,
  type NewSubscription,
} from "./billing.ts";
import { advance } from "./billing-clock.ts";
import type { Book } from "./book.ts";
import { cardByNumber, fingerprintOf } from "./cards.ts";
import { makePaymentMethod } from "./customers.ts";
import type { JsonObject } from "./json.ts";
import type { Customer, TaxRate } from "./objects.ts";

/** The number of each card from before PaymentMethods. */
const NUMBER = "4242424242424242";

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
    /** The seller deletes a coupon. Its discounts go on, but no list has its terms. */
    deleteCoupon(id: string): void {
      book.hidden.deletedCoupons.set(id, book.coupons.get(id)!);
      book.coupons.delete(id);
    },
    taxRate: (fields: JsonObject = {}): TaxRate => makeTaxRate(book, fields),
    /** Stripe Tax asks for this rate from each buyer; null: no tax. */
    automaticTax: (fields: JsonObject | null): void =>
      void (book.hidden.automaticTax = fields === null ? null : makeTaxRate(book, fields)),
    /** Stripe Billing works until an instant in milliseconds, and the server's time is then this instant or later. */
    advance: (to: number): void => advance(book, Math.floor(to / 1000)),
    /** Any fields of a Customer, such as `balance` or `discount`. */
    changeCustomer: (id: string, fields: JsonObject): void => void Object.assign(customerOf(id), fields),
    /** A card (`card_…`) or another source (`src_…`) from before PaymentMethods. */
    source(customer: string, object: "card" | "source", fields: JsonObject = {}): string {
      const id = book.newId(object === "card" ? "card" : "src");
      const card = {
        brand: "Visa",
        country: "US",
        exp_month: 12,
        exp_year: 2034,
        fingerprint: fingerprintOf(book.account.id, NUMBER),
        funding: "credit",
        last4: NUMBER.slice(-4),
        name: null,
      };
      const own = object === "card" ? card : { type: "sepa_debit", status: "chargeable", usage: "reusable" };
      book.sources.set(id, { id, object, customer: customerOf(customer).id, ...own, ...fields });
      // A card from before PaymentMethods can be read and charged as one.
      if (object === "card") {
        const { exp_month, exp_year, country } = { ...card, ...fields };
        const method = makePaymentMethod(book, cardByNumber(NUMBER)!);
        book.paymentMethods.delete(method.id);
        book.hidden.numbers.delete(method.id);
        Object.assign(method.card, { exp_month, exp_year, country });
        book.paymentMethods.set(id, { ...method, id, customer });
        book.hidden.numbers.set(id, NUMBER);
      }
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
