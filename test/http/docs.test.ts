import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/http/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { anchorsOf, ROOT } from "../support/source.ts";

/** The documentation as a browser sees it, by path: of every page that a link on another page leads to. */
const pages = new Map<string, { html: string; headers: Headers; status: number }>();
let app: TestApp;

const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));

async function crawl(path: string): Promise<void> {
  if (pages.has(path)) return;
  const answer = await fetch(app.url + path);
  pages.set(path, { html: await answer.text(), headers: answer.headers, status: answer.status });
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) return;
  for (const href of linksIn(pages.get(path)!.html)) {
    const { origin, pathname } = new URL(href, app.url + path);
    if (origin === app.url) await crawl(pathname);
  }
}

beforeAll(async () => {
  app = await startTestApp();
  await crawl("/docs");
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
      const { origin, pathname, hash: anchor } = new URL(href, app.url + path);
      if (origin !== app.url || anchor === "") return false;
      return !pages.get(pathname)!.html.includes(`id="${decodeURIComponent(anchor.slice(1))}"`);
    }),
  );
  expect(dead).toEqual([]);
});

test("every document of the project has a page, with its title and the anchors of code hosts", () => {
  const files = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  for (const file of [...files, "../client/README.md", "../clients/python/README.md"]) {
    const markdown = readFileSync(`${ROOT}docs/${file}`, "utf8");
    const name = file
      .replace(/\.md$/, "")
      .replace("api-guide/", "api/")
      .replace(/^\.\.\/clients?\//, "client/");
    const path = `/docs/${name}`.replace(/\/README$/, "");
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

test("a page loads only files of its server, and has neither a script nor a style in itself", () => {
  // A guide leads to the server's first page, too, which is no page of the documentation.
  for (const [path, { html, headers }] of texts().filter(([each]) => each.startsWith("/docs"))) {
    const policy = new Map(
      headers
        .get("Content-Security-Policy")!
        .split("; ")
        .map((each) => [each.split(" ")[0]!, each.slice(each.indexOf(" ") + 1)] as const),
    );
    const isReference = path.startsWith("/docs/reference/");
    const { "style-src": styles, ...others } = Object.fromEntries(policy);
    const own = { "script-src": "'self'", "img-src": "'self'", "connect-src": "'self'", "form-action": "'self'" };
    const none = { "default-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'" };
    // The templates of openapi-explorer have style attributes and two style elements.
    const attributes = isReference ? { "style-src-attr": "'unsafe-inline'" } : {};
    expect(others, path).toEqual({ ...own, ...none, ...attributes });
    expect(styles).toMatch(isReference ? /^'self'( 'sha256-[\w+/=]+'){2}$/ : /^'self'$/);
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/javascript:| style="| on\w+="|<style|<script(?! type="module" src="\.*[^:"]+"><)/);
    expect(html).not.toMatch(/(src|spec-url|action)="(https?:)?\/\/|<link [^>]*href="(https?:)?\/\//);
  }
});

test.each([
  ["/docs/guides/tesing", ["/docs/guides/testing"]],
  ["/docs/guides/tesing.md", ["/docs/guides/testing"]],
  ["/docs/guides/testing.html", ["/docs/guides/testing"]],
  ["/docs/guides/quickstart", ["/docs/guides/quickstart-express", "/docs/guides/quickstart-fastify"]],
  ["/docs/testing/", ["/docs/guides/testing"]],
  ["/docs/api/webhook", ["/docs/api/webhooks"]],
  ["/docs/operating/webhook", ["/docs/operating/webhooks"]],
  ["/docs/reference", ["/docs/reference/public", "/docs/reference/management", "/docs/reference/licenses"]],
  ["/docs/qqqqqqqqqqqq", []],
  // Not the decision "no period without access": a reader from outside looks for no decision.
  ["/docs/nope", []],
  ["/docs/decisions/0035", ["/docs/decisions/0035-no-period-without-access"]],
  [`/docs/${"x".repeat(300)}`, []],
])("%s is a 404 with the nearest pages, as a problem and as a page", async (path, near) => {
  const problem = await fetch(app.url + path);
  expect(problem.status).toBe(404);
  const { code, detail } = (await problem.json()) as { code: string; detail: string };
  expect(code).toBe("not_found");
  for (const each of near) expect(detail).toContain(`\`${each}\``);
  if (near.length === 0) expect(detail).toBe("There is no such page.");
  const page = await fetch(app.url + path, { headers: { Accept: "text/html" } });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  const html = await page.text();
  const links = linksIn(html.slice(html.indexOf("<main"))).map((href) => new URL(href, app.url + path).pathname);
  for (const each of near) expect(links).toContain(each);
  expect(links.at(-1)).toBe("/docs");
});

test("a page that may be meant is named by its title", async () => {
  const page = await fetch(`${app.url}/docs/guides/tesing`, { headers: { Accept: "text/html" } });
  expect(await page.text()).toMatch(/<li><a href="[^"]*docs\/guides\/testing">(?!\/docs)[A-Z][^<]+<\/a>/);
});

test("the guides name the server that serves them, so that a copied command reaches it", () => {
  const { origin } = new URL(app.ctx.config.publicOrigin);
  const textOf = (path: string) => pages.get(path)!.html.replaceAll(/<[^>]+>/g, "");
  expect(textOf("/docs/guides/quickstart-express")).toContain(`export BILLOW_URL=${origin} `);
  expect(textOf("/docs/guides/quickstart-curl")).toContain(`URL=${origin}`);
  for (const [path, { html }] of pages)
    if (path.startsWith("/docs/guides/") && !/\/going-live(\.md)?$/.test(path))
      expect(html, path).not.toContain("http://127.0.0.1:4000");
});

test("the files that browsers and search engines look for exist", async () => {
  const icon = await fetch(`${app.url}/favicon.ico`);
  expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
  const robots = await fetch(`${app.url}/robots.txt`);
  expect([robots.status, await robots.text()]).toEqual([200, "User-agent: *\nAllow: /docs\nDisallow: /\n"]);
});

test("a page leads to the pages before and after it in the tree", () => {
  const step = (relation: string, path: string) =>
    new RegExp(`<a rel="${relation}" [^>]*href="([^"]+)"`).exec(pages.get(path)!.html)?.[1];
  const to = (relation: string, path: string) => {
    const href = step(relation, path);
    return href && new URL(href, app.url + path).pathname;
  };
  expect([to("prev", "/docs"), to("next", "/docs")]).toEqual([undefined, "/docs/guides/quickstart-express"]);
  expect(to("next", "/docs/guides/quickstart-curl")).toBe("/docs/guides/own-products");
  expect(to("prev", "/docs/guides/receive-webhooks")).toBe("/docs/guides/testing");
  expect(to("next", "/docs/api/conventions")).toBe("/docs/api/authentication");
  // The page of a reference has a navigation of its own.
  const walked: string[] = [];
  for (let path: string | undefined = "/docs"; path !== undefined; path = to("next", path)) walked.push(path);
  const known = texts().map(([path]) => path);
  const others = known.filter((path) => path.startsWith("/docs") && !path.startsWith("/docs/reference/"));
  expect(walked.toSorted()).toEqual(others.toSorted());
});

test.each([
  ["public", 201],
  ["management", 200],
  ["licenses", 404],
])(
  "the first request of the %s reference works as it is, with a key in place of the ellipsis",
  async (name, status) => {
    const prices = [{ currency: "usd", amount: 900 }];
    if (name === "public")
      await app.manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices });
    const { html } = pages.get(`/docs/reference/${name}`)!;
    const [, shown] = /<pre tabindex="0"><code>(curl [^]*?)<\/code>/.exec(html)!;
    const key = name === "public" ? app.keys.public : app.keys.manage;
    const command = shown!
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replace("blw_test_…", key)
      .replace(app.ctx.config.publicOrigin, app.url)
      .replace(/^curl/, "curl -s -o /dev/null -w '%{http_code}'");
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    expect(Number(stdout)).toBe(status);
  },
);

test("the reference shows the three documents, the public one first, with a script that may be kept", async () => {
  const { html } = pages.get("/docs")!;
  const found = linksIn(html).filter((href) => href.startsWith("docs/reference/"));
  expect([...new Set(found)].map((href) => href.split("/").at(-1))).toEqual(["public", "management", "licenses"]);
  const [, src] = /<script type="module" src="([^"]+explorer-[^"]+)"/.exec(pages.get("/docs/reference/public")!.html)!;
  const script = await fetch(new URL(src!, `${app.url}/docs/reference/public`));
  expect(script.status).toBe(200);
  expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("Cache-Control")).toContain("immutable");
  expect((await fetch(`${app.url}/docs/explorer-0000000000000000.js`)).status).toBe(404);
});

test("the first page leads from the quickstarts to the API, to operation and at last to contributing", () => {
  const { html } = pages.get("/docs")!;
  const entries = ["Start", "Quickstart: Express", "Test your integration", "Receive webhooks", "Billow public API"];
  const found = [...entries, "Running Billow", "Decisions", "Contribute", "Add an endpoint"].map((text) =>
    html.indexOf(`>${text}<`, html.indexOf("<h1>")),
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
