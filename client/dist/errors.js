/** Calls reject with this error, except after an aborted signal, a failed `apiKey` function or a wrong argument. */
export class BillowError extends Error {
    name = "BillowError";
    /** Undefined if no answer arrived. */
    status;
    /**
     * A stable code of the cause. Undefined if the answer had no readable body. A newer server may send codes that this
     * version does not list.
     */
    code;
    /** Identifies the request in the server's logs. */
    requestId;
    /** The parsed body. */
    problem;
    constructor(message, parts) {
        super(message, parts);
        this.status = parts.status;
        this.code = parts.problem?.code ?? parts.code;
        this.requestId = parts.requestId;
        this.problem = parts.problem;
    }
    /** The faults of the request by field. Undefined except after a 422. */
    get errors() {
        return this.problem?.errors;
    }
    /** The Checkout whose page is `url`. */
    get checkoutId() {
        return this.problem?.checkoutId ?? undefined;
    }
    /**
     * The page on which the buyer goes on: with the payment of a change after a 402, and with a payment that was begun
     * before a 409.
     */
    get url() {
        return this.problem?.url ?? undefined;
    }
}
/** 401. The client stops sending until it has another key. */
export class AuthenticationError extends BillowError {
    name = "AuthenticationError";
}
/** 422. The request had no effect, and the same request would fail again. */
export class ValidationError extends BillowError {
    name = "ValidationError";
    get errors() {
        return super.errors ?? [];
    }
}
/** 402. A change that had to be paid at once was not paid and had no effect. The buyer can pay for it at `url`. */
export class PaymentError extends BillowError {
    name = "PaymentError";
    get declineCode() {
        return this.problem?.declineCode ?? undefined;
    }
}
/** Any other answer that is not a success. */
export class ApiError extends BillowError {
    name = "ApiError";
}
/** No complete answer arrived: a network failure or a time-out. The server may have carried out the request. */
export class ConnectionError extends BillowError {
    name = "ConnectionError";
}
const CLASSES = {
    401: AuthenticationError,
    402: PaymentError,
    422: ValidationError,
};
/**
 * The status alone decides the class. If the body is missing, cut off or HTML, the error only has fewer details.
 * The message of a 401 names the server, because a key of another server looks the same. `advice`: added to the message
 * of a 403.
 */
export function errorFor({ status, headers }, url, body = "", advice) {
    const problem = parseProblem(body);
    const requestId = problem?.requestId ?? headers.get("request-id") ?? undefined;
    const ErrorClass = CLASSES[status] ?? ApiError;
    const message = problem ? messageOf(problem) : `The server answered ${status}`;
    const more = status === 401 ? `The key was sent to ${new URL(url).origin}.` : status === 403 ? advice : undefined;
    return new ErrorClass(more === undefined ? message : `${message} ${more}`, { status, requestId, problem });
}
/** `code: detail`, and those faults of the request whose field is not in the detail. */
function messageOf({ code, detail, title, errors }) {
    const text = detail ?? title ?? "The request failed";
    const faults = Array.isArray(errors) ? errors : [];
    const others = faults.filter(({ pointer }) => pointer !== "" && !text.includes(pointer));
    const fields = others.map(({ pointer, message }) => `${pointer}: ${message}`);
    return [code === undefined ? text : `${code}: ${text}`, ...fields].join("\n  ");
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
