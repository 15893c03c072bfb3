import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";

/** A file in memory, compressed. `bytes`: its size after `open`. */
export type SpooledFile = { bytes: number; open(): Readable };

/** A field of a document: a value, or a list that comes page by page. */
export type Field = readonly [name: string, value: { value: unknown } | { pages: AsyncIterable<readonly object[]> }];

/** Each field is on a line of its own, and so is each item of a list: people and programs can read the text. */
async function* textOf(fields: AsyncIterable<Field> | Iterable<Field>): AsyncGenerator<string> {
  let before = "{\n";
  for await (const [name, content] of fields) {
    yield `${before}${JSON.stringify(name)}: `;
    before = ",\n";
    if ("value" in content) yield JSON.stringify(content.value);
    else yield* listOf(content.pages);
  }
  yield "\n}\n";
}

async function* listOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((item) => JSON.stringify(item)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]" : "]";
}

/**
 * Writes one JSON object into memory, compressed: it takes a tenth of its size. The source of the fields, such as a
 * transaction, ends with the last byte. A slow reader of the file keeps only the file waiting.
 */
export async function spoolDocument(fields: AsyncIterable<Field> | Iterable<Field>): Promise<SpooledFile> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of textOf(fields)) {
      const chunk = Buffer.from(piece);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(counted, createGzip({ level: constants.Z_BEST_SPEED }), async (compressed) => {
    for await (const chunk of compressed as AsyncIterable<Buffer>) chunks.push(chunk);
  });
  return { bytes, open: () => Readable.from(chunks, { objectMode: false }).pipe(createGunzip()) };
}
