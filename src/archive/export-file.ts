import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline, Readable, type Writable } from "node:stream";
import { pipeline as pipelined } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { ArchiveReader, cut, damaged, type Entry } from "./archive-reader.ts";
import { archiveEnd, entry, Meter, smallEntry, type Measured } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import type { ExportDraft } from "./export-draft.ts";
import { parseExportManifest, PDF_LIST, PDFS, type ExportManifest } from "./export-manifest.ts";
import { MANIFEST } from "./manifest.ts";

/**
 * A PDF of an export: a line of the list of PDFs. `digest`: of the words of the document and of the release that drew
 * them. The API's ETag of the PDF is the same.
 */
export type ExportedPdf = Measured & {
  path: string;
  resource: "Invoice" | "CreditNote";
  id: string;
  number: string;
  digest: string;
};

/** The file of a PDF in the draft. Other words have another name. */
export const pdfInDraft = (digest: string): string => `${PDFS}${digest}.pdf`;

const changed = (name: string) =>
  new BackupError(`${name} in the draft of the export was changed: remove the draft, and repeat the export.`);

async function* checkedEntry(
  draft: ExportDraft,
  path: string,
  { name, bytes, sha256 }: Measured & { name: string },
  mtime: Date,
): AsyncGenerator<Buffer> {
  const found = yield* entry(path, { size: bytes, mtime }, draft.read(name), () => changed(name));
  if (found.sha256 !== sha256) throw changed(name);
}

async function* contents(draft: ExportDraft, manifest: ExportManifest): AsyncGenerator<Buffer> {
  const mtime = new Date(manifest.takenAt);
  yield* smallEntry(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`, mtime);
  for (const [name, measured] of Object.entries(manifest.files))
    yield* checkedEntry(draft, name, { name, ...measured }, mtime);
  if (manifest.pdfs !== null)
    for await (const { path, digest, bytes, sha256 } of linesOfDraft<ExportedPdf>(draft, PDF_LIST))
      yield* checkedEntry(draft, path, { name: pdfInDraft(digest), bytes, sha256 }, mtime);
  yield archiveEnd();
}

/** Writes the files of a draft to `output` as a tar file with gzip, the manifest first, and ends `output`. */
export async function packExport(
  draft: ExportDraft,
  manifest: ExportManifest,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Readable.from(contents(draft, manifest), { objectMode: false });
  await pipelined(bytes, createGzip(), output, { signal });
}

/** The lines of a file of a draft, each as its object. */
export async function* linesOfDraft<Line>(draft: ExportDraft, name: string): AsyncGenerator<Line> {
  const lines = createInterface({ input: Readable.from(draft.read(name)), crlfDelay: Infinity });
  for await (const line of lines) yield JSON.parse(line) as Line;
}

/** The receiver of the files of an export, in their order. Each body must be read to its end. */
type Receiver = (path: string, body: AsyncIterable<Buffer>) => Promise<void>;

async function* unzipped(source: Readable): AsyncGenerator<Buffer> {
  const out = createGunzip();
  pipeline(source, out, () => undefined);
  try {
    yield* out as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR" || code === "ERR_STREAM_PREMATURE_CLOSE") throw cut(error);
    throw code.startsWith("Z_") ? damaged("the compressed bytes were changed", error) : error;
  }
}

async function measure(path: string, body: AsyncIterable<Buffer>, receive: Receiver): Promise<Measured> {
  const meter = new Meter();
  const metered = async function* () {
    for await (const chunk of body) {
      meter.add(chunk);
      yield chunk;
    }
  };
  await receive(path, metered());
  return meter.end();
}

const isPdf = ({ path }: Entry) => path.startsWith(PDFS) && path !== PDF_LIST;

/** Reads a whole export, and checks the size and the checksum of each file by the manifest. @throws BackupError */
export async function readExport(source: Readable, receive: Receiver): Promise<ExportManifest> {
  const archive = new ArchiveReader(unzipped(source));
  if ((await archive.next())?.path !== MANIFEST) throw damaged(`there is no ${MANIFEST}`);
  const manifest = parseExportManifest(await archive.text());
  const missing = new Map(Object.entries(manifest.files));
  const pdfs = { count: 0, bytes: 0 };
  for (let at = await archive.next(); at; at = await archive.next()) {
    const { path } = at;
    const found = await measure(path, archive.body(), receive);
    if (isPdf(at)) {
      pdfs.count += 1;
      pdfs.bytes += found.bytes;
      continue;
    }
    const stated = missing.get(path);
    if (stated?.bytes !== found.bytes || stated.sha256 !== found.sha256)
      throw damaged(`the file ${path} is not the one that was written`);
    missing.delete(path);
  }
  await archive.finish();
  const { count, bytes } = manifest.pdfs ?? { count: 0, bytes: 0 };
  if (missing.size > 0 || pdfs.count !== count || pdfs.bytes !== bytes) throw damaged("there are files missing");
  return manifest;
}

const passBy: Receiver = async (_path, body) => {
  for await (const _chunk of body);
};

/** Checks the file of an export that was just written. @throws BackupError */
export async function checkExport(file: string, signal: AbortSignal): Promise<void> {
  try {
    await readExport(createReadStream(file, { signal }), passBy);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError("The written export can't be read again: the disk may have a fault.", { cause: error });
  }
}
