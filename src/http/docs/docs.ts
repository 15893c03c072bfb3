import { compressible } from "../../compression.ts";
import { storedAnswer } from "../stored-answer.ts";
import type { Surface } from "../surfaces.ts";
import { assetFiles, filesOf, FOR_GOOD, openEdition } from "./files.ts";
import { renderLlms } from "./plain.ts";
import { renderSearch, searchable } from "./search-page.ts";
import { allSections } from "./sections.ts";
import { PAGE_HEADERS, SEARCH_PATH } from "./shell.ts";
import { referencePath, type Page } from "./tree.ts";
import { answerUnknown } from "./unknown-page.ts";

type Request = { path: string; header(name: string): string | undefined; query(name: string): string | undefined };
type Handler = (c: { req: Request }) => Response | Promise<Response>;
type Get = (path: string, handler: Handler) => void;

/** Answers a path below `/docs` that has no page. `isBrowser`: with a page, else with a problem. @throws AppError */
type Unknown = (path: string, isBrowser: boolean) => Response;

/** The answer in the coding of the browser. `make` runs at the first request. */
function compressed(headers: Readonly<Record<string, string>>, make: () => Promise<string | Buffer>): Handler {
  let file: Promise<ReturnType<typeof compressible>> | undefined;
  return async ({ req }) => {
    const encode = await (file ??= make().then(compressible));
    const { body, headers: coding } = await encode(req.header("Accept-Encoding"));
    return new Response(body, { headers: { ...headers, ...coding } });
  };
}

/** Lets the server answer other requests. */
const rest = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Declares the documentation below `/docs`: every document of `docs/`, the references, the search and their files. */
export function offerDocs(get: Get, surfaces: readonly Surface[], publicOrigin: string): Unknown {
  const edition = openEdition(surfaces, publicOrigin, false);
  for (const { path, headers, make } of filesOf(edition)) get(path, storedAnswer(headers, make));
  for (const { path, headers, make } of assetFiles())
    get(
      path,
      compressed(headers, async () => make()),
    );
  get(
    "/llms.txt",
    storedAnswer({ "Content-Type": "text/plain; charset=utf-8" }, () => renderLlms(edition, "/llms.txt")),
  );
  let sections: ReturnType<typeof allSections> | undefined;
  const index = () => (sections ??= allSections(edition, rest));
  get(
    edition.searchPath,
    compressed({ "Content-Type": "application/json", ...FOR_GOOD }, async () => JSON.stringify(await index())),
  );
  let lower: Promise<ReturnType<typeof searchable>> | undefined;
  get(SEARCH_PATH, async ({ req }) => {
    const found = await (lower ??= index().then(searchable));
    return new Response(renderSearch(edition, found, req.query("q") ?? ""), { headers: PAGE_HEADERS });
  });
  const references = surfaces.map((surface): Page => ({ path: referencePath(surface), title: surface.title }));
  const pages = new Map(
    [...edition.tree.flatMap((group) => group.pages), ...references].map((page) => [page.path, page.title]),
  );
  return (path, isBrowser) => answerUnknown(edition, path, pages, isBrowser);
}
