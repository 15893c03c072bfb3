import { emit, find, type Book } from "./book.ts";
import { answerToSetup, type Decline } from "./cards.ts";
import { adviceOn, attach, cardOf, customerOf, paymentMethodOf, requireUsable } from "./customers.ts";
import { declined, invalid, malformed, type ApiError } from "./errors.ts";
import { isWithin, type Values } from "./form.ts";
import { intentFields, nextAction, requireNoSession, typesOf } from "./intents.ts";
import type { PaymentMethod, SetupIntent } from "./objects.ts";
import { listRoute, route, type Route } from "./routes.ts";

const CONFIRM = {
  payment_method: "string",
  payment_method_options: { card: { request_three_d_secure: "string" } },
  return_url: "string",
  use_stripe_sdk: "boolean",
} as const;

const CREATE = {
  ...CONFIRM,
  automatic_payment_methods: { enabled: "boolean!", allow_redirects: "string" },
  confirm: "boolean",
  customer: "string",
  description: "text",
  metadata: "metadata",
  payment_method_types: "strings",
  usage: "string",
} as const;

export type NewSetup = {
  customer: string | null;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
  paymentMethod?: PaymentMethod | null;
  types: string[] | undefined;
  usage?: string | undefined;
};

/** An unconfirmed SetupIntent: the request to save a card without a charge. */
export function makeSetupIntent(book: Book, of: NewSetup): SetupIntent {
  const id = book.newId("seti");
  const made: SetupIntent = {
    ...intentFields(book, id, of.types),
    id,
    object: "setup_intent",
    customer: of.customer,
    description: of.description ?? null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    mandate: null,
    metadata: of.metadata ?? {},
    payment_method: of.paymentMethod?.id ?? null,
    single_use_mandate: null,
    status: of.paymentMethod == null ? "requires_payment_method" : "requires_confirmation",
    usage: of.usage ?? "off_session",
  };
  book.setupIntents.set(id, made);
  emit(book, "setup_intent.created", made);
  return made;
}

/** Saves the card, or asks the buyer to authenticate. Answers the bank's refusal; null: not refused. */
export function attemptSetup(
  book: Book,
  intent: SetupIntent,
  method: PaymentMethod,
  { returnUrl, sdk = false }: { returnUrl: string | null; sdk?: boolean },
): ApiError | null {
  intent.payment_method = method.id;
  intent.last_setup_error = null;
  intent.next_action = null;
  intent["latest_attempt"] = book.newId("setatt");
  book.hidden.attempts.delete(intent.id);
  const answer = answerToSetup(cardOf(book, method));
  if (answer.is === "declined") return failSetup(book, intent, method, answer.decline);
  if (answer.is === "approved") {
    succeed(book, intent, method);
    return null;
  }
  intent.status = "requires_action";
  intent.next_action = nextAction(book, intent.id, { paymentMethod: method.id, returnUrl, sdk });
  emit(book, "setup_intent.requires_action", intent);
  return null;
}

/** The buyer passed the bank's authentication, or failed. Answers the refusal; null: the card is saved. */
export function authenticateSetup(book: Book, intent: SetupIntent, passed: boolean): ApiError | null {
  const method = book.paymentMethods.get(intent.payment_method!)!;
  book.hidden.attempts.delete(intent.id);
  if (passed) {
    succeed(book, intent, method);
    return null;
  }
  const message = "The latest attempt to set up the payment method has failed because authentication failed.";
  return failSetup(book, intent, method, { code: "setup_intent_authentication_failure", decline_code: "", message });
}

function succeed(book: Book, intent: SetupIntent, method: PaymentMethod): void {
  Object.assign(intent, { next_action: null, status: "succeeded" });
  if (intent.customer !== null) attach(book, method, intent.customer);
  else book.hidden.usedUp.set(method.id, intent.id);
  if (intent.usage === "off_session") book.hidden.setUp.add(method.id);
  emit(book, "setup_intent.succeeded", intent);
}

function failSetup(book: Book, intent: SetupIntent, method: PaymentMethod, refusal: Decline): ApiError {
  const { code, decline_code, message } = refusal;
  const reached = decline_code !== "";
  const more = reached ? { decline_code, ...adviceOn(book, method) } : {};
  const type = reached ? "card_error" : "invalid_request_error";
  Object.assign(intent, {
    last_setup_error: { type, code, message, ...more, payment_method: structuredClone(method) },
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  emit(book, "setup_intent.setup_failed", intent);
  return declined({
    code,
    message,
    ...more,
    setup_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  });
}

/** Cancels a SetupIntent that has not succeeded. */
export function cancelSetup(book: Book, intent: SetupIntent, reason: string | null): void {
  book.hidden.attempts.delete(intent.id);
  Object.assign(intent, { cancellation_reason: reason, next_action: null, status: "canceled" });
  emit(book, "setup_intent.canceled", intent);
}

const CONFIRMABLE = ["requires_payment_method", "requires_confirmation", "requires_action"];

function confirm(book: Book, intent: SetupIntent, params: Values<typeof CONFIRM>): SetupIntent {
  requireNoSession(book, intent.id, "confirm", "SetupIntent");
  const inState = (message: string) =>
    invalid(message, { code: "setup_intent_unexpected_state", setup_intent: structuredClone(intent) });
  if (!CONFIRMABLE.includes(intent.status)) {
    throw inState(
      `You cannot confirm this SetupIntent because it has a status of ${intent.status}. Only a SetupIntent with one ` +
        "of the following statuses may be confirmed: requires_payment_method, requires_confirmation, requires_action.",
    );
  }
  const given = params.payment_method ?? intent.payment_method;
  if (given === null) {
    throw inState(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a " +
        "payment method and then confirm it again.",
    );
  }
  if (intent["automatic_payment_methods"] !== null && params.return_url === undefined) {
    throw invalid(
      "This SetupIntent is configured to accept payment methods enabled in your Dashboard. Because some of these " +
        "payment methods might redirect your customer off of your page, you must provide a `return_url`.",
      { param: "return_url" },
    );
  }
  const method = paymentMethodOf(book, given);
  requireUsable(book, method, intent.customer, intent.id);
  const { return_url: returnUrl = null, use_stripe_sdk: sdk = false } = params;
  const refusal = attemptSetup(book, intent, method, { returnUrl, sdk });
  if (refusal !== null) throw refusal;
  return intent;
}

const create = route("POST /v1/setup_intents", "setup_intent_write", CREATE, ({ book, params }) => {
  if (params.return_url !== undefined && params.confirm !== true) {
    throw malformed(
      "The parameter `return_url` cannot be passed when creating a SetupIntent unless `confirm` is set to true.",
      { param: "return_url" },
    );
  }
  const customer = params.customer === undefined ? null : customerOf(book, params.customer).id;
  const method = params.payment_method === undefined ? null : paymentMethodOf(book, params.payment_method);
  if (method !== null) requireUsable(book, method, customer, null);
  const intent = makeSetupIntent(book, {
    customer,
    description: params.description,
    metadata: params.metadata,
    paymentMethod: method,
    types: typesOf(params.payment_method_types, params.automatic_payment_methods),
    usage: params.usage,
  });
  return params.confirm === true ? confirm(book, intent, { ...params, payment_method: method?.id }) : intent;
});

const cancel = route(
  "POST /v1/setup_intents/:id/cancel",
  "setup_intent_write",
  { cancellation_reason: "string" },
  ({ book, id, params }) => {
    const intent = find(book, book.setupIntents, "setupintent", id);
    requireNoSession(book, id, "cancel", "SetupIntent");
    if (intent.status === "succeeded" || intent.status === "canceled") {
      const message =
        `You cannot cancel this SetupIntent because it has a status of ${intent.status}. Only a SetupIntent with one ` +
        "of the following statuses may be canceled: requires_payment_method, requires_confirmation, requires_action.";
      throw invalid(message, { code: "setup_intent_unexpected_state", setup_intent: structuredClone(intent) });
    }
    cancelSetup(book, intent, params.cancellation_reason ?? null);
    return intent;
  },
);

export const setupIntentRoutes: readonly Route[] = [
  create,
  cancel,
  route("POST /v1/setup_intents/:id/confirm", "setup_intent_write", CONFIRM, ({ book, id, params }) =>
    confirm(book, find(book, book.setupIntents, "setupintent", id), params),
  ),
  route("GET /v1/setup_intents/:id", "setup_intent_read", { client_secret: "string" }, ({ book, id }) =>
    find(book, book.setupIntents, "setupintent", id),
  ),
  listRoute(
    "/v1/setup_intents",
    "setup_intent_read",
    { created: "range", customer: "string", payment_method: "string" },
    ({ book, params: { created, customer, payment_method: method } }) =>
      [...book.setupIntents.values()].filter(
        (intent) =>
          isWithin(created, intent.created) &&
          (customer === undefined || intent.customer === customer) &&
          (method === undefined || intent.payment_method === method),
      ),
  ),
];
