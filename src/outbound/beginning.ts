import type { IncomingMessage } from "node:http";

/** Reads a body until it ends, breaks off, reaches `most` bytes or has taken `milliseconds`. Returns the part read. */
export function beginningOf(response: IncomingMessage, most: number, milliseconds: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) response.destroy();
  });
  response.on("error", () => undefined);
  const late = setTimeout(() => response.destroy(), milliseconds);
  return new Promise((resolve) =>
    response.once("close", () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks));
    }),
  );
}
