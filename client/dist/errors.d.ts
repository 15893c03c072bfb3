import type { ErrorCode, FieldError, Problem } from "./types.ts";
interface ErrorParts {
    status?: number;
    requestId?: string | undefined;
    problem?: Problem | undefined;
    cause?: unknown;
}
/** What a call rejects with, unless its signal was aborted or the function that gives the key failed. */
export declare class BillowError extends Error {
    readonly name: string;
    /** Undefined where no answer arrived. */
    readonly status: number | undefined;
    /** Stable, one a cause. Undefined where the answer had no readable body; a newer server may send codes this version does not list. */
    readonly code: ErrorCode | undefined;
    /** What the operator of the server looks for in the logs. */
    readonly requestId: string | undefined;
    /** The parsed body. */
    readonly problem: Problem | undefined;
    constructor(message: string, parts: ErrorParts);
}
/** 401. The client sends nothing more until it has another key. */
export declare class AuthenticationError extends BillowError {
    readonly name = "AuthenticationError";
    readonly status: number;
}
/** 422. Nothing was changed, and the same request would fail again. */
export declare class ValidationError extends BillowError {
    readonly name = "ValidationError";
    readonly status: number;
    get errors(): FieldError[];
}
/** 402. A change had to be paid at once and was not; nothing was changed. At `url` the buyer can pay for it. */
export declare class PaymentError extends BillowError {
    readonly name = "PaymentError";
    readonly status: number;
    get declineCode(): string | undefined;
    get checkoutId(): string | undefined;
    get url(): string | undefined;
}
/** Any other answer that is not a success. */
export declare class ApiError extends BillowError {
    readonly name = "ApiError";
    readonly status: number;
}
/** No whole answer: a network failure or a time-out. Whether the server did what was asked is not known. */
export declare class ConnectionError extends BillowError {
    readonly name = "ConnectionError";
}
/** The status alone decides the class; a body that is missing, cut off or HTML only means that there is less to tell. */
export declare function errorFor({ status, headers }: Response, body?: string): BillowError;
export {};
