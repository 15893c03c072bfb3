import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { beginningOf } from "../outbound/beginning.ts";

/**
 * How a body goes over the wire.
 * - `whole`: at once
 * - `pieces`: `count` pieces, with a pause after each; `chunked`: without a Content-Length
 * - `parted`: two pieces, split at byte `at`, with a pause after each
 * - `cut`: half of the body, then the connection is closed
 */
export type Manner =
  | { kind: "whole" }
  | { kind: "pieces"; count: number; chunked: boolean }
  | { kind: "parted"; at: number }
  | { kind: "cut" };

/**
 * Milliseconds: the longest time until an answer, the time from which an answer is slow, and the pause between pieces
 * of a body.
 */
export type Pace = { deadline: number; slow: number; pause: number };

export type Outgoing = { headers: Readonly<Record<string, string>>; body: Buffer; manner: Manner };

/**
 * `text`: the beginning of the answer's body. `gone`: no connection was made, or no TLS session; `foreign`: the answer
 * is not HTTP.
 */
export type Answer =
  | { status: number; text: string; durationMs: number }
  | { error: "timeout" | "closed" | "gone" | "foreign"; reason: string; durationMs: number };

/** The codes of Node's parser for an answer that is not HTTP. */
const NOT_HTTP = /^HPE_(?!HEADER_OVERFLOW)/;

const MOST_READ = 2 * 1024;
/** The longest wait for the body of an answer after its status has come. */
const BODY_MILLISECONDS = 500;

/** Posts to a URL of the caller's choice, on a connection of its own. Follows no redirect and never rejects. */
export async function send(url: string, outgoing: Outgoing, { deadline, pause }: Pace): Promise<Answer> {
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const signal = AbortSignal.timeout(deadline);
  let connected = false;
  try {
    const response = await open(url, outgoing, pause, signal, () => void (connected = true));
    const answered = durationMs();
    const body = await beginningOf(response, MOST_READ, BODY_MILLISECONDS);
    const text = new TextDecoder().decode(body.subarray(0, MOST_READ));
    return { status: response.statusCode ?? 0, text, durationMs: answered };
  } catch (error) {
    const within = `within ${deadline / 1000} s`;
    if (signal.aborted && connected)
      return { error: "timeout", reason: `no answer ${within}`, durationMs: durationMs() };
    if (signal.aborted) return { error: "gone", reason: `no connection ${within}`, durationMs: durationMs() };
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
    const { code = "", message } = first as NodeJS.ErrnoException;
    if (NOT_HTTP.test(code))
      return { error: "foreign", reason: `the server there does not speak HTTP (${code})`, durationMs: durationMs() };
    return { error: connected ? "closed" : "gone", reason: code === "" ? message : code, durationMs: durationMs() };
  }
}

/** Resolves with the head of the answer. */
function open(
  url: string,
  { headers, body, manner }: Outgoing,
  pause: number,
  signal: AbortSignal,
  onConnect: () => void,
): Promise<IncomingMessage> {
  const isSecure = new URL(url).protocol === "https:";
  const { request: start } = isSecure ? https : http;
  const isChunked = manner.kind === "pieces" && manner.chunked;
  return new Promise((resolve, reject) => {
    const request = start(url, {
      method: "POST",
      agent: false,
      headers: {
        ...headers,
        ...(isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(body.length) }),
      },
      signal,
    });
    request.on("socket", (socket) => socket.once(isSecure ? "secureConnect" : "connect", onConnect));
    request.on("response", (response) => {
      response.once("close", () => request.destroy());
      resolve(response);
    });
    request.on("error", reject);
    request.on("close", () => reject(new Error("the connection was closed without an answer")));
    void write(request, body, manner, pause);
  });
}

async function write(request: ClientRequest, body: Buffer, manner: Manner, pause: number): Promise<void> {
  request.setNoDelay(true);
  if (manner.kind === "cut") {
    // The receiver has to see the first half of the body, and not only a connection that closes.
    request.write(body.subarray(0, body.length / 2), () => setTimeout(() => request.destroy(), pause));
    return;
  }
  for (const piece of piecesOf(body, manner)) {
    if (request.destroyed) return;
    request.write(piece);
    if (manner.kind !== "whole") await sleep(pause);
  }
  request.end();
}

function piecesOf(body: Buffer, manner: Manner): Buffer[] {
  if (manner.kind === "parted") return [body.subarray(0, manner.at), body.subarray(manner.at)];
  if (manner.kind !== "pieces") return [body];
  const size = Math.ceil(body.length / manner.count);
  return Array.from({ length: manner.count }, (_, n) => body.subarray(n * size, (n + 1) * size));
}
