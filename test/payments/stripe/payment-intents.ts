import { checkAmount, checkDigits, checkStatement } from "./amounts.ts";
import { emit, find, type Book } from "./book.ts";
import { answerToCharge, type Decline } from "./cards.ts";
import { makeCharge } from "./charges.ts";
import { adviceOn, attach, cardOf, customerOf, paymentMethodOf, requireUsable } from "./customers.ts";
import { openDisputeOf } from "./disputes.ts";
import { declined, invalid, malformed, type ApiError } from "./errors.ts";
import { isWithin, type Values } from "./form.ts";
import { intentFields, nextAction, requireNoSession, typesOf } from "./intents.ts";
import type { PaymentIntent, PaymentMethod } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const CONFIRM = {
  off_session: "boolean",
  payment_method: "string",
  payment_method_options: { card: { request_three_d_secure: "string" } },
  payment_method_types: "strings",
  receipt_email: "text",
  return_url: "string",
  setup_future_usage: "text",
  use_stripe_sdk: "boolean",
} as const;

const CHANGE = {
  description: "text",
  metadata: "metadata",
  payment_method: "string",
  payment_method_types: "strings",
  setup_future_usage: "text",
  statement_descriptor: "text",
  statement_descriptor_suffix: "text",
} as const;

const CREATE = {
  ...CONFIRM,
  ...CHANGE,
  amount: "integer!",
  automatic_payment_methods: { enabled: "boolean!", allow_redirects: "string" },
  capture_method: "string",
  confirm: "boolean",
  currency: "string!",
  customer: "string",
} as const;

export type NewPayment = {
  amount: number;
  currency: string;
  customer: string | null;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
  paymentMethod?: PaymentMethod | null;
  setupFutureUsage?: string | null | undefined;
  suffix?: string | null | undefined;
  types: string[] | undefined;
};

/** An unconfirmed PaymentIntent. Throws 400 for an amount or a statement that Stripe refuses. */
export function makePaymentIntent(book: Book, of: NewPayment): PaymentIntent {
  checkAmount(of.amount, of.currency);
  checkStatement(null, of.suffix);
  const id = book.newId("pi");
  const made: PaymentIntent = {
    ...intentFields(book, id, of.types),
    id,
    object: "payment_intent",
    amount: of.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application_fee_amount: null,
    canceled_at: null,
    capture_method: "automatic_async",
    confirmation_method: "automatic",
    currency: of.currency,
    customer: of.customer,
    description: of.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: of.metadata ?? {},
    payment_method: of.paymentMethod?.id ?? null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: of.setupFutureUsage ?? null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: of.suffix ?? null,
    status: of.paymentMethod == null ? "requires_payment_method" : "requires_confirmation",
    transfer_data: null,
    transfer_group: null,
  };
  book.paymentIntents.set(id, made);
  emit(book, "payment_intent.created", made);
  return made;
}

type Attempt = { offSession: boolean; returnUrl: string | null; sdk?: boolean; threeDSecure?: string };

/** Charges the card, or asks the buyer to authenticate. Answers the bank's refusal; null: not refused. */
export function attemptPayment(
  book: Book,
  intent: PaymentIntent,
  method: PaymentMethod,
  { offSession, returnUrl, sdk = false, threeDSecure = "automatic" }: Attempt,
): ApiError | null {
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = null;
  book.hidden.attempts.delete(intent.id);
  if (method.customer === null) book.hidden.usedUp.set(method.id, intent.id);
  const presence = {
    offSession,
    isSetUp: book.hidden.setUp.has(method.id),
    trustsPresence: book.hidden.trusting.has(method.id),
    isRequested: threeDSecure !== "automatic",
  };
  const answer = answerToCharge(cardOf(book, method), presence);
  if (answer.is === "declined") return failPayment(book, intent, method, answer.decline);
  if (answer.is === "approved") {
    approve(book, intent, method);
    return null;
  }
  intent.status = "requires_action";
  intent.next_action = nextAction(book, intent.id, { paymentMethod: method.id, returnUrl, sdk });
  emit(book, "payment_intent.requires_action", intent);
  return null;
}

const FAILED: Decline = {
  code: "payment_intent_authentication_failure",
  decline_code: "",
  message:
    "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new " +
    "PaymentMethod to attempt to fulfill this PaymentIntent again.",
};
const TOO_LATE: Decline = {
  code: "payment_intent_payment_attempt_expired",
  decline_code: "",
  message: "The latest payment attempt for the PaymentIntent has expired. Check the `last_payment_error` property.",
};

/** The end of an authentication. Answers the refusal; null: the card was charged, or the payment is `processing`. */
export function authenticatePayment(
  book: Book,
  intent: PaymentIntent,
  result: "passed" | "failed" | "expired",
): ApiError | null {
  const method = book.paymentMethods.get(intent.payment_method!)!;
  book.hidden.attempts.delete(intent.id);
  if (result !== "passed") return failPayment(book, intent, method, result === "failed" ? FAILED : TOO_LATE);
  const { afterwards } = cardOf(book, method);
  if (afterwards !== undefined) return failPayment(book, intent, method, afterwards);
  approve(book, intent, method);
  return null;
}

function approve(book: Book, intent: PaymentIntent, method: PaymentMethod): void {
  if (book.hidden.toProcess === 0) {
    succeed(book, intent, method);
    return;
  }
  book.hidden.toProcess--;
  Object.assign(intent, { next_action: null, status: "processing" });
  emit(book, "payment_intent.processing", intent);
}

/** Ends a payment that is `processing`: charged, or refused by the bank. */
export function settlePayment(book: Book, intent: PaymentIntent, refusal?: Decline): void {
  if (intent.status !== "processing") throw new Error(`${intent.id} is ${intent.status}`);
  const method = book.paymentMethods.get(intent.payment_method!)!;
  if (refusal === undefined) succeed(book, intent, method);
  else failPayment(book, intent, method, refusal);
}

function succeed(book: Book, intent: PaymentIntent, method: PaymentMethod): void {
  const charge = makeCharge(book, intent, method.id);
  Object.assign(intent, {
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    status: "succeeded",
  });
  emit(book, "payment_intent.succeeded", intent);
  if (intent.customer !== null && intent.setup_future_usage !== null) attach(book, method, intent.customer);
  if (intent.setup_future_usage === "off_session") book.hidden.setUp.add(method.id);
  openDisputeOf(book, charge, cardOf(book, method));
}

function failPayment(book: Book, intent: PaymentIntent, method: PaymentMethod, refusal: Decline): ApiError {
  const { code, decline_code, message } = refusal;
  // A failed authentication never reached the bank, so there is no charge and no decline code.
  const reached = decline_code !== "";
  const charge = reached ? makeCharge(book, intent, method.id, refusal).id : null;
  const more = reached ? { decline_code, charge: charge!, ...adviceOn(book, method) } : {};
  const type = reached ? "card_error" : "invalid_request_error";
  Object.assign(intent, {
    last_payment_error: { type, code, message, ...more, payment_method: structuredClone(method) },
    latest_charge: charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  emit(book, "payment_intent.payment_failed", intent);
  return declined({
    code,
    message,
    ...more,
    payment_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  });
}

const THREE_D_SECURE = ["any", "automatic", "challenge"];
const CONFIRMABLE = ["requires_payment_method", "requires_confirmation", "requires_action"];

function confirm(book: Book, intent: PaymentIntent, params: Values<typeof CONFIRM>): PaymentIntent {
  requireNoSession(book, intent.id, "confirm", "PaymentIntent");
  requireCharges(book);
  const inState = (message: string) =>
    invalid(message, { code: "payment_intent_unexpected_state", payment_intent: structuredClone(intent) });
  if (intent.status === "succeeded") {
    throw inState(
      "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
    );
  }
  if (!CONFIRMABLE.includes(intent.status)) {
    throw inState(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with ` +
        "one of the following statuses may be confirmed: requires_confirmation, requires_action.",
    );
  }
  const given = params.payment_method ?? intent.payment_method;
  if (given === null) {
    throw inState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
        "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment " +
        "method or ConfirmationToken.",
    );
  }
  const offSession = params.off_session ?? false;
  if (intent["automatic_payment_methods"] !== null && params.return_url === undefined && !offSession) {
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these " +
        "payment methods might redirect your customer off of your page, you must provide a `return_url`.",
      { param: "return_url" },
    );
  }
  const method = paymentMethodOf(book, given);
  requireUsable(book, method, intent.customer, intent.id);
  checkDigits(intent.amount, cardOf(book, method).brand);
  if (params.setup_future_usage !== undefined) intent.setup_future_usage = params.setup_future_usage;
  const { return_url: returnUrl = null, use_stripe_sdk: sdk = false } = params;
  const threeDSecure = params.payment_method_options?.card?.request_three_d_secure ?? "automatic";
  if (!THREE_D_SECURE.includes(threeDSecure)) {
    const param = "payment_method_options[card][request_three_d_secure]";
    throw malformed(`Invalid ${param}: must be one of ${THREE_D_SECURE.join(", ")}`, { param });
  }
  const refusal = attemptPayment(book, intent, method, { offSession, returnUrl, sdk, threeDSecure });
  if (refusal !== null) throw refusal;
  return intent;
}

/** Throws 400 while the account may not charge. */
export function requireCharges(book: Book): void {
  if (book.account.charges_enabled) return;
  throw invalid("Your account cannot currently make live charges. Please complete your account's open requirements.");
}

/** Cancels an intent that has not succeeded. `reason`: null for a cancellation without a given reason. */
export function cancelPayment(book: Book, intent: PaymentIntent, reason: string | null): void {
  book.hidden.attempts.delete(intent.id);
  Object.assign(intent, {
    canceled_at: book.now(),
    cancellation_reason: reason,
    next_action: null,
    status: "canceled",
  });
  emit(book, "payment_intent.canceled", intent);
}

const ONLY_TO_CONFIRM = ["off_session", "return_url"] as const;

const create = route("POST /v1/payment_intents", "payment_intent_write", CREATE, ({ book, params }) => {
  requireCharges(book);
  for (const param of ONLY_TO_CONFIRM) {
    if (params[param] === undefined || params.confirm === true) continue;
    throw malformed(
      `The parameter \`${param}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
      { param },
    );
  }
  checkStatement(params.statement_descriptor, params.statement_descriptor_suffix);
  const customer = params.customer === undefined ? null : customerOf(book, params.customer).id;
  const method = params.payment_method === undefined ? null : paymentMethodOf(book, params.payment_method);
  if (method !== null) requireUsable(book, method, customer, null);
  const intent = makePaymentIntent(book, {
    amount: params.amount,
    currency: params.currency.toLowerCase(),
    customer,
    description: params.description,
    metadata: params.metadata,
    paymentMethod: method,
    setupFutureUsage: params.setup_future_usage,
    suffix: params.statement_descriptor_suffix,
    types: typesOf(params.payment_method_types, params.automatic_payment_methods),
  });
  return params.confirm === true ? confirm(book, intent, { ...params, payment_method: method?.id }) : intent;
});

const change = route("POST /v1/payment_intents/:id", "payment_intent_write", CHANGE, ({ book, id, params }) => {
  const intent = find(book, book.paymentIntents, "payment_intent", id);
  if (intent.status === "succeeded" || intent.status === "canceled") {
    const message = `This PaymentIntent could not be updated because it has a status of ${intent.status}.`;
    throw invalid(message, { code: "payment_intent_unexpected_state", payment_intent: structuredClone(intent) });
  }
  checkStatement(params.statement_descriptor, params.statement_descriptor_suffix);
  Object.assign(intent.metadata, params.metadata);
  if (params.description !== undefined) intent.description = params.description;
  if (params.setup_future_usage !== undefined) intent.setup_future_usage = params.setup_future_usage;
  if (params.statement_descriptor_suffix !== undefined) {
    intent.statement_descriptor_suffix = params.statement_descriptor_suffix;
  }
  if (params.payment_method !== undefined) {
    const method = paymentMethodOf(book, params.payment_method);
    requireUsable(book, method, intent.customer, intent.id);
    Object.assign(intent, { payment_method: method.id, status: "requires_confirmation", next_action: null });
  }
  return intent;
});

const cancel = route(
  "POST /v1/payment_intents/:id/cancel",
  "payment_intent_write",
  { cancellation_reason: "string" },
  ({ book, id, params }) => {
    const intent = find(book, book.paymentIntents, "payment_intent", id);
    requireNoSession(book, id, "cancel", "PaymentIntent");
    if (intent.status === "succeeded" || intent.status === "canceled") {
      const message =
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with ` +
        "one of the following statuses may be canceled: requires_payment_method, requires_capture, " +
        "requires_confirmation, requires_action, processing.";
      throw invalid(message, { code: "payment_intent_unexpected_state", payment_intent: structuredClone(intent) });
    }
    cancelPayment(book, intent, params.cancellation_reason ?? null);
    return intent;
  },
);

export const paymentIntentRoutes: readonly Route[] = [
  create,
  change,
  cancel,
  route("POST /v1/payment_intents/:id/confirm", "payment_intent_write", CONFIRM, ({ book, id, params }) =>
    confirm(book, find(book, book.paymentIntents, "payment_intent", id), params),
  ),
  route("GET /v1/payment_intents/:id", "payment_intent_read", { client_secret: "string" }, ({ book, id }) =>
    find(book, book.paymentIntents, "payment_intent", id),
  ),
  listRoute(
    "/v1/payment_intents",
    "payment_intent_read",
    { created: "range", customer: "string" },
    ({ book, params: { created, customer } }) => {
      if (customer !== undefined) customerOf(book, customer);
      return [...book.paymentIntents.values()].filter(
        (intent) => isWithin(created, intent.created) && (customer === undefined || intent.customer === customer),
      );
    },
  ),
];
