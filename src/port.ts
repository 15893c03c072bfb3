import { createServer } from "node:net";

/** A port that is held until `release`, which is called just before the server listens on the port. */
export type ReservedPort = { port: number; release(): Promise<void> };

/**
 * Takes the port now, before any other part is started. Port 0 stands for any free port.
 * @throws the system's error, such as EADDRINUSE
 */
export function reservePort(host: string, port: number): Promise<ReservedPort> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address() as { port: number };
      resolve({ port: address.port, release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}
