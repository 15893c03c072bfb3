import { secretsOf } from "./secrets.ts";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";
import type { WebhookEvent, WebhookEventType, WebhookHeaders } from "./webhooks.ts";

/**
 * One secret, or several during a rotation. A missing or malformed secret is a warning when the handler is made, and an
 * error at each request: a build imports the handler without the secret.
 */
export type WebhookSecret = string | readonly string[] | undefined;

/**
 * One function for all events, or a function for each type that matters. The answer waits for the function. If the
 * function throws, the answer is 500, and Billow sends the event again.
 */
export type WebhookHandlers =
  | ((event: WebhookEvent) => unknown)
  | { [Type in WebhookEventType]?: (event: WebhookEvent<Type>) => unknown };

/** Warns on the console of a missing or malformed secret. A build may go on: only requests need the secret. */
export function warnOfUnusable(secret: WebhookSecret): void {
  try {
    secretsOf(secret);
  } catch (error) {
    console.warn(
      `@billow/client: ${(error as TypeError).message}. A build needs no secret, but a running application answers ` +
        "each webhook with an error until the secret is right.",
    );
  }
}

export interface Answer {
  status: 204 | 400 | 413;
  /** The code of a refusal. */
  text: string;
}

/** More than any event. The limit keeps strangers from filling the memory. */
export const MOST_BYTES = 1_048_576;

export const TOO_LARGE: Answer = { status: 413, text: "body_too_large" };
export const CUT_OFF: Answer = { status: 400, text: "body_incomplete" };

/** Verifies a request and calls the handler of its event. @throws errors of the handler, TypeError for a bad secret */
export async function receive(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: WebhookSecret,
  handlers: WebhookHandlers,
): Promise<Answer> {
  const event = await verifyWebhook(body, headers, secret ?? []).catch((error: unknown) => {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  });
  if (event instanceof WebhookVerificationError) return { status: 400, text: event.code };
  await handlerOf(handlers, event)?.(event);
  return { status: 204, text: "" };
}

function handlerOf(handlers: WebhookHandlers, { type }: WebhookEvent): ((event: WebhookEvent) => unknown) | undefined {
  if (typeof handlers === "function") return handlers;
  if (!Object.hasOwn(handlers, type)) return undefined;
  return handlers[type] as (event: WebhookEvent) => unknown;
}

/** The bytes of a request. The rest of a body that is too large is not read. */
export async function bytesOf({ body }: Request): Promise<Uint8Array | Answer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader!.read()) {
      size += read.value.length;
      if (size > MOST_BYTES) {
        await reader!.cancel();
        return TOO_LARGE;
      }
      chunks.push(read.value);
    }
  } catch {
    return CUT_OFF;
  }
  return joined(chunks);
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let position = 0;
  for (const chunk of chunks) {
    all.set(chunk, position);
    position += chunk.length;
  }
  return all;
}

/** Answers a web `Request`. */
export async function respond(
  body: Uint8Array | Answer,
  { headers }: Request,
  secret: WebhookSecret,
  handlers: WebhookHandlers,
): Promise<Response> {
  const answer = "status" in body ? body : await receive(body, headers, secret, handlers);
  return new Response(answer.text || null, { status: answer.status });
}
