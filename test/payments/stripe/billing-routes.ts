import { find, type Book } from "./book.ts";
import { customerOf } from "./customers.ts";
import { malformed } from "./errors.ts";
import { isWithin } from "./form.ts";
import type { Invoice, Subscription } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const ENDED = ["canceled", "incomplete_expired"];
const STATUSES = ["active", "incomplete", "past_due", "paused", "trialing", "unpaid", ...ENDED];

/** Whether a subscription is in the list of a status; no status stands for all that are not canceled. */
function isOfStatus({ status }: Subscription, wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== "canceled";
  if (wanted === "all") return true;
  if (wanted === "ended") return ENDED.includes(status);
  if (!STATUSES.includes(wanted)) throw malformed(`Invalid status: must be one of ${STATUSES.join(", ")}`);
  return status === wanted;
}

const isOf = (customer: string | undefined) => (each: { customer: string }) =>
  customer === undefined || each.customer === customer;

const known = (book: Book, customer: string | undefined) =>
  customer === undefined ? undefined : customerOf(book, customer).id;

const subscriptionOf = ({ parent }: Pick<Invoice, "parent">): string | undefined =>
  parent?.subscription_details?.subscription;

export const billingRoutes: readonly Route[] = [
  listRoute(
    "/v1/subscriptions",
    "subscription_read",
    { customer: "string", status: "string", price: "string", created: "range" },
    ({ book, params: { customer, status, price, created } }) =>
      [...book.subscriptions.values()]
        .filter(isOf(known(book, customer)))
        .filter(
          (each) =>
            isOfStatus(each, status) &&
            isWithin(created, each.created) &&
            (price === undefined || each.items.data.some((item) => item.price.id === price)),
        ),
  ),
  listRoute(
    "/v1/subscription_schedules",
    "subscription_read",
    { customer: "string", scheduled: "boolean" },
    ({ book, params: { customer, scheduled } }) =>
      [...book.schedules.values()]
        .filter(isOf(known(book, customer)))
        .filter(({ status }) => scheduled !== true || status === "not_started"),
  ),
  listRoute(
    "/v1/invoices",
    "invoice_read",
    { customer: "string", subscription: "string", status: "string", created: "range" },
    ({ book, params: { customer, subscription, status, created } }) =>
      [...book.invoices.values()]
        .filter(isOf(known(book, customer)))
        .filter(
          (each) =>
            isWithin(created, each.created) &&
            (status === undefined || each.status === status) &&
            (subscription === undefined || subscriptionOf(each) === subscription),
        ),
  ),
  listRoute(
    "/v1/invoiceitems",
    "invoice_read",
    { customer: "string", invoice: "string", pending: "boolean" },
    ({ book, params: { customer, invoice, pending } }) =>
      [...book.invoiceItems.values()]
        .filter(isOf(known(book, customer)))
        .filter((each) => invoice === undefined || each.invoice === invoice)
        .filter((each) => pending === undefined || pending === (each.invoice === null)),
  ),
  listRoute(
    "/v1/prices",
    "plan_read",
    { active: "boolean", product: "string", type: "string" },
    ({ book, params: { active, product, type } }) =>
      [...book.prices.values()].filter(
        (each) =>
          (active === undefined || each.active === active) &&
          (product === undefined || each.product === product) &&
          (type === undefined || each.type === type),
      ),
  ),
  listRoute("/v1/products", "product_read", { active: "boolean" }, ({ book, params: { active } }) =>
    [...book.products.values()].filter((each) => active === undefined || each.active === active),
  ),
  listRoute("/v1/coupons", "coupon_read", { created: "range" }, ({ book, params: { created } }) =>
    [...book.coupons.values()].filter((each) => isWithin(created, each.created)),
  ),
  route("GET /v1/coupons/:id", "coupon_read", {}, ({ book, id }) => find(book, book.coupons, "coupon", id)),
];
