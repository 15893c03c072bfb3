export type ApiKey = string | (() => string | Promise<string>);
export interface BillowOptions {
    /** A key with the scope `public`. A function is asked again before every attempt. */
    apiKey: ApiKey;
    /** Ends in `/public/v2`. */
    baseUrl: string;
    /** Attempts a call may take, the first one included. Default 4. */
    maxAttempts?: number | undefined;
    /** For one attempt, its body included. Default 30 000. */
    timeoutMs?: number | undefined;
    /** Instead of the global `fetch`. */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
export interface CallOptions {
    /** Ends the call at once, whatever it is doing; it rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /**
     * Of a POST or PATCH: 1–255 printable ASCII characters; made up for each call when left out. All attempts of a call send the same
     * one. Reads need none and send none.
     */
    idempotencyKey?: string | undefined;
}
export interface Call extends Pick<CallOptions, "signal"> {
    method: "GET" | "POST" | "PATCH";
    /** Below the base URL. */
    path: string;
    headers: Record<string, string>;
    body: string | null;
}
/** Sends calls by the client rules: what is retried, how often, and when this client stops. */
export declare class Transport {
    #private;
    constructor({ apiKey, baseUrl, maxAttempts, timeoutMs, fetch }: BillowOptions);
    setApiKey(apiKey: ApiKey): void;
    send(call: Call): Promise<unknown>;
}
