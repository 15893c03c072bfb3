import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Billow } from "@billow/client";
import type { BillowOptions, ErrorCode } from "@billow/client";

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Reply = (response: ServerResponse, request: Received) => unknown;

/** A server on a free port that gives each request the next reply, and the last one again and again. */
export async function startServer(...replies: [Reply, ...Reply[]]) {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: await text(request) };
    requests.push(received);
    const reply = replies[requests.length - 1] ?? replies.at(-1);
    reply?.(response, received);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    client: (options: Partial<BillowOptions> = {}) =>
      new Billow({ apiKey: "blw_test_1", baseUrl: `${origin}/public/v2`, ...options }),
    idempotencyKeys: () => requests.map(({ headers }) => headers["idempotency-key"]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

export function problem(
  status: number,
  code: ErrorCode,
  members: object = {},
  headers: Record<string, string> = {},
): Reply {
  const type = `https://billow.test/docs/errors#${code}`;
  return json(
    status,
    { type, title: code, status, code, detail: `About ${code}.`, requestId: "req_1", ...members },
    headers,
  );
}

export const ok = json(200, { id: "found" });
export const html =
  (status: number): Reply =>
  (response) =>
    response
      .writeHead(status, { "Content-Type": "text/html", "Request-Id": "req_html" })
      .end("<h1>Something is wrong</h1>");
export const empty =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end();
export const silence: Reply = () => undefined;
export const reset: Reply = (response) => response.socket?.resetAndDestroy();
/** Starts a body of `status` that never ends. */
export const slowBody =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", "Content-Length": "1000" }).write('{"id":');
/** Starts a body of `status` and breaks off. */
export const brokenBody =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { "Content-Length": "1000" }).write('{"id":', () => response.socket?.destroy());

/** The reason for which a promise is rejected. A fulfilled promise is an error of the test. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => Promise.reject(new Error(`Not rejected, but ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
}
