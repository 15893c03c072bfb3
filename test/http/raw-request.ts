import { once } from "node:events";
import { connect } from "node:net";
import type { Json } from "../support/app.ts";

export type RawAnswer = { status: number; headers: Record<string, string>; body: Json };

function parse(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...fields] = text.slice(0, end).split("\r\n");
  const pair = (field: string) => [
    field.slice(0, field.indexOf(":")).toLowerCase(),
    field.slice(field.indexOf(":") + 1).trim(),
  ];
  const headers = Object.fromEntries(fields.map(pair));
  const body = text.slice(end + 4);
  return { status: Number(first.split(" ")[1]), headers, body: body.startsWith("{") ? JSON.parse(body) : body };
}

/**
 * Sends bytes that no HTTP client would send, and reads until the server closes. The bytes should ask for
 * `Connection: close`.
 */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return parse(Buffer.concat(chunks).toString());
}

/** A request of these lines that ends the connection. */
export function lines(...request: string[]): string {
  return `${[...request, "Connection: close"].join("\r\n")}\r\n\r\n`;
}
