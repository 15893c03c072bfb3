import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { blocksOf } from "./support/guide.ts";
import { ROOT } from "./support/source.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  "runs-on": string;
  "timeout-minutes": number;
  container: { image: string };
  permissions?: unknown;
  steps: Step[];
};
type Workflow = { on: Record<string, unknown>; permissions: Record<string, string>; jobs: Record<string, Job> };

describe("the workflow", () => {
  const text = read(".github/workflows/ci.yml");
  const workflow = parse(text) as Workflow;
  const [job] = Object.values(workflow.jobs) as [Job];

  test("calls .ci/run after the checkout, for each pull request and each push to main", () => {
    expect(workflow.on).toEqual({ push: { branches: ["main"] }, pull_request: null });
    expect(Object.keys(workflow.jobs)).toEqual(["test"]);
    expect(job.steps.map(({ uses, run }) => run ?? uses?.replace(/@.*/, ""))).toEqual(["actions/checkout", ".ci/run"]);
    expect(statSync(join(ROOT, ".ci/run")).mode & 0o111).toBe(0o111);
  });

  test("may only read the code, and knows no secret", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(job.permissions).toBeUndefined();
    expect(job.steps[0]!.with).toEqual({ "persist-credentials": false });
    expect(text).not.toMatch(/secrets\.|pull_request_target/);
  });

  test("pins each action by the hash of a commit, with its version beside it", () => {
    const actions = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
    expect(actions).toHaveLength(job.steps.filter(({ uses }) => uses).length);
    for (const line of actions) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("runs on the Debian of the image, whose PostgreSQL .ci/run installs", () => {
    const [, image] = /^FROM (\S+)-slim$/m.exec(read("Dockerfile"))!;
    expect(job.container.image).toBe(image);
    // Debian 12 is called bookworm, and has PostgreSQL 15.
    expect(image).toMatch(/-bookworm$/);
    expect(read(".ci/run")).toContain("postgresql-15");
  });
});

type Field = { type: string; id?: string; attributes: { label?: string; value?: string } };
type Form = { name: string; description: string; body: Field[] };

describe("the templates of issues", () => {
  const forms = ["bug", "proposal"];

  test("are forms with a label for each field, and no issue begins without one", () => {
    const names = readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")).sort();
    expect(names).toEqual([...forms, "config"].map((name) => `${name}.yml`).sort());
    expect(parse(read(".github/ISSUE_TEMPLATE/config.yml"))).toEqual({ blank_issues_enabled: false });
  });

  test.each(forms)("%s.yml asks for something, and each field has its own id", (name) => {
    const { name: title, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as Form;
    expect([title, description].filter(Boolean)).toHaveLength(2);
    const fields = body.filter(({ type }) => type !== "markdown");
    expect(fields.length).toBeGreaterThan(1);
    for (const { type, attributes } of fields) {
      expect(["input", "textarea"]).toContain(type);
      expect(attributes.label).toMatch(/^[A-Z]/);
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });

  test("bug.yml sends vulnerabilities to the private way of SECURITY.md", () => {
    expect(read(".github/ISSUE_TEMPLATE/bug.yml")).toContain("SECURITY.md");
    for (const path of ["SECURITY.md", "CODE_OF_CONDUCT.md"]) expect(read(path)).toContain('"Report a vulnerability"');
  });
});

describe("CONTRIBUTING.md", () => {
  const page = read("CONTRIBUTING.md");
  const commands = [...page.matchAll(/`((?:npm|npx) [^`]+)`/g)].map(([, command]) => command!);
  const printed = blocksOf(page).flatMap(({ code }) => code.trim().split("\n"));

  test("names scripts and files that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const all = [...commands, ...printed];
    expect(all.length).toBeGreaterThan(8);
    const named = all.flatMap((command) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const paths = all.flatMap((command) => command.match(/\b(src|test)\/\S+/g) ?? []);
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) expect(statSync(join(ROOT, path)).isFile() || path === "test/store").toBe(true);
  });

  test("shows a subject in the form that it asks for", () => {
    const [, most] = /at most (\d+) characters/.exec(page)!;
    const [, subject] = /such as `([^`]+)`/.exec(page)!;
    expect(subject).toMatch(/^[a-z][a-z ]*: [a-z]/);
    expect(subject!.length).toBeLessThanOrEqual(Number(most));
  });
});

test(".editorconfig agrees with the format that is checked", () => {
  const [, general] = /\n\[\*\]\n([^[]*)/.exec(read(".editorconfig"))!;
  const settings = Object.fromEntries(
    [...general!.matchAll(/^(\w+) = (\w.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  type Format = { printWidth: number; tabWidth?: number; useTabs?: boolean; endOfLine?: string };
  // The values on the right are the defaults of oxfmt.
  const { printWidth, tabWidth = 2, useTabs = false, endOfLine = "lf" } = JSON.parse(read(".oxfmtrc.json")) as Format;
  expect(settings).toEqual({
    charset: "utf-8",
    end_of_line: endOfLine,
    indent_style: useTabs ? "tab" : "space",
    indent_size: String(tabWidth),
    max_line_length: String(printWidth),
    insert_final_newline: "true",
    trim_trailing_whitespace: "true",
  });
});
