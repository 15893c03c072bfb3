import type { JsonObject } from "./json.ts";

export type ErrorDetail = {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string | undefined;
  decline_code?: string | undefined;
  advice_code?: string | undefined;
  param?: string | undefined;
} & JsonObject;

/**
 * An answer with an error. `kept`: the endpoint had begun to work, so the answer is stored under the request's
 * Idempotency-Key and replayed. Stripe stores no answer to a request that fails validation.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly detail: ErrorDetail;
  readonly kept: boolean;

  constructor(status: number, detail: ErrorDetail, kept: boolean) {
    super(detail.message);
    this.status = status;
    this.detail = detail;
    this.kept = kept;
  }

  get body(): JsonObject {
    const { code } = this.detail;
    const link =
      code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}` };
    return { error: { ...this.detail, ...link } };
  }
}

type More = { code?: string; param?: string } & JsonObject;

/** 400 before the endpoint begins to work: a parameter that is unknown, missing or of the wrong type. */
export function malformed(message: string, more: More = {}): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...more }, false);
}

/** 400 of an endpoint: the parameters are well formed, but the operation is not allowed. */
export function invalid(message: string, more: More = {}): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...more }, true);
}

/** 402: the bank or the network declined. */
export function declined(detail: Omit<ErrorDetail, "type"> & { message: string }): ApiError {
  return new ApiError(402, { ...detail, type: "card_error" }, true);
}

/** The object that a path names does not exist: 404. A parameter that names such an object is answered with 400. */
export function noSuch(kind: string, id: string, param?: string, elsewhere = ""): ApiError {
  const message = `No such ${kind}: '${id}'${elsewhere}`;
  const detail: ErrorDetail = {
    type: "invalid_request_error",
    code: "resource_missing",
    message,
    param: param ?? "id",
  };
  return new ApiError(param === undefined ? 404 : 400, detail, true);
}

export const unauthorized = (message: string, code?: string): ApiError =>
  new ApiError(401, { type: "invalid_request_error", message, code }, false);

export const forbidden = (message: string, code?: string): ApiError =>
  new ApiError(403, { type: "invalid_request_error", message, code }, false);

export const outOfOrder = (): ApiError =>
  new ApiError(500, { type: "api_error", message: "An unknown error occurred." }, true);

export const tooMany = (): ApiError =>
  new ApiError(
    429,
    {
      type: "invalid_request_error",
      code: "rate_limit",
      message: "Too many requests in a period of time. Please retry with exponential backoff.",
    },
    false,
  );

/** Another request holds the object. Stripe answers 429; its older answer was 409. */
export const locked = (status: 409 | 429): ApiError =>
  new ApiError(
    status,
    {
      type: "invalid_request_error",
      code: "lock_timeout",
      message:
        "This object cannot be accessed right now because another API request or Stripe process is currently " +
        "accessing it. If you see this error intermittently, retry the request.",
    },
    false,
  );

export const keyInUse = (key: string): ApiError =>
  new ApiError(
    409,
    {
      type: "idempotency_error",
      code: "idempotency_key_in_use",
      message:
        "There is currently another in-progress request using this Idempotent Key (that probably means you submitted " +
        `twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    false,
  );

export const keyOfAnother = (key: string, difference: string): ApiError =>
  new ApiError(
    400,
    {
      type: "idempotency_error",
      message:
        `Keys for idempotent requests can only be used ${difference} they were first used ` +
        `with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  );
