import { checkAmount, checkStatement } from "./amounts.ts";
import { emit, find, type Book } from "./book.ts";
import { customerOf, makeCustomer } from "./customers.ts";
import { invalid, malformed } from "./errors.ts";
import { isWithin, type Values } from "./form.ts";
import type { JsonObject } from "./json.ts";
import type { PaymentIntent, PaymentMethod, Session, SetupIntent } from "./objects.ts";
import { attemptPayment, cancelPayment, makePaymentIntent, requireCharges } from "./payment-intents.ts";
import { listRoute, route, type Route } from "./routes.ts";
import { attemptSetup, cancelSetup, makeSetupIntent } from "./setup-intents.ts";

const MINUTE = 60;
const HOUR = 3_600;

const CREATE = {
  adaptive_pricing: { enabled: "boolean" },
  allow_promotion_codes: "boolean",
  automatic_tax: { enabled: "boolean!" },
  billing_address_collection: "string",
  cancel_url: "string",
  client_reference_id: "string",
  currency: "string",
  customer: "string",
  customer_email: "string",
  expires_at: "integer",
  line_items: [
    {
      price_data: {
        currency: "string!",
        unit_amount: "integer!",
        product_data: { name: "string!", description: "string" },
      },
      quantity: "integer",
    },
  ],
  locale: "string",
  metadata: "metadata",
  mode: "string!",
  payment_intent_data: {
    description: "string",
    metadata: "metadata",
    setup_future_usage: "string",
    statement_descriptor: "string",
    statement_descriptor_suffix: "string",
  },
  payment_method_options: { card: { request_three_d_secure: "string", setup_future_usage: "string" } },
  payment_method_types: "strings",
  setup_intent_data: { description: "string", metadata: "metadata" },
  submit_type: "string",
  success_url: "string",
  ui_mode: "string",
  wallet_options: { link: { display: "string" } },
} as const;

type Params = Values<typeof CREATE>;

const LOCALES = new Set(
  (
    "auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru " +
    "sk sl sv th tr vi zh zh-HK zh-TW"
  ).split(" "),
);

function refuse(message: string, param: string): never {
  throw invalid(message, { param });
}

function checkSession(book: Book, params: Params): void {
  if (params.mode !== "payment" && params.mode !== "setup") refuse("Invalid mode: must be payment or setup", "mode");
  if (params.success_url === undefined) {
    throw malformed("Missing required param: success_url.", { code: "parameter_missing", param: "success_url" });
  }
  for (const param of ["success_url", "cancel_url"] as const) {
    const url = params[param];
    if (url !== undefined && !URL.canParse(url)) throw invalid("Not a valid URL", { code: "url_invalid", param });
  }
  const wrong = params.mode === "payment" ? "setup_intent_data" : "payment_intent_data";
  if (params[wrong] !== undefined) refuse(`You can not pass \`${wrong}\` in \`${params.mode}\` mode.`, wrong);
  if (params.customer !== undefined && params.customer_email !== undefined) {
    const message = "You may only specify one of these parameters: customer, customer_email.";
    throw invalid(message, { code: "parameters_exclusive" });
  }
  if (params.locale !== undefined && !LOCALES.has(params.locale)) {
    refuse(`Invalid locale: must be one of ${[...LOCALES].join(", ")}`, "locale");
  }
  const left = (params.expires_at ?? book.now() + 24 * HOUR) - book.now();
  const rule = "The `expires_at` timestamp must be";
  if (left < 30 * MINUTE) refuse(`${rule} at least 30 minutes from Checkout Session creation.`, "expires_at");
  if (left > 24 * HOUR) refuse(`${rule} less than 24 hours from Checkout Session creation.`, "expires_at");
  if (params.mode === "setup" && params.payment_method_types === undefined && params.currency === undefined) {
    refuse("You must provide `currency` in `setup` mode if `payment_method_types` is not set.", "currency");
  }
  checkLines(params);
}

function checkLines({ mode, line_items: lines, payment_intent_data: data }: Params): void {
  if (mode === "setup") {
    if (lines !== undefined) refuse("You can not pass `line_items` in `setup` mode.", "line_items");
    return;
  }
  if (lines === undefined || lines.length === 0) {
    throw malformed("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" });
  }
  for (const { price_data: price } of lines) {
    if (price === undefined) refuse("Missing required param: line_items[0][price_data].", "line_items[0][price_data]");
    checkAmount(price.unit_amount, price.currency.toLowerCase());
  }
  checkStatement(data?.statement_descriptor, data?.statement_descriptor_suffix);
}

const totalOf = (params: Params): number =>
  (params.line_items ?? []).reduce((sum, line) => sum + line.price_data!.unit_amount * (line.quantity ?? 1), 0);

const linesOf = (params: Params): JsonObject[] =>
  (params.line_items ?? []).map((line, n) => {
    const { currency, unit_amount: unit, product_data: product } = line.price_data!;
    const amount = unit * (line.quantity ?? 1);
    const totals = { amount_discount: 0, amount_subtotal: amount, amount_tax: 0, amount_total: amount };
    const description = product?.name ?? "";
    return { id: `li_${n}`, object: "item", ...totals, currency, description, quantity: line.quantity ?? 1 };
  });

const create = route("POST /v1/checkout/sessions", "checkout_session_write", CREATE, ({ book, params }) => {
  requireCharges(book);
  checkSession(book, params);
  const customer = params.customer === undefined ? null : customerOf(book, params.customer).id;
  const mode = params.mode as "payment" | "setup";
  const isPayment = mode === "payment";
  const total = isPayment ? totalOf(params) : null;
  const id = book.newId(book.livemode ? "cs_live" : "cs_test");
  const made: Session = {
    ...constantFields(book, params),
    id,
    object: "checkout.session",
    amount_subtotal: total,
    amount_total: total,
    cancel_url: params.cancel_url ?? null,
    created: book.now(),
    currency: isPayment ? params.line_items![0]!.price_data!.currency.toLowerCase() : (params.currency ?? null),
    customer,
    customer_creation: isPayment && customer === null ? "if_required" : null,
    customer_details: null,
    customer_email: params.customer_email ?? null,
    expires_at: params.expires_at ?? book.now() + 24 * HOUR,
    metadata: params.metadata ?? {},
    mode,
    payment_intent: null,
    payment_method_types: params.payment_method_types ?? ["card", "link"],
    payment_status: isPayment ? "unpaid" : "no_payment_required",
    setup_intent: null,
    status: "open",
    success_url: params.success_url!,
    total_details: isPayment ? { amount_discount: 0, amount_shipping: 0, amount_tax: 0 } : null,
    url: `${book.url()}/c/pay/${id}`,
  };
  book.sessions.set(id, made);
  const data = params.payment_intent_data ?? {};
  book.hidden.intentData.set(id, { ...data, line_items: linesOf(params) } as JsonObject);
  // The PaymentIntent is made when the buyer pays; the SetupIntent is there from the beginning.
  if (!isPayment) made.setup_intent = setupIntentOf(book, made, params.setup_intent_data).id;
  return made;
});

function setupIntentOf(book: Book, session: Session, data: Params["setup_intent_data"]): SetupIntent {
  const intent = makeSetupIntent(book, { customer: session.customer, ...data, types: ["card"] });
  book.hidden.sessionOf.set(intent.id, session.id);
  return intent;
}

const constantFields = (book: Book, params: Params) => ({
  adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? false },
  after_expiration: null,
  allow_promotion_codes: params.allow_promotion_codes ?? null,
  automatic_tax: { enabled: params.automatic_tax?.enabled ?? false, liability: null, provider: null, status: null },
  billing_address_collection: params.billing_address_collection ?? null,
  client_reference_id: params.client_reference_id ?? null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  customer_account: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: book.livemode,
  locale: params.locale ?? null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: "automatic" } },
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: params.submit_type ?? null,
  subscription: null,
  wallet_options: null,
  ui_mode: params.ui_mode ?? "hosted_page",
});

/** The buyer pays, or saves a card, on the Session's page. Answers the message of a refusal; null: not refused. */
export function submitCard(book: Book, session: Session, method: PaymentMethod): string | null {
  const returnUrl = session.url!;
  const refusal =
    session.mode === "setup"
      ? attemptSetup(book, book.setupIntents.get(session.setup_intent!)!, method, { returnUrl })
      : attemptPayment(book, paymentIntentOf(book, session), method, { offSession: false, returnUrl });
  completeIfDone(book, session);
  return refusal?.message ?? null;
}

function paymentIntentOf(book: Book, session: Session): PaymentIntent {
  if (session.payment_intent !== null) return book.paymentIntents.get(session.payment_intent)!;
  const data = book.hidden.intentData.get(session.id) as NonNullable<Params["payment_intent_data"]>;
  if (session.customer === null && data.setup_future_usage !== undefined) {
    session.customer = makeCustomer(book, { email: session["customer_email"] as string | null }).id;
  }
  const intent = makePaymentIntent(book, {
    amount: session.amount_total!,
    currency: session.currency!,
    customer: session.customer,
    description: data.description,
    metadata: data.metadata,
    setupFutureUsage: data.setup_future_usage,
    suffix: data.statement_descriptor_suffix,
    types: ["card"],
  });
  session.payment_intent = intent.id;
  book.hidden.sessionOf.set(intent.id, session.id);
  return intent;
}

/** The intent that the buyer works on; null: the buyer has not paid yet. */
export function intentOf(book: Book, session: Session): PaymentIntent | SetupIntent | null {
  const { payment_intent: payment, setup_intent: setup } = session;
  if (payment !== null) return book.paymentIntents.get(payment)!;
  return setup === null ? null : book.setupIntents.get(setup)!;
}

/** Completes the Session of an intent that has succeeded, or is on the way to its success. */
export function completeIfDone(book: Book, session: Session): void {
  const status = intentOf(book, session)?.status;
  if (session.status !== "open" || (status !== "succeeded" && status !== "processing")) return;
  session.status = "complete";
  session.url = null;
  if (session.mode === "payment" && status === "succeeded") session.payment_status = "paid";
  emit(book, "checkout.session.completed", session);
}

/** The outcome of a payment that was `processing` when its Session was completed. */
export function noteSettled(book: Book, intent: PaymentIntent): void {
  const session = book.sessions.get(book.hidden.sessionOf.get(intent.id) ?? "");
  if (session === undefined) return;
  if (intent.status === "succeeded") session.payment_status = "paid";
  emit(book, `checkout.session.async_payment_${intent.status === "succeeded" ? "succeeded" : "failed"}`, session);
}

export function expire(book: Book, session: Session): void {
  session.status = "expired";
  session.url = null;
  const intent = intentOf(book, session);
  if (book.hidden.expiry !== "cancels") {
    emit(book, "checkout.session.expired", session);
    return;
  }
  if (intent?.object === "payment_intent") cancelPayment(book, intent, "expired");
  else if (intent?.object === "setup_intent") cancelSetup(book, intent, "abandoned");
  emit(book, "checkout.session.expired", session);
}

/** Expires each Session that is past its time. */
export function expireSessions(book: Book): void {
  for (const session of book.sessions.values()) {
    if (session.status === "open" && session.expires_at <= book.now()) expire(book, session);
  }
}

export const sessionRoutes: readonly Route[] = [
  create,
  route("GET /v1/checkout/sessions/:id", "checkout_session_read", {}, ({ book, id }) =>
    find(book, book.sessions, "checkout.session", id),
  ),
  route("POST /v1/checkout/sessions/:id/expire", "checkout_session_write", {}, ({ book, id }) => {
    const session = find(book, book.sessions, "checkout.session", id);
    if (session.status !== "open") {
      const message =
        'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ' +
        `\`${session.status}\`.`;
      throw invalid(message, { param: "session" });
    }
    expire(book, session);
    return session;
  }),
  listRoute(
    "/v1/checkout/sessions",
    "checkout_session_read",
    { created: "range", customer: "string", payment_intent: "string", status: "string" },
    ({ book, params }) =>
      [...book.sessions.values()].filter(
        (each) =>
          isWithin(params.created, each.created) &&
          (params.customer === undefined || each.customer === params.customer) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent) &&
          (params.status === undefined || each.status === params.status),
      ),
  ),
];
