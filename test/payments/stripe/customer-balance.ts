import { emit, find, type Book } from "./book.ts";
import { invalid } from "./errors.ts";
import { isWithin } from "./form.ts";
import type { CustomerBalanceTransaction } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

type Movement = {
  amount: number;
  currency: string;
  type?: string;
  invoice?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
};

/** A movement of a Customer's balance. `amount`: below zero for money that the seller owes the Customer. */
export function moveBalance(book: Book, customer: string, of: Movement): CustomerBalanceTransaction {
  const { amount, currency, type = "adjustment", invoice = null, description = null, metadata = {} } = of;
  const owner = book.customers.get(customer)!;
  const before = owner.balance;
  Object.assign(owner, { balance: before + amount, currency: owner.currency ?? currency });
  const made: CustomerBalanceTransaction = {
    id: book.newId("cbtxn"),
    object: "customer_balance_transaction",
    amount,
    checkout_session: null,
    created: book.now(),
    credit_note: null,
    currency,
    customer,
    customer_account: null,
    description,
    ending_balance: owner.balance,
    invoice,
    livemode: book.livemode,
    metadata,
    type,
  };
  book.customerBalance.set(made.id, made);
  emit(book, "customer.updated", owner, { balance: before });
  return made;
}

export const customerBalanceRoutes: readonly Route[] = [
  route(
    "POST /v1/customers/:id/balance_transactions",
    "customer_write",
    { amount: "integer!", currency: "string!", description: "text", metadata: "metadata" },
    ({ book, id, params: { amount, currency, description = null, metadata = {} } }) => {
      const owner = find(book, book.customers, "customer", id);
      if (owner.currency !== null && owner.currency !== currency) {
        const message =
          `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or ` +
          `invoice item with currency ${owner.currency}`;
        throw invalid(message, { param: "currency" });
      }
      return moveBalance(book, id, { amount, currency, description, metadata });
    },
  ),
  listRoute(
    "/v1/customers/:id/balance_transactions",
    "customer_read",
    { created: "range", invoice: "string" },
    ({ book, id, params: { created, invoice } }) => {
      find(book, book.customers, "customer", id);
      return [...book.customerBalance.values()].filter(
        (each) =>
          each.customer === id &&
          isWithin(created, each.created) &&
          (invoice === undefined || each["invoice"] === invoice),
      );
    },
  ),
];
