import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readExport } from "../../src/archive/export-file.ts";
import type { ExportManifest } from "../../src/archive/export-manifest.ts";
import type { Json } from "./app.ts";

/** An export in memory. `lines`: the objects of a file, by its name without the ending. */
export type OpenExport = { manifest: ExportManifest; files: Map<string, Buffer>; lines(name: string): Json[] };

/** Reads an export as its reader does, with all checks of sizes and checksums. */
export async function openExport(file: string): Promise<OpenExport> {
  const files = new Map<string, Buffer>();
  const manifest = await readExport(createReadStream(file), async (path, body) => {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    files.set(path, Buffer.concat(chunks));
  });
  const lines = (name: string) => {
    const text = files.get(`${name}.jsonl`)!.toString();
    return text === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
  };
  return { manifest, files, lines };
}

/** Reads an export with all checks, and keeps its manifest alone. */
export function readManifest(file: string): Promise<ExportManifest> {
  return readExport(createReadStream(file), async (_path, body) => {
    for await (const _chunk of body);
  });
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
