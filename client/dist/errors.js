/** What a call rejects with, unless its signal was aborted or the function that gives the key failed. */
export class BillowError extends Error {
    name = "BillowError";
    /** Undefined where no answer arrived. */
    status;
    /** Stable, one a cause. Undefined where the answer had no readable body; a newer server may send codes this version does not list. */
    code;
    /** What the operator of the server looks for in the logs. */
    requestId;
    /** The parsed body. */
    problem;
    constructor(message, parts) {
        super(message, parts);
        this.status = parts.status;
        this.code = parts.problem?.code;
        this.requestId = parts.requestId;
        this.problem = parts.problem;
    }
}
/** 401. The client sends nothing more until it has another key. */
export class AuthenticationError extends BillowError {
    name = "AuthenticationError";
}
/** 422. Nothing was changed, and the same request would fail again. */
export class ValidationError extends BillowError {
    name = "ValidationError";
    get errors() {
        return this.problem?.errors ?? [];
    }
}
/** 402. A change had to be paid at once and was not; nothing was changed. At `url` the buyer can pay for it. */
export class PaymentError extends BillowError {
    name = "PaymentError";
    get declineCode() {
        return this.problem?.declineCode ?? undefined;
    }
    get checkoutId() {
        return this.problem?.checkoutId ?? undefined;
    }
    get url() {
        return this.problem?.url ?? undefined;
    }
}
/** Any other answer that is not a success. */
export class ApiError extends BillowError {
    name = "ApiError";
}
/** No whole answer: a network failure or a time-out. Whether the server did what was asked is not known. */
export class ConnectionError extends BillowError {
    name = "ConnectionError";
}
const CLASSES = {
    401: AuthenticationError,
    402: PaymentError,
    422: ValidationError,
};
/** The status alone decides the class; a body that is missing, cut off or HTML only means that there is less to tell. */
export function errorFor({ status, headers }, body = "") {
    const problem = parseProblem(body);
    const requestId = problem?.requestId ?? headers.get("request-id") ?? undefined;
    const ErrorClass = CLASSES[status] ?? ApiError;
    return new ErrorClass(problem?.detail ?? problem?.title ?? `The server answered ${status}`, { status, requestId, problem });
}
function parseProblem(body) {
    try {
        const value = JSON.parse(body);
        return typeof value === "object" && value !== null ? value : undefined;
    }
    catch {
        return undefined;
    }
}
