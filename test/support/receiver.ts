import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./app.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: Json };
/** A status, maybe with headers. `hang` gives no answer, and `break` closes the connection instead. */
export type Reaction = number | { status: number; headers: Record<string, string> } | "hang" | "break";

/** The endpoint of an integrator: it keeps incoming requests and answers as a test tells it. */
export type Receiver = {
  url: string;
  received: Received[];
  /** The reaction to each request from now on. A promise delays the answer. */
  react: (request: Received) => Reaction | Promise<Reaction>;
  /** `type` and `sequence` of the received events, in order. */
  story(): string[];
  /** Acts as if it were killed: connections break, and new ones are refused until `up`. */
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
      return; // The request broke off, because its sender was killed or this server was.
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
