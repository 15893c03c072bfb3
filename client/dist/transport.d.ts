export type ApiKey = string | (() => string | Promise<string>);
export interface BillowOptions {
    /** A key with the scope `public`. A function is called before every attempt. */
    apiKey: ApiKey;
    /** Ends in `/public/v2`. */
    baseUrl: string;
    /** Attempts a call may take, the first one included. Default 4. */
    maxAttempts?: number | undefined;
    /** The limit of one attempt, its body included. Default 30 000. */
    timeoutMs?: number | undefined;
    /** Used instead of the global `fetch`. */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
export interface CallOptions {
    /** Ends the call at once, at any stage. The call rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /**
     * For a POST or PATCH: 1–255 printable ASCII characters. By default, each call gets a new key. All attempts of a
     * call send the same key. Reads send no key.
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
/** Sends calls, repeats them after transient failures, and stops after a refused key. */
export declare class Transport {
    #private;
    constructor({ apiKey, baseUrl, maxAttempts, timeoutMs, fetch }: BillowOptions);
    setApiKey(apiKey: ApiKey): void;
    send(call: Call): Promise<unknown>;
}
