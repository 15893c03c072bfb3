/**
 * Every error that a caller can see, one row per code. Status, title and advice are documented and stable; `detail`
 * describes the single case. The body follows RFC 9457 (`application/problem+json`).
 */
export const ERRORS = {
  malformed_request: [400, "Not an HTTP request", "Send a valid HTTP/1.1 request (RFC 9112) with one `Host` header."],
  malformed_json: [400, "Body is not JSON", "Send a JSON body (RFC 8259, UTF-8)."],
  notice_invalid: [
    400,
    "Notice is not valid",
    "Check the address, and the secret with which the provider signs its notices.",
  ],
  api_key_missing: [401, "API key is missing", "Send the header `Authorization: Bearer <API key>`."],
  api_key_invalid: [
    401,
    "API key is not valid",
    "Check the key for typing errors. A key works only on the server that made it.",
  ],
  api_key_expired: [401, "API key has expired", "Use the successor of this key, or create another key."],
  api_key_revoked: [401, "API key was revoked", "Use another key of this Organization."],
  payment_failed: [402, "Payment failed", "No change was made. Ask the buyer for another card."],
  payment_action_required: [
    402,
    "Payment needs the buyer",
    "No change was made. The buyer has to authenticate the payment.",
  ],
  payment_method_required: [402, "No card is on file", "No change was made. The buyer has to give a card first."],
  payment_refused: [
    402,
    "The payment provider refused the charge",
    "No change was made, and the buyer is not at fault. An operator has to remove the cause.",
  ],
  insufficient_scope: [403, "API key lacks the required scope", "Use a key with the scope of this surface."],
  not_found: [404, "Not found", "Check the path and the id. An id of another Organization is not found either."],
  license_not_found: [404, "License key is not known", "Check the key and the `organizationId`."],
  method_not_allowed: [405, "Method not allowed", "Use one of the methods in the `Allow` header."],
  request_timeout: [408, "Request took too long", "Send the whole request within 30 seconds."],
  not_acceptable: [406, "Answer is not accepted", "Accept `application/json`. For a PDF, accept `application/pdf`."],
  body_too_large: [413, "Body is too large", "Send at most 64 KiB."],
  uri_too_long: [414, "Address is too long", "Send at most 8 KiB of path and query."],
  unsupported_media_type: [
    415,
    "Body is not declared as JSON",
    "Send `Content-Type: application/json`. Don't compress the body.",
  ],
  headers_too_large: [431, "Headers are too large", "Send at most 16 KiB of headers."],
  subscription_canceled: [
    409,
    "Subscription is canceled",
    "A canceled Subscription can't be changed. Create a Checkout for a new Subscription.",
  ],
  subscription_cancellation_scheduled: [
    409,
    "Cancellation is scheduled",
    "Undo the cancellation first, or send `cancelAtPeriodEnd: false` with the Product.",
  ],
  subscription_past_due: [
    409,
    "Subscription is past due",
    "Only `next_period` changes are possible until the owed amount is paid.",
  ],
  subscription_pause_scheduled: [
    409,
    "Pause is scheduled",
    "Undo the pause first with `POST /manage/v1/subscriptions/…/resume`, or change the Product with `next_period`.",
  ],
  subscription_paused: [
    409,
    "Subscription is paused",
    "Resume the Subscription first with `POST /manage/v1/subscriptions/…/resume`, or change the Product with " +
      "`next_period`.",
  ],
  subscription_not_trialing: [409, "Subscription is in no trial", "Only a trial that has not ended can be lengthened."],
  subscription_held: [
    409,
    "Subscription is held for an import",
    "Another billing system still bills this Subscription. Make the change there, or after the cut-over.",
  ],
  price_not_accepted: [
    409,
    "New price is not accepted",
    "The Customer has to agree to the new price in the portal first.",
  ],
  price_change_unfinished: [
    409,
    "Another price change is not finished",
    "Wait for the end of the other price change of this Product, or stop it. `priceChangeId` names it. Withdraw it " +
      "to bring the same price with another `consent` or other `noticeDays`.",
  ],
  price_change_ended: [
    409,
    "Price change has ended",
    "This is only possible while the price change runs or is paused. A price change that has ended can be withdrawn.",
  ],
  invoice_open: [409, "An invoice is open", "Only `next_period` changes are possible until the invoice is paid."],
  invoice_not_paid: [409, "Invoice is not paid", "Only a paid Invoice can be refunded. An open Invoice can be voided."],
  payment_unknown: [
    409,
    "The payment is not settled",
    "The outcome of the charge is not known yet. Send the request again later.",
  ],
  nothing_to_refund: [
    409,
    "The invoice has no refundable amount left",
    "The whole amount of the Invoice is refunded, being refunded or disputed.",
  ],
  credited: [
    409,
    "The invoice was given back as credit",
    "A change or a refund gave this Invoice back as credit. Name an `amount` of at most `available`. " +
      "A refund to the card takes credit that is not spent off the balance.",
  ],
  credit_spent: [
    409,
    "The credit is spent",
    "A part of the amount was given back as credit, and this credit is spent, reserved, written off, or waits for " +
      "the next invoice. At most `available` can be given back.",
  ],
  nothing_to_pay_out: [
    409,
    "There is no credit to pay out",
    "Only credit that came from a card can be paid out. Granted credit, held credit and credit that a payment in " +
      "progress reserves stay on the balance.",
  ],
  refund_in_progress: [
    409,
    "A refund is in progress",
    "The credit of the change depends on the outcome of the refund. " +
      "Send the request again after `Retry-After` seconds.",
  ],
  payment_disputed: [
    409,
    "The payment is disputed",
    "Only changes with `prorationBehavior` `next_period` or `none` are possible until the buyer's bank has decided.",
  ],
  payment_not_disputable: [
    409,
    "The payment can't be disputed",
    "Only a payment that succeeded and was not fully refunded to the card can be disputed.",
  ],
  payment_not_refundable: [
    409,
    "The payment can't be refunded",
    "The provider refunds at most `available`: the part of a successful payment that was neither refunded to the " +
      "card nor disputed.",
  ],
  refund_not_failable: [
    409,
    "The refund can't fail",
    "Only a refund to a card that the provider has made can fail. A refund fails only once. Read the Refund.",
  ],
  payment_method_detached: [
    409,
    "The card is detached",
    "The card can't be charged any more, and a detached card does not change. Read the PaymentMethod.",
  ],
  already_disputed: [
    409,
    "The payment is disputed already",
    "A payment can be disputed only once. A dispute that was won and an inquiry that was closed do not count.",
  ],
  dispute_closed: [409, "Dispute is closed", "The Dispute has ended already. Read the Dispute."],
  dispute_not_inquiry: [409, "Dispute is no inquiry", "Only an inquiry can become an open Dispute."],
  dispute_outcome_mismatch: [
    409,
    "The outcome does not fit the Dispute",
    "An open Dispute is `won` or `lost`. An inquiry is `closed`.",
  ],
  change_in_progress: [
    409,
    "A change is in progress",
    "The payment of the change is not settled yet. If `url` is not null, send the buyer there. Otherwise send the " +
      "request again after `Retry-After` seconds.",
  ],
  invoice_not_open: [409, "Invoice is not open", "The Invoice was paid or is void. Read the Invoice."],
  balance_left: [
    409,
    "Customer has credit",
    "Deleting the Customer writes off the `balances`. " +
      "Send `forfeitBalance=true` in the query, or give the money back first.",
  ],
  payment_in_progress: [
    409,
    "A payment is in progress",
    "The outcome of the payment is not known yet. Send the request again after `Retry-After` seconds.",
  ],
  catch_up_pending: [
    409,
    "Due billing is held",
    "Billing was interrupted. An operator has to approve the missed billing of the Subscription first (`billow " +
      "catch-up`).",
  ],
  customer_exists: [409, "Customer exists", "Use the Customer named by `customerId`."],
  external_id_fixed: [
    409,
    "externalId is set already",
    "A Customer's `externalId` is set only once. Create another Customer for another `externalId`.",
  ],
  already_subscribed: [
    409,
    "Customer is subscribed already",
    "Change the Subscription named by `subscriptionId` instead. If `url` is not null, an earlier payment is not " +
      "finished: send the buyer there.",
  ],
  already_archived: [409, "Product is archived", "Use another Product."],
  checkout_not_open: [409, "Checkout is not open", "Create a new Checkout."],
  key_taken: [409, "Key is taken", "A `key` is unique in an Organization and never changes. Choose another `key`."],
  license_not_active: [
    409,
    "License key is not active",
    "The access of the license key has ended. The key works again if the access comes back.",
  ],
  activation_limit_reached: [409, "Activation limit is reached", "Deactivate one activation of the license key first."],
  code_taken: [
    409,
    "Code is taken",
    "Another Discount has this code. Choose another code, or change the other Discount.",
  ],
  discount_exhausted: [409, "Discount is used up", "Create a new Checkout without the discount code."],
  webhook_endpoint_limit_reached: [
    409,
    "Webhook endpoint limit is reached",
    "An Organization has at most 50 webhook endpoints. Delete one first.",
  ],
  endpoint_disabled: [409, "Endpoint is disabled", "Enable the webhook endpoint first."],
  clock_advancing: [
    409,
    "The clock is being advanced",
    "Wait until the clock has reached `target`, or stop the advance.",
  ],
  clock_stopped: [
    409,
    "The advance was stopped",
    "The clock stands at `now`. Advance the clock again to continue from `now`.",
  ],
  clock_not_settable: [
    409,
    "The clock can't be set any more",
    "A clock can be set only before the first Customer and Checkout. Advance the clock instead.",
  ],
  clock_backwards: [
    409,
    "The clock does not go back",
    "Advance to an instant that is not in the past of this Organization's clock.",
  ],
  payment_provider_missing: [
    409,
    "No payment provider",
    "A live Organization can't take payments without a payment provider. Only free Products can be sold.",
  ],
  api_key_not_active: [409, "Key is not active", "An expired or revoked key can't be rotated. Create another key."],
  api_key_in_use: [409, "Key is being used", "A key can't revoke itself. Use another key."],
  idempotency_in_progress: [
    409,
    "The first request is still running",
    "Send the same request again after `Retry-After` seconds.",
  ],
  idempotency_key_used: [
    409,
    "Idempotency key was used",
    "The answer is not stored, because it contained a secret or a deleted Customer. " +
      "Use a new key to repeat the action.",
  ],
  client_replaced: [
    410,
    "The client has another name",
    "Each version of the client has a name of its own. Install the client with the command in `detail`.",
  ],
  precondition_failed: [
    412,
    "The resource has changed",
    "Read the resource again. Send its ETag unchanged, with the quotes, in `If-Match`.",
  ],
  validation_failed: [
    422,
    "The request is not valid",
    "Correct the faults in `errors`. The same request would fail again.",
  ],
  idempotency_key_reused: [422, "Idempotency key was used for another request", "Use a new key for a new request."],
  rate_limited: [429, "Too many requests", "Wait `Retry-After` seconds."],
  internal_error: [
    500,
    "Internal error",
    "Send the request again with the same Idempotency-Key. If the error stays, tell us the `requestId`.",
  ],
  unavailable: [
    503,
    "Not available at the moment",
    "Send the request again after `Retry-After` seconds, with the same Idempotency-Key.",
  ],
} as const satisfies Record<string, readonly [status: number, title: string, advice: string]>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * One fault in a request. `pointer` names the faulty part (RFC 6901 in a body, a name elsewhere), `message` the remedy.
 */
export type Fault = { in: "body" | "query" | "header" | "path"; pointer: string; code: string; message: string };

/** The parts of an error beside its code. `extra` are members of the problem body, `headers` those of the answer. */
export type ErrorParts = {
  detail?: string;
  errors?: Fault[];
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * An error that is an answer. Any other error that is thrown is a fault of Billow and answers 500. `message` is for
 * pages and terminals, which have no pointers.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly parts: ErrorParts;
  constructor(code: ErrorCode, parts: ErrorParts = {}) {
    super(parts.detail ?? parts.errors?.[0]?.message ?? ERRORS[code][2], { cause: parts.cause });
    this.name = "AppError";
    this.code = code;
    this.parts = parts;
  }
  get status(): number {
    return ERRORS[this.code][0];
  }
}

/** The headers of a refusal that a caller can usually retry with success after a second. */
export const RETRY_SOON = { "Retry-After": "1" };

/** Whether this is a 503: the work is not at fault, and may succeed later. */
export function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "unavailable";
}

/**
 * The reason of an error without its full stop. If the connection to several addresses is refused, the reasons are one
 * level deeper.
 */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message.replace(/\.$/, "") : String(first);
}

/** The faults that `detail` describes. The others are only in `errors`. */
const MOST_DESCRIBED = 3;

const sentenceOf = ({ in: where, pointer, message }: Fault) => `${pointer || `The ${where}`}: ${message}`;

/** The first faults with their places, and the number of the others. */
function detailOf(faults: readonly Fault[]): string {
  const rest = faults.length - MOST_DESCRIBED;
  const others = rest > 0 ? [`There ${rest === 1 ? "is 1 more fault" : `are ${rest} more faults`} in \`errors\`.`] : [];
  return [...faults.slice(0, MOST_DESCRIBED).map(sentenceOf), ...others].join(" ");
}

/** The problem body (RFC 9457) of an error. `docs` is the URL of the page that lists the codes. */
export function problem(error: AppError, docs: string, requestId: string) {
  const [status, title, advice] = ERRORS[error.code];
  const { detail, errors, extra } = error.parts;
  return {
    type: `${docs}#${error.code}`,
    title,
    status,
    code: error.code,
    detail: detail ?? (errors && errors.length > 0 ? detailOf(errors) : advice),
    requestId,
    ...(errors && errors.length > 0 ? { errors } : {}),
    ...extra,
  };
}
