import { readFileSync } from "node:fs";
import { compressible } from "../../compression.ts";
import { AppError } from "../../errors.ts";
import { storedAnswer } from "../stored-answer.ts";
import type { Surface } from "../surfaces.ts";
import { openLibrary, readDocument, titleOf } from "./library.ts";
import { FOLDERS, renderDocument, renderErrors, renderFolder, renderStart } from "./pages.ts";
import { explorerScript, REFERENCE_HEADERS, referencePath, renderReference } from "./reference.ts";
import { ICON_PATH, PAGE_HEADERS } from "./shell.ts";
import { answerUnknown } from "./unknown-page.ts";

type Request = { path: string; header(name: string): string | undefined };
type Handler = (c: { req: Request }) => Response | Promise<Response>;

const SCRIPT_HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=31536000, immutable",
};
/** The same sign as on the hosted pages. */
const ICON = new URL("../../web/static/icon.svg", import.meta.url);
const IMAGE_HEADERS = { "Content-Type": "image/svg+xml; charset=utf-8" };

/** Answers a path below `/docs` that has no page. `isBrowser`: with a page, else with a problem. @throws AppError */
type Unknown = (path: string, isBrowser: boolean) => Response;

/** Declares the documentation below `/docs`: the reference of each surface, and every document of `docs/`. */
export function offerDocs(
  get: (path: string, handler: Handler) => void,
  surfaces: readonly Surface[],
  publicOrigin: string,
): Unknown {
  const openApis = surfaces.map(({ name, basePaths }): [string, string] => [
    `api/${name}.openapi.json`,
    `${basePaths[0]}/openapi.json`,
  ]);
  const library = openLibrary(new Map(openApis));
  const pages = new Map(surfaces.map((surface) => [referencePath(surface), surface.title]));
  const page = (path: string, title: string, make: () => string) => {
    pages.set(path, title);
    get(path, storedAnswer(PAGE_HEADERS, make));
  };
  page("/docs", "Documentation", () => renderStart(library, surfaces));
  page("/docs/errors", "Errors", renderErrors);
  for (const each of FOLDERS) page(`/docs/${each.folder}`, each.title, () => renderFolder(library, each));
  for (const entry of library.documents)
    page(entry.path, titleOf(entry), () => renderDocument(library, entry, publicOrigin));
  for (const entry of library.images)
    get(
      entry.path,
      storedAnswer(IMAGE_HEADERS, () => readDocument(entry)),
    );
  get(
    ICON_PATH,
    storedAnswer(IMAGE_HEADERS, () => readFileSync(ICON, "utf8")),
  );
  for (const surface of surfaces)
    get(
      referencePath(surface),
      storedAnswer(REFERENCE_HEADERS, () => renderReference(surface, surfaces, publicOrigin)),
    );
  let script: ReturnType<typeof compressible> | null = null;
  get("/docs/reference/:file{[0-9a-f]+\\.js}", async ({ req }) => {
    if (req.path !== explorerScript().path) throw new AppError("not_found");
    script ??= compressible(explorerScript().bytes);
    const { body, headers } = await script(req.header("Accept-Encoding"));
    return new Response(body, { headers: { ...SCRIPT_HEADERS, ...headers } });
  });
  return (path, isBrowser) => answerUnknown(path, pages, isBrowser);
}
