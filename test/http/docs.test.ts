import { hash } from "node:crypto";
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

test("a page loads nothing from another origin, and runs only scripts that its policy names", () => {
  // A guide leads to the server's first page, too, which is no page of the documentation.
  for (const [path, { html, headers }] of texts().filter(([each]) => each.startsWith("/docs"))) {
    const policy = headers.get("Content-Security-Policy")!;
    expect(policy).toMatch(/^default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy.includes("unsafe-inline"), path).toBe(path.startsWith("/docs/reference/"));
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/javascript:| style="| on\w+="|(src|spec-url)="(https?:)?\/\//);
    const inline = [...html.matchAll(/<script(?: type="module")?>([^]*?)<\/script>/g)].map(([, text]) => text!);
    const named = inline.map((text) => `'sha256-${hash("sha256", text, "base64")}'`);
    const loaded = path.startsWith("/docs/reference/") ? ["'self'"] : [];
    expect(/script-src ([^;]+)/.exec(policy)![1], path).toBe([...loaded, ...named].join(" "));
  }
});

test.each([
  ["/docs/guides/tesing", ["/docs/guides/testing"]],
  ["/docs/guides/testing.md", ["/docs/guides/testing"]],
  ["/docs/guides/quickstart", ["/docs/guides/quickstart-curl", "/docs/guides/quickstart-express"]],
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
  expect(pages.get("/docs/guides/quickstart-express")!.html).toContain(`export BILLOW_URL=${origin} `);
  expect(pages.get("/docs/guides/quickstart-curl")!.html).toContain(`URL=${origin}`);
  for (const [path, { html }] of pages)
    if (path.startsWith("/docs/guides/") && !path.endsWith("/going-live"))
      expect(html, path).not.toContain("http://127.0.0.1:4000");
});

test("the files that browsers and search engines look for exist", async () => {
  const icon = await fetch(`${app.url}/favicon.ico`);
  expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
  const robots = await fetch(`${app.url}/robots.txt`);
  expect([robots.status, await robots.text()]).toEqual([200, "User-agent: *\nAllow: /docs\nDisallow: /\n"]);
});

test("a guide leads to the next one, and a quickstart to the guide behind the quickstarts", () => {
  const next = (path: string) => /Next page: <a href="[^"]+">([^<]+)</.exec(pages.get(path)!.html)?.[1];
  expect(next("/docs/guides/quickstart-express")).toBe("Sell your own Products");
  expect(next("/docs/guides/testing")).toBe("Receive webhooks");
  expect(next("/docs/guides/going-live")).toBeUndefined();
  expect(next("/docs/guides/add-an-endpoint")).toBeUndefined();
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
  const [, src] = /<script src="([^"]+)"/.exec(pages.get("/docs/reference/public")!.html)!;
  const script = await fetch(new URL(src!, `${app.url}/docs/reference/public`));
  expect(script.status).toBe(200);
  expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("Cache-Control")).toContain("immutable");
  expect((await fetch(`${app.url}/docs/reference/0000000000000000.js`)).status).toBe(404);
});

test("the first page leads from the quickstarts to the API, to operation and at last to contributing", () => {
  const { html } = pages.get("/docs")!;
  const entries = [
    "Start here",
    "Quickstart: Express",
    "Test your integration",
    "Receive webhooks",
    "Billow public API",
  ];
  const found = [...entries, "Running Billow", "For contributors", "Add an endpoint", "Decisions"].map((text) =>
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
