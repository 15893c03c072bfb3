import { cancelSubscription } from "./billing.ts";
import { emit, find, type Book } from "./book.ts";
import { answerToSetup, cardByNumber, cardByToken, fingerprintOf, type TestCard } from "./cards.ts";
import { declined, invalid, noSuch } from "./errors.ts";
import { isWithin } from "./form.ts";
import type { JsonObject } from "./json.ts";
import type { Customer, PaymentMethod } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const CUSTOMER = { email: "text", name: "text", description: "text", metadata: "metadata", phone: "text" } as const;

/** The Customer. Throws 400 for one that does not exist or was deleted, if a parameter names it. */
export function customerOf(book: Book, id: string): Customer {
  return find(book, book.customers, "customer", id, "customer");
}

export function makeCustomer(book: Book, fields: Partial<Customer>): Customer {
  const made: Customer = {
    id: book.newId("cus"),
    object: "customer",
    address: null,
    balance: 0,
    created: book.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: "A1B2C3D4",
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: book.livemode,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
    ...fields,
  };
  book.customers.set(made.id, made);
  emit(book, "customer.created", made);
  return made;
}

/** The typed card, as a PaymentMethod that belongs to no Customer yet. */
export function makePaymentMethod(
  book: Book,
  card: TestCard,
  { expMonth = 12, expYear = 2034 }: { expMonth?: number; expYear?: number } = {},
): PaymentMethod {
  const made: PaymentMethod = {
    id: book.newId("pm"),
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "unchecked" },
      country: "US",
      display_brand: card.brand,
      exp_month: expMonth,
      exp_year: expYear,
      fingerprint: fingerprintOf(book.account.id, card.number),
      funding: "credit",
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: book.now(),
    customer: null,
    customer_account: null,
    livemode: book.livemode,
    metadata: {},
    type: "card",
  };
  book.paymentMethods.set(made.id, made);
  book.hidden.numbers.set(made.id, card.number);
  return made;
}

/** The PaymentMethod that a parameter names. A test token such as `pm_card_visa` makes a new one. */
export function paymentMethodOf(book: Book, id: string): PaymentMethod {
  const card = cardByToken(id);
  if (card === undefined) return find(book, book.paymentMethods, "PaymentMethod", id, "payment_method");
  if (book.livemode) throw noSuch("PaymentMethod", id, "payment_method");
  return makePaymentMethod(book, card);
}

export const cardOf = (book: Book, { id }: PaymentMethod): TestCard => cardByNumber(book.hidden.numbers.get(id)!)!;

/** The part of a decline that tells the network's advice. */
export function adviceOn(book: Book, { id }: PaymentMethod): { advice_code?: string } {
  const advice = book.hidden.advice.get(id);
  return advice === undefined ? {} : { advice_code: advice };
}

const USED_UP =
  "was previously used with a PaymentIntent without Customer attachment, shared with a connected account without " +
  "Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple " +
  "times, you must attach it to a Customer first.";

/** Throws 400 unless an intent of this Customer may use the PaymentMethod. `intent`: null if it is to be attached. */
export function requireUsable(book: Book, method: PaymentMethod, customer: string | null, intent: string | null): void {
  const user = book.hidden.usedUp.get(method.id);
  if (user !== undefined && user !== intent) throw invalid(`The provided PaymentMethod ${USED_UP}`);
  if (method.customer === null || method.customer === customer) return;
  if (customer === null) {
    throw invalid(
      `The PaymentMethod ${method.id} belongs to the Customer ${method.customer}. Please include the Customer in the ` +
        "`customer` parameter on the PaymentIntent.",
      { param: "payment_method" },
    );
  }
  throw invalid(
    `The provided PaymentMethod (${method.id}) does not belong to the Customer ${customer}. Please use this ` +
      "PaymentMethod with the Customer that it belongs to.",
    { param: "payment_method" },
  );
}

export function attach(book: Book, method: PaymentMethod, customer: string): void {
  if (method.customer === customer) return;
  method.customer = customer;
  book.hidden.usedUp.delete(method.id);
  emit(book, "payment_method.attached", method);
}

export function detach(book: Book, method: PaymentMethod): void {
  const { customer } = method;
  method.customer = null;
  book.hidden.usedUp.set(method.id, "detached");
  emit(book, "payment_method.detached", method, { customer });
}

const cardsOf = (book: Book, customer: string) =>
  [...book.paymentMethods.values()].filter((method) => method.customer === customer);

/** Deletes a Customer with the cards, and cancels the subscriptions at once. */
export function deleteCustomer(book: Book, id: string): void {
  const customer = book.customers.get(id)!;
  for (const subscription of book.subscriptions.values()) {
    if (subscription.customer === id && subscription.status !== "canceled") cancelSubscription(book, subscription);
  }
  for (const method of cardsOf(book, id)) detach(book, method);
  book.customers.delete(id);
  book.deletedCustomers.add(id);
  emit(book, "customer.deleted", customer);
}

const customerRoutes: readonly Route[] = [
  route(
    "POST /v1/customers",
    "customer_write",
    { ...CUSTOMER, payment_method: "string" },
    ({ book, params: { payment_method: given, metadata = {}, ...fields } }) => {
      const method = given === undefined ? null : paymentMethodOf(book, given);
      const made = makeCustomer(book, { ...withoutUnset(fields), metadata });
      if (method !== null) attach(book, method, made.id);
      return made;
    },
  ),
  listRoute("/v1/customers", "customer_read", { email: "string", created: "range" }, ({ book, params }) =>
    [...book.customers.values()].filter(
      ({ email, created }) =>
        (params.email === undefined || email === params.email) && isWithin(params.created, created),
    ),
  ),
  route("GET /v1/customers/:id", "customer_read", {}, ({ book, id }) =>
    book.deletedCustomers.has(id)
      ? { id, object: "customer", deleted: true }
      : find(book, book.customers, "customer", id),
  ),
  route("POST /v1/customers/:id", "customer_write", CUSTOMER, ({ book, id, params: { metadata, ...fields } }) => {
    const customer = find(book, book.customers, "customer", id);
    Object.assign(customer, withoutUnset(fields));
    for (const [name, value] of Object.entries(metadata ?? {})) {
      if (value === "") delete customer.metadata[name];
      else customer.metadata[name] = value;
    }
    emit(book, "customer.updated", customer);
    return customer;
  }),
  route("DELETE /v1/customers/:id", "customer_write", {}, ({ book, id }) => {
    find(book, book.customers, "customer", id);
    deleteCustomer(book, id);
    return { id, object: "customer", deleted: true };
  }),
  listRoute("/v1/customers/:id/payment_methods", "payment_method_read", { type: "string" }, ({ book, id }) => {
    find(book, book.customers, "customer", id);
    return cardsOf(book, id);
  }),
  listRoute("/v1/customers/:id/tax_ids", "customer_read", {}, ({ book, id }) => {
    find(book, book.customers, "customer", id);
    return [...book.taxIds.values()].filter(({ customer }) => customer === id) as ({ id: string } & JsonObject)[];
  }),
];

const CARD = { token: "string", number: "string", exp_month: "integer", exp_year: "integer", cvc: "string" } as const;

const paymentMethodRoutes: readonly Route[] = [
  route(
    "POST /v1/payment_methods",
    "payment_method_write",
    { type: "string!", card: CARD, metadata: "metadata", billing_details: { name: "text", email: "text" } },
    ({ book, params: { type, card } }) => {
      if (type !== "card") throw invalid(`Invalid type: must be card`, { param: "type" });
      if (card?.number !== undefined) {
        throw invalid(
          "Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test " +
            "tokens that map to the test card you are using, see https://stripe.com/docs/testing.",
        );
      }
      const known = cardByToken(`pm_card_${card?.token?.replace(/^tok_/, "")}`);
      if (known !== undefined && !book.livemode) return makePaymentMethod(book, known);
      throw noSuch("token", card?.token ?? "", "card[token]");
    },
  ),
  listRoute(
    "/v1/payment_methods",
    "payment_method_read",
    { customer: "string", type: "string" },
    ({ book, params: { customer } }) => (customer === undefined ? [] : cardsOf(book, customerOf(book, customer).id)),
  ),
  route("GET /v1/payment_methods/:id", "payment_method_read", {}, ({ book, id }) =>
    find(book, book.paymentMethods, "PaymentMethod", id),
  ),
  route(
    "POST /v1/payment_methods/:id/attach",
    "payment_method_write",
    { customer: "string!" },
    ({ book, id, params: { customer } }) => {
      const known = cardByToken(id) !== undefined || book.paymentMethods.has(id);
      if (!known) throw noSuch("PaymentMethod", id);
      const method = paymentMethodOf(book, id);
      requireUsable(book, method, customerOf(book, customer).id, null);
      const answer = answerToSetup(cardOf(book, method));
      if (answer.is === "declined") throw declined({ ...answer.decline });
      attach(book, method, customer);
      return method;
    },
  ),
  route("POST /v1/payment_methods/:id/detach", "payment_method_write", {}, ({ book, id }) => {
    const method = find(book, book.paymentMethods, "PaymentMethod", id);
    if (method.customer === null) {
      const message = "The payment method you provided is not attached to a customer so detachment is impossible.";
      throw invalid(message, { param: "payment_method" });
    }
    detach(book, method);
    return method;
  }),
];

export const customersAndCards: readonly Route[] = [...customerRoutes, ...paymentMethodRoutes];

function withoutUnset<T extends Record<string, unknown>>(fields: T): { [K in keyof T]: NonNullable<T[K]> | null } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]> | null;
  };
}
