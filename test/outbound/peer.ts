import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";

/** A receiver's action on a whole request: it writes bytes or stays silent. */
export type Answer = (socket: Socket) => unknown;

/** A receiver of requests on a free port that answers with any bytes at all. */
export async function startPeer(answer: Answer, tls?: { key: string; cert: string }) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const receive = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    let received = "";
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      const [head, body] = received.split("\r\n\r\n");
      if (body === undefined || Buffer.byteLength(body) < Number(/content-length: (\d+)/i.exec(head!)?.[1] ?? 0))
        return;
      requests.push(received);
      received = "";
      answer(socket);
    });
  };
  const server = tls ? createTlsServer(tls, receive) : createServer(receive);
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    sockets: sockets as ReadonlySet<Socket | TLSSocket>,
    connections: () => connections,
    url: (host = "127.0.0.1", path = "/") => `${tls ? "https" : "http"}://${host}:${port}${path}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}

/** Answers with these lines as they are, then ends the connection. */
export const says =
  (...lines: string[]): Answer =>
  (socket) =>
    socket.end(lines.join("\r\n"));

/** Answers with a status, headers and a body. */
export function replies(status: number, headers: Record<string, string> = {}, body: string | Uint8Array = ""): Answer {
  const lines = Object.entries({ "Content-Length": String(Buffer.byteLength(body)), ...headers }).map((header) =>
    header.join(": "),
  );
  return (socket) => {
    socket.write([`HTTP/1.1 ${status} Status`, ...lines, "", ""].join("\r\n"));
    socket.write(body);
  };
}
