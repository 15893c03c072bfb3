import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { AppError, problem, type ErrorCode } from "../errors.ts";
import { newId } from "../ids.ts";
import { STANDARD_HEADERS } from "./exchange.ts";

type ParserError = Error & { code?: string; rawPacket?: Buffer };

/**
 * In bytes. If the parser refuses a request as too long, a longer request line gives `uri_too_long`, else
 * `headers_too_large`.
 */
const LONGEST_REQUEST_LINE = 8 * 1024;

function codeOf({ code, rawPacket }: ParserError): ErrorCode {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  if (code !== "HPE_HEADER_OVERFLOW") return "malformed_request";
  const endOfLine = rawPacket?.indexOf("\n") ?? 0;
  return endOfLine === -1 || endOfLine > LONGEST_REQUEST_LINE ? "uri_too_long" : "headers_too_large";
}

function write(socket: Duplex, error: AppError, docs: string): void {
  const requestId = newId("req");
  const body = JSON.stringify(problem(error, docs, requestId));
  const headers = {
    "Request-Id": requestId,
    ...STANDARD_HEADERS,
    ...error.parts.headers,
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * Answers bytes that Node's parser refuses and that never become a request. Closes the socket without an answer if
 * another answer is on its way.
 */
export function answerBrokenRequest(error: ParserError, socket: Duplex, docs: string): void {
  const { _httpMessage: running } = socket as Duplex & { _httpMessage?: { headersSent: boolean } | null };
  if (error.code === "ECONNRESET" || !socket.writable || running?.headersSent) socket.destroy();
  else write(socket, new AppError(codeOf(error)), docs);
}

/** Refuses CONNECT, since the server offers no tunnels. */
export function refuseTunnel(socket: Duplex, docs: string): void {
  write(socket, new AppError("method_not_allowed", { headers: { Allow: "GET, HEAD, OPTIONS" } }), docs);
}
