import type { ErrorCode, FieldError, Problem } from "./types/problems.ts";

interface ErrorParts {
  status?: number;
  requestId?: string | undefined;
  /** Without a problem. */
  code?: ErrorCode | undefined;
  problem?: Problem | undefined;
  cause?: unknown;
}

/** Calls reject with this error, except after an aborted signal, a failed `apiKey` function or a wrong argument. */
export class BillowError extends Error {
  override readonly name: string = "BillowError";
  /** Undefined if no answer arrived. */
  readonly status: number | undefined;
  /**
   * A stable code of the cause. Undefined if the answer had no readable body. A newer server may send codes that this
   * version does not list.
   */
  readonly code: ErrorCode | undefined;
  /** Identifies the request in the server's logs. */
  readonly requestId: string | undefined;
  /** The parsed body. */
  readonly problem: Problem | undefined;

  constructor(message: string, parts: ErrorParts) {
    super(message, parts);
    this.status = parts.status;
    this.code = parts.problem?.code ?? parts.code;
    this.requestId = parts.requestId;
    this.problem = parts.problem;
  }

  /** The faults of the request by field. Undefined except after a 422. */
  get errors(): FieldError[] | undefined {
    return this.problem?.errors;
  }
  /** The Checkout whose page is `url`. */
  get checkoutId(): string | undefined {
    return this.problem?.checkoutId ?? undefined;
  }
  /**
   * The page on which the buyer goes on: with the payment of a change after a 402, and with a payment that was begun
   * before a 409.
   */
  get url(): string | undefined {
    return this.problem?.url ?? undefined;
  }
}

/** 401. The client stops sending until it has another key. */
export class AuthenticationError extends BillowError {
  override readonly name = "AuthenticationError";
  declare readonly status: number;
}

/** 422. The request had no effect, and the same request would fail again. */
export class ValidationError extends BillowError {
  override readonly name = "ValidationError";
  declare readonly status: number;

  override get errors(): FieldError[] {
    return super.errors ?? [];
  }
}

/** 402. A change that had to be paid at once was not paid and had no effect. The buyer can pay for it at `url`. */
export class PaymentError extends BillowError {
  override readonly name = "PaymentError";
  declare readonly status: number;

  get declineCode(): string | undefined {
    return this.problem?.declineCode ?? undefined;
  }
}

/** Any other answer that is not a success. */
export class ApiError extends BillowError {
  override readonly name = "ApiError";
  declare readonly status: number;
}

/** No complete answer arrived: a network failure or a time-out. The server may have carried out the request. */
export class ConnectionError extends BillowError {
  override readonly name = "ConnectionError";
}

const CLASSES: Record<number, new (message: string, parts: ErrorParts) => BillowError> = {
  401: AuthenticationError,
  402: PaymentError,
  422: ValidationError,
};

/**
 * The status alone decides the class. If the body is missing, cut off or HTML, the error only has fewer details.
 * The message of a 401 names the server, because a key of another server looks the same. `advice`: added to the message
 * of a 403.
 */
export function errorFor({ status, headers }: Response, url: string, body = "", advice?: string): BillowError {
  const problem = parseProblem(body);
  const requestId = problem?.requestId ?? headers.get("request-id") ?? undefined;
  const ErrorClass = CLASSES[status] ?? ApiError;
  const message = problem ? messageOf(problem) : `The server answered ${status}`;
  const more = status === 401 ? `The key was sent to ${new URL(url).origin}.` : status === 403 ? advice : undefined;
  return new ErrorClass(more === undefined ? message : `${message} ${more}`, { status, requestId, problem });
}

/** `code: detail`, and those faults of the request whose field is not in the detail. */
function messageOf({ code, detail, title, errors }: Partial<Problem>): string {
  const text = detail ?? title ?? "The request failed";
  const faults = Array.isArray(errors) ? errors : [];
  const others = faults.filter(({ pointer }) => pointer !== "" && !text.includes(pointer));
  const fields = others.map(({ pointer, message }) => `${pointer}: ${message}`);
  return [code === undefined ? text : `${code}: ${text}`, ...fields].join("\n  ");
}

function parseProblem(body: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
