import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { zip, type ZipEntry } from "./zip.ts";

const PACKAGE = fileURLToPath(new URL("../../clients/python/", import.meta.url));

/** `path`: below PUBLIC_ORIGIN. pip reads the name and the version in the last part. */
export type PythonPackage = { path: string; bytes: Uint8Array<ArrayBuffer> };

let packed: Promise<PythonPackage> | undefined;

/** The wheel that `pip wheel` would make of the package. The wheel is made once per process. */
export function pythonPackage(): Promise<PythonPackage> {
  packed ??= pack();
  return packed;
}

/** The paths that wheels have or had. */
export const WHEEL_PATHS = ["/client/python/:hash/:file{billow-.+\\.whl}"];

async function pack(): Promise<PythonPackage> {
  const [project, readme, licence] = await Promise.all(
    ["pyproject.toml", "README.md", "LICENSE"].map((name) => readFile(PACKAGE + name, "utf8")),
  );
  const version = valueOf(project!, "version");
  const names = (await readdir(`${PACKAGE}billow`)).filter((name) => /\.(py|typed)$/.test(name)).sort();
  const sources = names.map(async (name) => ({
    name: `billow/${name}`,
    bytes: await readFile(`${PACKAGE}billow/${name}`),
  }));
  const info = `billow-${version}.dist-info`;
  const entries = [
    ...(await Promise.all(sources)),
    text(`${info}/licenses/LICENSE`, licence!),
    text(`${info}/METADATA`, metadataOf(project!, readme!)),
    text(`${info}/WHEEL`, "Wheel-Version: 1.0\nGenerator: billow\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  ];
  const bytes = zip([...entries, text(`${info}/RECORD`, recordOf(entries, `${info}/RECORD`))]);
  const name = `billow-${version}-py3-none-any.whl`;
  return { path: `/client/python/${hash("sha256", bytes).slice(0, 16)}/${name}`, bytes };
}

const text = (name: string, content: string): ZipEntry => ({ name, bytes: Buffer.from(content) });

/** A text of `pyproject.toml`. */
function valueOf(project: string, name: string): string {
  const [, value] = new RegExp(`^${name} = "(.*)"$`, "m").exec(project)!;
  return value!;
}

/** The fields that the standard (Core metadata 2.4) names, with the README as the description. */
function metadataOf(project: string, readme: string): string {
  const [, dependencies] = /^dependencies = \[(.*)\]$/m.exec(project)!;
  return `Metadata-Version: 2.4
Name: ${valueOf(project, "name")}
Version: ${valueOf(project, "version")}
Summary: ${valueOf(project, "description")}
License-Expression: ${valueOf(project, "license")}
License-File: LICENSE
Requires-Python: ${valueOf(project, "requires-python")}
${[...dependencies!.matchAll(/"([^"]+)"/g)].map(([, each]) => `Requires-Dist: ${each}`).join("\n")}
Description-Content-Type: text/markdown

${readme}`;
}

/** Each file with its hash and size, and the record itself without them. */
function recordOf(entries: readonly ZipEntry[], own: string): string {
  const lines = entries.map(
    ({ name, bytes }) => `${name},sha256=${hash("sha256", bytes, "base64url")},${bytes.length}`,
  );
  return `${[...lines, `${own},,`].join("\n")}\n`;
}
