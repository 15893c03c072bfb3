import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy in front of a server. The proxy can stop all data silently, like a firewall that forgets its connections. */
export type BlackHole = {
  port: number;
  /** Stops the data in both directions. Connections stay open, and new ones can be made. */
  cut(): void;
  /** Stops the data after the next request with this text: the request arrives, but its answer does not. */
  cutAfter(text: string): void;
  /** Passes on the waiting data and all new data. */
  heal(): void;
  close(): Promise<void>;
};

/** `host` is a name, an address, or the directory of PostgreSQL's unix socket. */
export async function openBlackHole({ host, port }: { host: string; port: number }): Promise<BlackHole> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let last: string | null = null;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.pause();
  };
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      if (!isCut) to.destroy();
    });
    from.pipe(to);
    if (isCut) from.pause();
  };
  const server = createServer((near) => {
    const far = host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port });
    near.on("data", (chunk: Buffer) => {
      if (last === null || !chunk.includes(last)) return;
      last = null;
      cut();
    });
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    cutAfter: (text) => void (last = text),
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
