/** The most recently used files, as many as fit into `mostBytes`. */
export class FileCache {
  readonly #mostBytes: number;
  /** In the order of their last use, the latest at the end. */
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  find(key: string): Uint8Array<ArrayBuffer> | undefined {
    const file = this.#files.get(key);
    if (!file) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  /** Adds a file, and forgets the least recently used files to make room. A file above the limit is not added. */
  add(key: string, file: Uint8Array<ArrayBuffer>): void {
    if (file.byteLength > this.#mostBytes) return;
    this.#forget(key);
    this.#files.set(key, file);
    this.#bytes += file.byteLength;
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#files.get(key)?.byteLength ?? 0;
    this.#files.delete(key);
  }
}
