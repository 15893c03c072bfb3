import type { WebhookHandlers, WebhookSecret } from "./receive.ts";
export type { WebhookHandlers, WebhookSecret };
/** The part of Express's request that the handler needs. Requests of `node:http` have the same part. */
interface NodeRequest {
    headers: Record<string, string | readonly string[] | undefined>;
    body?: unknown;
    readableDidRead: boolean;
    on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
    on(event: "end" | "error", listener: () => void): unknown;
}
interface NodeResponse {
    statusCode: number;
    setHeader(name: string, value: string): unknown;
    end(text: string): unknown;
}
/** A handler of Express 4 and 5: `app.post("/webhooks/billow", webhooks(secret, handlers))`. */
export declare function webhooks(secret: WebhookSecret, handlers: WebhookHandlers): (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void) => void;
