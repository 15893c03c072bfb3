import { Header, Pax } from "tar";
import { padding } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";

const BLOCK = 512;
/** The most bytes of an entry that is read as a whole. */
const MOST_TEXT = 64 * 1024 * 1024;

export type Entry = { path: string; size: number; mtime: Date };

export const cut = (cause?: unknown): BackupError =>
  new BackupError("The backup ends too early: the file was cut, or its writer was stopped.", { cause });
export const damaged = (reason: string, cause?: unknown): BackupError =>
  new BackupError(`The backup is damaged: ${reason}.`, { cause });

/** Reads a tar file one entry after the other. Holds one chunk in memory. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  /** The unread bytes of the current entry, its padding included. */
  #left = 0;
  #body = 0;
  /** The entry at which the reader stands; null: before the first one, or after the last one. */
  current: Entry | null = null;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** At least one byte and at most `most` bytes. */
  async #some(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw cut();
      this.#held = value;
    }
    const taken = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async #exactly(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = size; left > 0; left -= pieces.at(-1)!.length) pieces.push(await this.#some(left));
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  /** Goes to the next entry; null: this was the last one. Skips the unread rest of the current entry. */
  async next(): Promise<Entry | null> {
    while (this.#left > 0) this.#left -= (await this.#some(this.#left)).length;
    let extended: Pax | undefined;
    for (;;) {
      const header = new Header(await this.#exactly(BLOCK), 0, extended);
      if (header.nullBlock) return (this.current = null);
      const { path, size, mtime, type } = header;
      if (!header.cksumValid || path === undefined || size === undefined) throw damaged("a header is not readable");
      if (type === "ExtendedHeader" && size < MOST_TEXT) {
        const text = (await this.#exactly(size + padding(size))).subarray(0, size).toString();
        extended = Pax.parse(text);
        continue;
      }
      if (type !== "File") throw damaged(`${JSON.stringify(path)} is not a plain file`);
      [this.#body, this.#left] = [size, size + padding(size)];
      return (this.current = { path, size, mtime: mtime ?? new Date(0) });
    }
  }

  /** The bytes of the current entry. */
  async *body(): AsyncGenerator<Buffer, void, undefined> {
    while (this.#body > 0) {
      const chunk = await this.#some(this.#body);
      this.#body -= chunk.length;
      this.#left -= chunk.length;
      yield chunk;
    }
  }

  /** The current entry as a text. */
  async text(): Promise<string> {
    if (this.#body > MOST_TEXT) throw damaged(`${JSON.stringify(this.current?.path)} is too long`);
    const chunks: Buffer[] = [];
    for await (const chunk of this.body()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /** Reads up to the end, so that the checksum of the compression is checked. */
  async finish(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
