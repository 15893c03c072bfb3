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
export declare class BillowError extends Error {
    readonly name: string;
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
    constructor(message: string, parts: ErrorParts);
    /** The faults of the request by field. Undefined except after a 422. */
    get errors(): FieldError[] | undefined;
    /** The Checkout whose page is `url`. */
    get checkoutId(): string | undefined;
    /**
     * The page on which the buyer goes on: with the payment of a change after a 402, and with a payment that was begun
     * before a 409.
     */
    get url(): string | undefined;
}
/** 401. The client stops sending until it has another key. */
export declare class AuthenticationError extends BillowError {
    readonly name = "AuthenticationError";
    readonly status: number;
}
/** 422. The request had no effect, and the same request would fail again. */
export declare class ValidationError extends BillowError {
    readonly name = "ValidationError";
    readonly status: number;
    get errors(): FieldError[];
}
/** 402. A change that had to be paid at once was not paid and had no effect. The buyer can pay for it at `url`. */
export declare class PaymentError extends BillowError {
    readonly name = "PaymentError";
    readonly status: number;
    get declineCode(): string | undefined;
}
/** Any other answer that is not a success. */
export declare class ApiError extends BillowError {
    readonly name = "ApiError";
    readonly status: number;
}
/** No complete answer arrived: a network failure or a time-out. The server may have carried out the request. */
export declare class ConnectionError extends BillowError {
    readonly name = "ConnectionError";
}
/**
 * The status alone decides the class. If the body is missing, cut off or HTML, the error only has fewer details.
 * The message of a 401 names the server, because a key of another server looks the same. `advice`: added to the message
 * of a 403.
 */
export declare function errorFor({ status, headers }: Response, url: string, body?: string, advice?: string): BillowError;
export {};
