import type { IncomingMessage } from "node:http";

/** The part of a body that came before it ended, reached `most` bytes, broke off or took so many milliseconds. */
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
