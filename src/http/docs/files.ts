import { openApi } from "../openapi.ts";
import type { Surface } from "../surfaces.ts";
import { allAssets, ICON_PATH, readIcon } from "./assets.ts";
import { linkFrom, openApiPath, staticLink, type Edition } from "./edition.ts";
import { openLibrary } from "./library.ts";
import { renderDocument, renderErrors, renderStart } from "./pages.ts";
import { markdownPath, plainDocument, renderLlms } from "./plain.ts";
import { readableDocument, REFERENCE_HEADERS, referenceDocumentPath, renderReference } from "./reference.ts";
import { searchPathOf } from "./sections.ts";
import { PAGE_HEADERS } from "./shell.ts";
import { ERRORS_PATH, referencePath, START, treeOf } from "./tree.ts";

/** A file of the documentation that is made at its first request. Its content does not change afterwards. */
export type File = { path: string; headers: Readonly<Record<string, string>>; make: () => string | Buffer };

const IMAGE = { "Content-Type": "image/svg+xml; charset=utf-8" };
const MARKDOWN = { "Content-Type": "text/markdown; charset=utf-8" };
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };
const JSON_TYPE = { "Content-Type": "application/json" };
/** For files with a hash in their name. */
export const FOR_GOOD = { "Cache-Control": "public, max-age=31536000, immutable" };

export function openEdition(surfaces: readonly Surface[], origin: string, isStatic: boolean): Edition {
  const openApis = surfaces.map((surface): [string, string] => [
    `api/${surface.name}.openapi.json`,
    openApiPath(surface),
  ]);
  const library = openLibrary(new Map(openApis));
  const link = isStatic ? staticLink(surfaces) : linkFrom;
  return {
    library,
    surfaces,
    tree: treeOf(library, surfaces),
    origin,
    searchPath: searchPathOf({ library }),
    isStatic,
    link,
  };
}

/** Every file of an edition but the search index and the files of `assetFiles`. */
export function filesOf(edition: Edition): File[] {
  const { library, surfaces, origin } = edition;
  const page = (path: string, make: () => string): File => ({ path, headers: PAGE_HEADERS, make });
  const llms = (path: string): File => ({ path, headers: TEXT, make: () => renderLlms(edition, path) });
  return [
    page(START, () => renderStart(edition)),
    page(ERRORS_PATH, () => renderErrors(edition)),
    ...library.documents.flatMap((entry) => [
      page(entry.path, () => renderDocument(edition, entry)),
      { path: markdownPath(entry.path), headers: MARKDOWN, make: () => plainDocument(edition, entry) },
    ]),
    ...library.images.map(({ path, file }) => ({ path, headers: IMAGE, make: () => library.read(file) })),
    ...surfaces.flatMap((surface) => [
      { path: referencePath(surface), headers: REFERENCE_HEADERS, make: () => renderReference(edition, surface) },
      {
        path: referenceDocumentPath(surface),
        headers: JSON_TYPE,
        make: () => readableDocument(openApi(surface, origin)),
      },
    ]),
    { path: ICON_PATH, headers: IMAGE, make: readIcon },
    llms("/docs/llms.txt"),
  ];
}

/** The scripts and styles, with a hash in their names. */
export const assetFiles = (): File[] =>
  allAssets().map(({ path, type, bytes }) => ({
    path,
    headers: { "Content-Type": type, ...FOR_GOOD },
    make: () => bytes,
  }));
