import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./app.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: Json };
/** A status, with headers if need be; `hang`: no answer at all; `break`: the connection is closed instead. */
export type Reaction = number | { status: number; headers: Record<string, string> } | "hang" | "break";

/** Somebody who integrates Billow: keeps what comes, and answers as it is told. */
export type Receiver = {
  url: string;
  received: Received[];
  /** What it answers from now on, by what came; later, if it is a promise. */
  react: (request: Received) => Reaction | Promise<Reaction>;
  /** `type` and `sequence` of what came, in order. */
  story(): string[];
  /** As if it were killed: connections break, and nobody listens until it is `up` again. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: "",
    received: [],
    react: () => 200,
    story: () => receiver.received.map(({ body }) => `${body.type} ${body.sequence}`),
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    up: () => new Promise((resolve) => server.listen(Number(new URL(receiver.url).port), "127.0.0.1", resolve)),
    close: () => receiver.down(),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // It broke off: whoever sent it was killed, or this is.
    }
    const text = Buffer.concat(chunks).toString();
    const came = { path: request.url!, headers: request.headers, text, body: JSON.parse(text) };
    receiver.received.push(came);
    const reaction = await receiver.react(came);
    if (reaction === "hang") return;
    if (reaction === "break") return void request.socket.destroy();
    const { status, headers } = typeof reaction === "number" ? { status: reaction, headers: {} } : reaction;
    response.writeHead(status, headers).end(`answered ${status}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
