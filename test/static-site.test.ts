import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./support/source.ts";

let folder: string;
const pages = new Map<string, string>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "billow-site-"));
  await promisify(execFile)(process.execPath, ["scripts/docs.ts", folder], { cwd: ROOT });
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".html")) pages.set(file, readFileSync(join(folder, file), "utf8"));
});
afterAll(() => rm(folder, { recursive: true }));

const attributes = (html: string) =>
  [...html.matchAll(/ (?:href|src|spec-url|data-index|data-library)="([^"]+)"/g)].map(([, value]) =>
    value!.replaceAll("&amp;", "&"),
  );
/** Links of the texts that leave the documentation. */
const isElsewhere = (href: string) => /^https?:/.test(href);

test("the site has a page for each document, each reference and the errors", () => {
  const documents = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  const wanted = documents.map((file) => file.replace("api-guide/", "api/").replace(/(\/README)?\.md$/, ".html"));
  const others = [
    "index",
    "errors",
    "client",
    "client/python",
    "reference/public",
    "reference/management",
    "reference/licenses",
  ];
  expect([...pages.keys()].sort()).toEqual([...wanted, ...others.map((name) => `${name}.html`)].sort());
});

test("every link and every file of each page is there, with its anchor", () => {
  const dead: string[] = [];
  for (const [file, html] of pages)
    for (const href of attributes(html).filter((each) => !isElsewhere(each))) {
      const [path = "", anchor] = href.split("#");
      const target = path === "" ? file : posix.join(posix.dirname(file), path);
      const isThere = !target.startsWith("..") && existsSync(join(folder, target));
      const text = isThere && target.endsWith(".html") ? pages.get(target)! : "";
      const hasAnchor = anchor === undefined || text.includes(`id="${decodeURIComponent(anchor)}"`);
      if (href.startsWith("/") || !isThere || !hasAnchor) dead.push(`${file}: ${href}`);
    }
  expect(dead).toEqual([]);
});

test("the links of the Markdown, of llms.txt and of the search index lead to files", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const markdown = files
    .filter((file) => /\.md$|llms\.txt$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8").replaceAll(/^( *)```[^]*?^\1```/gm, "");
      return [...text.matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g)].map(([, href]) => [file, href!] as const);
    });
  const index = files.find((file) => /^search-[0-9a-f]{16}\.json$/.test(file))!;
  const sections = JSON.parse(readFileSync(join(folder, index), "utf8")) as { href: string }[];
  const found = sections.map(({ href }) => [index, href.split("#")[0]!] as const);
  const dead = [...markdown, ...found].filter(
    ([file, href]) => !isElsewhere(href) && !existsSync(join(folder, posix.dirname(file), href)),
  );
  expect(dead).toEqual([]);
});

test("each page carries a strict policy, and loads nothing from another host", () => {
  for (const [file, html] of pages) {
    const [, policy = ""] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
    expect(policy, file).toMatch(/^default-src 'none'; base-uri 'none'; .*script-src 'self'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
    expect(html).not.toMatch(/<style|<script(?! type="module" src=)| style="| on\w+="|(?:src|spec-url)="https?:/);
  }
});

test("a folder has to be named", async () => {
  const failed = promisify(execFile)(process.execPath, ["scripts/docs.ts"], { cwd: ROOT });
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: "Name the folder of the site: npm run docs -- FOLDER\n",
  });
});
