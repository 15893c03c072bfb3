import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { AddressInfo } from "node:net";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

export type StaticHost = { url: string; close(): Promise<void> };

/** A host that knows only files: no headers but the type, below a path of its own as the pages of a code host are. */
export async function hostFolder(folder: string, base = "/project"): Promise<StaticHost> {
  const server = createServer(async ({ url = "/" }, answer) => {
    const { pathname } = new URL(url, "http://host");
    const path = decodeURIComponent(pathname.slice(base.length));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const bytes = pathname.startsWith(`${base}/`) ? await readFile(file).catch(() => null) : null;
    if (bytes === null) return answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain; charset=utf-8" }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
