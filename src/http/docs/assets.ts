import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file with a hash of its bytes in its path, so a browser may keep the file for good. */
export type Asset = { path: string; type: string; bytes: Buffer<ArrayBuffer> };

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

export const hashOf = (bytes: string | Buffer) => hash("sha256", bytes).slice(0, 16);

function asset(name: string, type: string, ...sources: string[]): Asset {
  const bytes = Buffer.concat(sources.map((source) => readFileSync(new URL(source, import.meta.url))));
  const [stem, ending] = name.split(".");
  return { path: `/docs/${stem}-${hashOf(bytes)}.${ending}`, type, bytes };
}

/** The colours are those of the hosted pages. */
const TOKENS = "../../web/static/tokens.css";

const made = new Map<string, Asset>();
const once = (name: string, make: () => Asset) => () => made.getOrInsertComputed(name, make);

export const ASSETS = {
  style: once("style", () =>
    asset("docs.css", STYLE, TOKENS, "static/frame.css", "static/text.css", "static/code.css"),
  ),
  script: once("script", () => asset("docs.js", SCRIPT, "static/docs.js")),
  searchScript: once("searchScript", () => asset("search.js", SCRIPT, "static/search.js")),
  /** MiniSearch as its package has the file. search.js loads it with the index. */
  searchLibrary: once("searchLibrary", () => asset("minisearch.js", SCRIPT, "dist/minisearch.js")),
  referenceStyle: once("referenceStyle", () => asset("reference.css", STYLE, "static/reference.css")),
  referenceScript: once("referenceScript", () => asset("reference.js", SCRIPT, "static/reference.js")),
  explorer: once("explorer", () => asset("explorer.js", SCRIPT, "dist/openapi-explorer.min.js")),
};

export const allAssets = (): Asset[] => Object.values(ASSETS).map((make) => make());

/** The sign of Billow in the tab of a browser, the same as on the hosted pages. */
export const ICON_PATH = "/docs/icon.svg";
export const readIcon = () => readFileSync(new URL("../../web/static/icon.svg", import.meta.url));
