import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../src/errors.ts";
import { startTestApp, type TestApp } from "../support/app.ts";

type Section = { href: string; group: string; title: string; heading: string; text: string };

let app: TestApp;
let sections: Section[];
let index: URL;
beforeAll(async () => {
  app = await startTestApp();
  const page = await (await fetch(`${app.url}/docs/rules`)).text();
  index = new URL(/data-index="([^"]+)"/.exec(page)![1]!, `${app.url}/docs/rules`);
  sections = (await (await fetch(index)).json()) as Section[];
});
afterAll(() => app.close());

describe("the index of the search", () => {
  test("has the headings of documents, the operations of each reference, and the codes of errors", () => {
    const found = (heading: string) => sections.find((section) => section.heading.startsWith(heading));
    expect(found("On your machine")).toMatchObject({ group: "Sell", title: "Receive webhooks" });
    expect(found("Create a Checkout")?.href).toContain("reference/public#?route=post-/checkouts");
    for (const code of Object.keys(ERRORS))
      expect(sections.map(({ href }) => new URL(href, index).href)).toContain(`${app.url}/docs/errors#${code}`);
    const text = sections.map((section) => `${section.heading} ${section.text}`).join(" ");
    for (const word of ["checkout.completed", "TRUSTED_PROXIES", "billow doctor", "webhook-signature"])
      expect(text).toContain(word);
  });

  test("leads to pages and anchors that exist", async () => {
    const pages = new Map<string, string>();
    const dead: string[] = [];
    for (const { href } of sections) {
      const { pathname, hash } = new URL(href, index);
      if (!pages.has(pathname)) {
        const answer = await fetch(app.url + pathname);
        pages.set(pathname, answer.status === 200 ? await answer.text() : "");
      }
      const anchor = decodeURIComponent(hash.slice(1));
      const isThere = anchor === "" || anchor.startsWith("?route=") || pages.get(pathname)!.includes(`id="${anchor}"`);
      if (pages.get(pathname) === "" || !isThere) dead.push(href);
    }
    expect(dead).toEqual([]);
  });

  test("may be kept for good, and comes compressed", async () => {
    const { headers } = await fetch(index, { headers: { "Accept-Encoding": "gzip" } });
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("Content-Encoding")).toBe("gzip");
  });
});

describe("the page of results", () => {
  const results = async (question: string) => {
    const answer = await fetch(`${app.url}/docs/search?q=${encodeURIComponent(question)}`);
    const html = await answer.text();
    const list = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    return {
      status: answer.status,
      list,
      titles: [...list.matchAll(/<li><a href="[^"]+">([^<]+)</g)].map(([, t]) => t),
    };
  };

  test.each([
    ["refunds", "Refunds"],
    ["idempotency key", "Idempotency and conditional requests › Idempotency"],
    ["already_subscribed", "Errors › already_subscribed"],
    ["Receive Webh", "Receive webhooks"],
  ])("for “%s” begins with “%s”", async (question, first) => {
    const { status, titles } = await results(question);
    expect([status, titles[0]]).toEqual([200, first]);
  });

  test.each(["", "   ", "xyzzy", "refunds xyzzy", "x".repeat(5000)])("for “%s” has no result", async (question) => {
    const { status, titles } = await results(question);
    expect([status, titles]).toEqual([200, []]);
  });

  test("shows the question as text", async () => {
    const { list } = await results("<script>alert(1)</script> &amp;");
    expect(list).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;");
    expect(list).not.toContain("<script>");
  });
});

describe("for programs", () => {
  test("each document is Markdown, too, and its links lead to Markdown", async () => {
    const answer = await fetch(`${app.url}/docs/api/checkouts.md`);
    expect(answer.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
    const text = await answer.text();
    expect(text).toMatch(/^# Checkouts\n/);
    const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, href]) => new URL(href!, answer.url));
    expect(targets.map(({ pathname }) => pathname)).toContain("/docs/rules.md");
    for (const pathname of new Set(targets.map((target) => target.pathname)))
      expect([pathname, (await fetch(app.url + pathname)).status]).toEqual([pathname, 200]);
  });

  test.each(["/llms.txt", "/docs/llms.txt"])("%s lists every page by the convention of llmstxt.org", async (path) => {
    const answer = await fetch(app.url + path);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const text = await answer.text();
    expect(text).toMatch(/^# Billow\n\n> .+\n\n[^#]+\n\n## Start\n\n- \[/);
    expect(text).toContain("\n## Optional\n");
    const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^()\s]+)\)/gm)].map(
      ([, href]) => new URL(href!, app.url + path).pathname,
    );
    const start = await (await fetch(`${app.url}/docs/decisions`)).text();
    const linked = [...start.matchAll(/<li><a href="([^"#]+)"/g)]
      .map(([, href]) => new URL(href!, `${app.url}/docs/decisions`).pathname)
      .filter((page) => page.startsWith("/docs/") && page !== "/docs/errors" && !page.startsWith("/docs/reference/"));
    expect(linked.length).toBeGreaterThan(100);
    expect(linked.filter((page) => !listed.includes(`${page}.md`))).toEqual([]);
    expect(listed).toContain("/public/v2/openapi.json");
    for (const page of listed) expect([page, (await fetch(app.url + page)).status]).toEqual([page, 200]);
  });
});
