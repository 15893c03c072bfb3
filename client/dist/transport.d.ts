export type ApiKey = string | (() => string | Promise<string>);
export interface TransportOptions {
    /** Attempts a call may take, the first one included. Default 4. */
    maxAttempts?: number | undefined;
    /** The limit of one attempt, its body included. Default 30 000. */
    timeoutMs?: number | undefined;
    /** Used instead of the global `fetch`. */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
/** The option that has the key, and the scope that the key needs. */
export interface KeyOption {
    name: "apiKey" | "manageKey";
    scope: "public" | "manage";
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
    method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    url: string;
    headers: Record<string, string>;
    body: string | null;
    /** Reads the value of a success. */
    read(response: Response): Promise<unknown>;
    /** Added to the message of a 403. */
    advice?: string | undefined;
}
/** Sends calls, repeats them after transient failures, and stops after a refused key. */
export declare class Transport {
    #private;
    constructor(apiKey: ApiKey | undefined, keyOption: KeyOption, { maxAttempts, timeoutMs, fetch }: TransportOptions);
    setApiKey(apiKey: ApiKey): void;
    send(call: Call): Promise<unknown>;
}
