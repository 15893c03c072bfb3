import { readdirSync, readFileSync } from "node:fs";
import { posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** One file of the project; `path` is relative to its root, with slashes. */
export type Source = { path: string; text: string };

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LEFT_OUT = /(^|\/)(node_modules|dist|test-results|\.git|\.billow|\.cache|package-lock\.json)(\/|$)/;
const TEXT = /\.(ts|mjs|json|md|sql|ya?ml|css|js|svg|example)$|(^|\/)(Dockerfile|run|\.gitignore|\.npmrc)$/;

/** Every text file that people write. Generated files are left out. */
export function readSources(): Source[] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, `${entry.parentPath}${sep}${entry.name}`).replaceAll(sep, "/"))
    .filter((path) => !LEFT_OUT.test(path) && TEXT.test(path))
    .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");

const COMMENT = String.raw`//[^\n]*|/\*[^]*?\*/`;
const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
// A regular expression begins only where a value may begin. Elsewhere a slash means division.
const BEFORE = String.raw`(?<=(?:[=(,:[!&|?{};]|=>|\breturn)\s*)`;
const EXPRESSION = String.raw`${BEFORE}/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+/[a-z]*`;
// Of a comment, a string and an expression, the one that begins first hides the others.
const SKIPPED = new RegExp(`${COMMENT}|${STRING}|${EXPRESSION}`, "g");

/** The source with blanks in place of its comments, strings and regular expressions. Templates stay. */
export function codeOf(text: string): string {
  return text.replace(SKIPPED, (match) =>
    /^["']/.test(match) ? match[0] + blank(match.slice(1, -1)) + match[0] : blank(match),
  );
}

/** The source with blanks in place of its comments alone. */
export function withoutComments(text: string): string {
  return text.replace(SKIPPED, (match) => (/^\/[/*]/.test(match) ? blank(match) : match));
}

/** The comments of a source, each as one line of text. `//` comments on consecutive lines are one comment. */
export function commentsOf(text: string): string[] {
  const found: { text: string; end: number }[] = [];
  for (const { 0: match, index } of text.matchAll(SKIPPED)) {
    if (!/^\/[/*]/.test(match)) continue;
    const words = match.replace(/^\/\*+|\*\/$|^\/\//g, "").replace(/^\s*\*/gm, "");
    const last = found.at(-1);
    if (last && match.startsWith("//") && /^\n\s*$/.test(text.slice(last.end, index))) last.text += ` ${words}`;
    else found.push({ text: words, end: 0 });
    found.at(-1)!.end = index + match.length;
  }
  return found.map((each) => each.text.replace(/\s+/g, " ").trim());
}

/** The paragraphs, items and table rows of a Markdown document, each as one line without code and link targets. */
export function proseOf(markdown: string): string[] {
  const text = markdown.replace(/^(```|~~~)[^]*?^\1/gm, "").replace(/`[^`\n]*`/g, "code");
  return text
    .replace(/\]\([^)]*\)/g, "]")
    .split(/\n\s*\n|\n\s*(?=[-*|#]|\d+\.)/)
    .map((each) => each.replace(/\s+/g, " ").trim());
}

/** The paths that a source imports or re-exports from, also dynamically. `type`: only types are imported. */
export function importsOf(text: string): { path: string; type: boolean }[] {
  const statements = /^(?:import|export)\s+(type\s)?(?:[^;"]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...withoutComments(text).matchAll(statements)].map(([, type, path, dynamic]) => ({
    path: path ?? dynamic!,
    type: type !== undefined,
  }));
}

/** The files that a source of the project imports, as paths from its root. */
export function importedBy({ path, text }: Source): string[] {
  const relatives = importsOf(text).filter((each) => /^\..*\.(ts|mjs)$/.test(each.path));
  return relatives.map((each) => posix.join(posix.dirname(path), each.path));
}

/**
 * The files that import each other in circles, one list a circle. From each file of a circle, imports lead to all
 * others and back (Tarjan's strongly connected components).
 */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const [seen, lowest, waiting]: [Map<string, number>, Map<string, number>, string[]] = [new Map(), new Map(), []];
  const circles: string[][] = [];
  function visit(path: string): void {
    seen.set(path, seen.size);
    lowest.set(path, seen.get(path)!);
    waiting.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!seen.has(next)) visit(next);
      if (waiting.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) !== seen.get(path)) return;
    const circle = waiting.splice(waiting.indexOf(path));
    if (circle.length > 1) circles.push(circle.sort());
  }
  for (const path of imports.keys()) if (!seen.has(path)) visit(path);
  return circles.sort();
}

/** The bodies of the `html` templates of a source, with each interpolation as `${}`. */
export function templatesOf(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("html`"); at !== -1; at = text.indexOf("html`", at + 1))
    found.push(readTemplate(text, at + 5).body);
  return found;
}

/** Reads from behind a template's opening backtick to its closing one. */
function readTemplate(text: string, from: number): { body: string; end: number } {
  let body = "";
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "`") return { body, end: at };
    if (text.startsWith("${", at)) {
      at = endOfInterpolation(text, at + 2);
      body += "${}";
    } else {
      body += text[at];
    }
  }
  return { body, end: text.length };
}

function endOfInterpolation(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "`") at = readTemplate(text, at + 1).end;
    else if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

/** The attributes with an unquoted value in the tags of a template. */
export function unquotedAttributes(template: string): string[] {
  const tags = template.match(/<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi) ?? [];
  return tags.flatMap((tag) => tag.replace(/"[^"]*"|'[^']*'/g, '""').match(/[\w-]+=(?!"")[^\s>]*/g) ?? []);
}

/** The targets of a Markdown document's links: URLs, paths, anchors. */
export function linksOf(markdown: string): string[] {
  const text = markdown.replace(/^(```|~~~)[^]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm)].map(
    ([, inline, reference]) => inline ?? reference!,
  );
}

/** The anchors of a Markdown document's headings, as code hosts make them. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replace(/^(```|~~~)[^]*?^\1/gm, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
  return new Set([...headings].map(([, heading]) => slug(heading!)));
}
