import { createHash } from "node:crypto";
import { Header, Pax } from "tar";

const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);
/** The bytes of a table in one entry. A tar file states the size of an entry before its bytes. */
const PART_BYTES = 4 * 1024 * 1024;

export type Measured = { bytes: number; sha256: string };

/** Counts and digests bytes that pass by. */
export class Meter {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** The result. Must be asked for once only. */
  end(): Measured {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** The bytes between the end of an entry and the next block. */
export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function* begin(path: string, size: number, mtime: Date): Generator<Buffer> {
  const data = { path, size, mtime, mode: 0o600, uid: 0, gid: 0, type: "File" } as const;
  const header = new Header(data);
  const block = Buffer.alloc(BLOCK);
  if (header.encode(block, 0)) yield new Pax(data).encode();
  yield block;
}

/** An entry of a few bytes. */
export function* smallEntry(path: string, text: string, mtime: Date): Generator<Buffer> {
  const body = Buffer.from(text);
  yield* begin(path, body.length, mtime);
  yield body;
  yield Buffer.alloc(padding(body.length));
}

/** An entry of `size` bytes. @throws what `wrongSize` makes, if the body has more or fewer bytes */
export async function* entry(
  path: string,
  { size, mtime }: { size: number; mtime: Date },
  body: AsyncIterable<Buffer>,
  wrongSize: () => Error,
): AsyncGenerator<Buffer, Measured, undefined> {
  yield* begin(path, size, mtime);
  const meter = new Meter();
  let left = size;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) throw wrongSize();
    meter.add(chunk);
    yield chunk;
  }
  if (left > 0) throw wrongSize();
  yield Buffer.alloc(padding(size));
  return meter.end();
}

/** A body of unknown size as entries `00000001`, `00000002` and so on. Holds one entry in memory. */
export async function* parts<Result>(
  folder: string,
  mtime: Date,
  body: AsyncGenerator<Buffer, Result, undefined>,
): AsyncGenerator<Buffer, Measured & { result: Result }, undefined> {
  const meter = new Meter();
  let [chunks, held, number] = [[] as Buffer[], 0, 0];
  function* flush(): Generator<Buffer> {
    number += 1;
    yield* begin(`${folder}${String(number).padStart(8, "0")}`, held, mtime);
    yield* chunks;
    yield Buffer.alloc(padding(held));
    [chunks, held] = [[], 0];
  }
  for (;;) {
    const { done, value } = await body.next();
    if (done) {
      if (held > 0) yield* flush();
      return { ...meter.end(), result: value };
    }
    meter.add(value);
    chunks.push(value);
    held += value.length;
    if (held >= PART_BYTES) yield* flush();
  }
}

/** The end of a tar file. */
export const archiveEnd = (): Buffer => END;
