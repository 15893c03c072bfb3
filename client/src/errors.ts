import type { ErrorCode, FieldError, Problem } from "./types.ts";

interface ErrorParts {
  status?: number;
  requestId?: string | undefined;
  problem?: Problem | undefined;
  cause?: unknown;
}

/** What a call rejects with, unless its signal was aborted or the function that gives the key failed. */
export class BillowError extends Error {
  override readonly name: string = "BillowError";
  /** Undefined where no answer arrived. */
  readonly status: number | undefined;
  /** Stable, one a cause. Undefined where the answer had no readable body; a newer server may send codes this version does not list. */
  readonly code: ErrorCode | undefined;
  /** What the operator of the server looks for in the logs. */
  readonly requestId: string | undefined;
  /** The parsed body. */
  readonly problem: Problem | undefined;

  constructor(message: string, parts: ErrorParts) {
    super(message, parts);
    this.status = parts.status;
    this.code = parts.problem?.code;
    this.requestId = parts.requestId;
    this.problem = parts.problem;
  }
}

/** 401. The client sends nothing more until it has another key. */
export class AuthenticationError extends BillowError {
  override readonly name = "AuthenticationError";
  declare readonly status: number;
}

/** 422. Nothing was changed, and the same request would fail again. */
export class ValidationError extends BillowError {
  override readonly name = "ValidationError";
  declare readonly status: number;

  get errors(): FieldError[] {
    return this.problem?.errors ?? [];
  }
}

/** 402. A change had to be paid at once and was not; nothing was changed. At `url` the buyer can pay for it. */
export class PaymentError extends BillowError {
  override readonly name = "PaymentError";
  declare readonly status: number;

  get declineCode(): string | undefined {
    return this.problem?.declineCode ?? undefined;
  }
  get checkoutId(): string | undefined {
    return this.problem?.checkoutId ?? undefined;
  }
  get url(): string | undefined {
    return this.problem?.url ?? undefined;
  }
}

/** Any other answer that is not a success. */
export class ApiError extends BillowError {
  override readonly name = "ApiError";
  declare readonly status: number;
}

/** No whole answer: a network failure or a time-out. Whether the server did what was asked is not known. */
export class ConnectionError extends BillowError {
  override readonly name = "ConnectionError";
}

const CLASSES: Record<number, new (message: string, parts: ErrorParts) => BillowError> = {
  401: AuthenticationError,
  402: PaymentError,
  422: ValidationError,
};

/** The status alone decides the class; a body that is missing, cut off or HTML only means that there is less to tell. */
export function errorFor({ status, headers }: Response, body = ""): BillowError {
  const problem = parseProblem(body);
  const requestId = problem?.requestId ?? headers.get("request-id") ?? undefined;
  const ErrorClass = CLASSES[status] ?? ApiError;
  return new ErrorClass(problem?.detail ?? problem?.title ?? `The server answered ${status}`, { status, requestId, problem });
}

function parseProblem(body: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
