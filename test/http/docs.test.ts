import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/http/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { anchorsOf, ROOT } from "../support/source.ts";

/** The documentation as a browser sees it, by path: of every page that a link on another page leads to. */
const pages = new Map<string, { html: string; headers: Headers; status: number }>();
let app: TestApp;

const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));

async function visit(path: string): Promise<void> {
  if (pages.has(path)) return;
  const answer = await fetch(app.url + path);
  pages.set(path, { html: await answer.text(), headers: answer.headers, status: answer.status });
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) return;
  for (const href of linksIn(pages.get(path)!.html)) {
    const { origin, pathname } = new URL(href, app.url + path);
    if (origin === app.url) await visit(pathname);
  }
}

beforeAll(async () => {
  app = await startTestApp();
  await visit("/docs");
});
afterAll(() => app.close());

const texts = () => [...pages].filter(([, { headers }]) => headers.get("Content-Type")?.startsWith("text/html"));

test("every page and every document that a page links to is there", () => {
  const missing = [...pages].filter(([, { status }]) => status !== 200).map(([path]) => path);
  expect(missing).toEqual([]);
});

test("links lead to anchors that exist", () => {
  const dead = texts().flatMap(([path, { html }]) =>
    linksIn(html).filter((href) => {
      const { origin, pathname, hash } = new URL(href, app.url + path);
      if (origin !== app.url || hash === "") return false;
      return !pages.get(pathname)!.html.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
    }),
  );
  expect(dead).toEqual([]);
});

test("every document of the project has a page, with its title and the anchors of code hosts", () => {
  const files = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  for (const file of [...files, "../client/README.md"]) {
    const markdown = readFileSync(`${ROOT}docs/${file}`, "utf8");
    const name = file.replace(/\.md$/, "").replace("api-guide/", "api/").replace("../client/README", "client");
    const path = `/docs/${name}`;
    const html = pages.get(path)?.html ?? "";
    const [heading = ""] = markdown.split("\n");
    const title = /<title>(.*) · Billow<\/title>/.exec(html)?.[1];
    expect([file, title?.replaceAll("&#39;", "'")]).toEqual([file, heading.slice(2).replaceAll("`", "")]);
    const given = [...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, anchor]) => anchor);
    expect([file, given.length > 0, [...anchorsOf(markdown)].filter((anchor) => !given.includes(anchor))]).toEqual([
      file,
      true,
      [],
    ]);
  }
});

test("a page loads nothing from another origin, and runs no script but the reference's", () => {
  for (const [path, { html, headers }] of texts()) {
    const policy = headers.get("Content-Security-Policy")!;
    expect(policy).toMatch(/^default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy.includes("unsafe-inline"), path).toBe(path.startsWith("/docs/reference/"));
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/javascript:| style="| on\w+="|(src|spec-url)="(https?:)?\/\//);
    expect(/<script/.test(html), path).toBe(path.startsWith("/docs/reference/"));
  }
});

test("the reference shows the three documents, the public one first, with a script that may be kept", async () => {
  const { html } = pages.get("/docs")!;
  const found = linksIn(html).filter((href) => href.startsWith("docs/reference/"));
  expect([...new Set(found)].map((href) => href.split("/").at(-1))).toEqual(["public", "management", "licenses"]);
  const [, src] = /<script src="([^"]+)"/.exec(pages.get("/docs/reference/public")!.html)!;
  const script = await fetch(new URL(src!, `${app.url}/docs/reference/public`));
  expect(script.status).toBe(200);
  expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("Cache-Control")).toContain("immutable");
  expect((await fetch(`${app.url}/docs/reference/0000000000000000.js`)).status).toBe(404);
});

test("the first page leads from the quickstarts to the API, to operation and at last to contributing", () => {
  const { html } = pages.get("/docs")!;
  const places = [
    "Start here",
    "Quickstart: Express",
    "Test your integration",
    "Receive webhooks",
    "Billow public API",
  ];
  const found = [...places, "Running Billow", "For contributors", "Add an endpoint", "Decisions"].map((text) =>
    html.indexOf(text, html.indexOf("<h1>")),
  );
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[0]).toBeGreaterThan(0);
});

test("the reference shows no long pattern and no backtick in its navigation", async () => {
  for (const name of ["public", "management", "licenses"]) {
    const shown = await (await fetch(`${app.url}/docs/reference/${name}.json`)).text();
    expect([...shown.matchAll(/"pattern":"([^"]{61,})"/g)].map(([, pattern]) => pattern)).toEqual([]);
    expect([...shown.matchAll(/"summary":"([^"]*`[^"]*)"/g)].map(([, summary]) => summary)).toEqual([]);
    expect(shown).toContain('"pattern":"^');
  }
});

test("the reference reads the first base path of the public API", async () => {
  const config = { ...app.ctx.config, port: 0, publicBasePaths: ["/billing/public/v2", "/public/v2"] };
  const server = await startServer({ ...app.ctx, config }, {});
  const at = `http://127.0.0.1:${server.port}`;
  const page = await (await fetch(`${at}/docs/reference/public`)).text();
  expect(page).toContain('spec-url="../../docs/reference/public.json"');
  const { servers } = (await (await fetch(`${at}/docs/reference/public.json`)).json()) as { servers: object[] };
  expect(servers[0]).toMatchObject({ url: expect.stringMatching(/\/billing\/public\/v2$/) });
  await server.close();
});
