import { crc32, deflateRawSync } from "node:zlib";

/** `name`: with `/` between folders, in ASCII. */
export type ZipEntry = { name: string; bytes: Uint8Array };

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0: deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** 1 January 1980, the first day of the format: the time of a file must not change the bytes. */
const FIRST_DAY = (1 << 5) | 1;
/** Made on Unix, so that the mode of a file counts. */
const MADE_ON_UNIX = (3 << 8) | VERSION;
const MODE = (0o100644 << 16) >>> 0;

/** The part of an entry that stands both before its content and in the directory at the end. */
function fieldsOf(entry: ZipEntry, packed: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc32(entry.bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.bytes.length, 18);
  fields.writeUInt16LE(entry.name.length, 22);
  return fields;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function endOf(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}

/** A ZIP archive. The same entries always give the same bytes. For small archives: below 4 GiB, without ZIP64. */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let start = 0;
  for (const entry of entries) {
    const [name, packed] = [Buffer.from(entry.name, "ascii"), deflateRawSync(entry.bytes, { level: 9 })];
    const fields = fieldsOf(entry, packed);
    const local = Buffer.concat([word(LOCAL), fields, name, packed]);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(MADE_ON_UNIX);
    // No comment, disk 0, no internal attributes; then the mode.
    directory.push(word(CENTRAL), made, fields, Buffer.alloc(6), word(MODE), word(start), name);
    parts.push(local);
    start += local.length;
  }
  const central = Buffer.concat(directory);
  return Uint8Array.from(Buffer.concat([...parts, central, endOf(entries.length, central.length, start)]));
}
