import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readConfig } from "../src/config.ts";
import { fileOf } from "../src/http/docs/edition.ts";
import { assetFiles, filesOf, openEdition } from "../src/http/docs/files.ts";
import { allSections } from "../src/http/docs/sections.ts";
import { openApi } from "../src/http/openapi.ts";
import { surfacesOf } from "../src/http/surfaces.ts";

/** Writes the documentation as files that any static host can serve, below any path. Answers the number of files. */
export async function writeStaticSite(folder: string): Promise<number> {
  const config = readConfig({});
  const surfaces = surfacesOf(config);
  const edition = openEdition(surfaces, config.publicOrigin, true);
  const files = [...filesOf(edition), ...assetFiles()];
  const sections = JSON.stringify(await allSections(edition, async () => undefined));
  const contents = new Map<string, string | Buffer>([
    ...files.map(({ path, make }) => [fileOf(path, surfaces), make()] as const),
    [fileOf(edition.searchPath, surfaces), sections],
    ...surfaces.map((surface): [string, string] => [
      fileOf(`${surface.basePaths[0]}/openapi.json`, surfaces),
      JSON.stringify(openApi(surface, config.publicOrigin)),
    ]),
    // GitHub Pages would leave out some files without this one.
    ["/.nojekyll", ""],
  ]);
  for (const [path, content] of contents) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return contents.size;
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("Name the folder of the site: npm run docs -- FOLDER");
    process.exitCode = 2;
  } else
    console.log(`${await writeStaticSite(folder)} files in ${folder}: ${join(folder, "index.html")} is the first page`);
}
