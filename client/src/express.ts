import { CUT_OFF, joined, MOST_BYTES, receive, TOO_LARGE, warnOfUnusable } from "./receive.ts";
import type { Answer, WebhookHandlers, WebhookSecret } from "./receive.ts";

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
export function webhooks(
  secret: WebhookSecret,
  handlers: WebhookHandlers,
): (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void) => void {
  warnOfUnusable(secret);
  const answer = async (request: NodeRequest, response: NodeResponse) => {
    const body = rawBody(request) ?? (await bytesOf(request));
    const isRefused = typeof body !== "string" && "status" in body;
    const { status, text } = isRefused ? body : await receive(body, request.headers, secret, handlers);
    response.statusCode = status;
    if (text !== "") response.setHeader("Content-Type", "text/plain");
    response.end(text);
  };
  // Express 4 does not wait for a promise.
  return (request, response, next) => void answer(request, response).catch(next);
}

/**
 * The body as `express.raw` or `express.text` has read it; null if the body is still to be read.
 * @throws TypeError after another parser
 */
function rawBody({ body, readableDidRead }: NodeRequest): string | Uint8Array | null {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (!readableDidRead) return null;
  throw new TypeError(
    "The body was parsed before the webhook handler, so its signature can't be checked. " +
      "Put the route of the webhooks in front of app.use(express.json())",
  );
}

/** Reads a body to its end, since a request that is not read gets no answer. */
function bytesOf(request: NodeRequest): Promise<Uint8Array | Answer> {
  return new Promise((resolve) => {
    let size = 0;
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
    });
    request.on("end", () => resolve(size > MOST_BYTES ? TOO_LARGE : joined(chunks)));
    request.on("error", () => resolve(CUT_OFF));
  });
}
