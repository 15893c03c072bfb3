import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the merchant's own site. */
export type ShopRequest = { path: string; headers: IncomingHttpHeaders };

/** The site that buyers come from and go back to. */
export type Shop = { url: string; requests: ShopRequest[]; close(): Promise<void> };

export async function openShop(): Promise<Shop> {
  const requests: ShopRequest[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    if (url !== "/favicon.ico") requests.push({ path: url, headers });
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>The shop</title><h1>The shop</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
