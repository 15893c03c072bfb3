import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { clientPackage } from "../../src/http/client-package.ts";
import { pythonPackage } from "../../src/http/python-package.ts";
import { releaseNotes } from "./notes.ts";
import { billsOfMaterials, checkLock } from "./sbom.ts";
import { serverPackage } from "./server-package.ts";
import { manifest, pack, read, ROOT, trackedFiles } from "./sources.ts";

/** The files that `docker build` needs. `.dockerignore` names folders and files, and `node_modules` is not tracked. */
function imageContext(): Promise<Buffer> {
  const left = read(".dockerignore").split("\n").filter(Boolean);
  const isLeft = (path: string) => left.some((name) => path === name || path.startsWith(`${name}/`));
  return pack(
    ROOT,
    "",
    trackedFiles().filter((path) => !isLeft(path)),
  );
}

/**
 * Writes the files of a release of the present commit: the same commit always gives the same bytes. Answers the path
 * of the server's package. @throws Error if the versions or the notes do not fit
 */
export async function buildRelease(out: string): Promise<string> {
  checkLock();
  const stem = `${manifest.name}-${manifest.version}`;
  const client = JSON.parse(read("client/package.json")) as { version: string };
  const python = await pythonPackage();
  const wheel = basename(python.path);
  if (client.version !== manifest.version) throw new Error("client/package.json is of another version.");
  if (!wheel.startsWith(`${stem}-`)) throw new Error("clients/python/pyproject.toml is of another version.");
  const work = mkdtempSync(join(tmpdir(), "billow-release-"));
  try {
    const server = `${stem}.tgz`;
    const files = new Map<string, string | Uint8Array>([
      [server, await serverPackage(join(work, "server"))],
      [`${manifest.name}-client-${manifest.version}.tgz`, (await clientPackage()).tarball],
      [wheel, python.bytes],
      [`${stem}-image.tar.gz`, await imageContext()],
      ...billsOfMaterials(work),
      [`${stem}.md`, releaseNotes()],
    ]);
    const sums = [...files].map(([name, content]) => `${hash("sha256", content)}  ${name}\n`);
    mkdirSync(out, { recursive: true });
    for (const [name, content] of files.set("SHA256SUMS", sums.join(""))) writeFileSync(join(out, name), content);
    return join(out, server);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
