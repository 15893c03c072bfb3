import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createWorkspace, type Finished, type Workspace } from "../support/command-line.ts";
import { startStory, type Story } from "../support/story.ts";

let workspace: Workspace;
let story: Story;
beforeAll(async () => {
  workspace = await createWorkspace();
  story = await startStory({});
  await billow("org", "create", "--name", "Notes", "--mode", "sandbox");
});
afterAll(async () => {
  await story.close();
  await workspace.clear();
});

/** Runs a command beside the server that has the database open. */
function billow(...args: string[]): Promise<Finished> {
  const { databaseUrl } = story.app.ctx.config;
  return workspace.run(args, { DATABASE_URL: databaseUrl!, BILLOW_SECRET: "s".repeat(32) });
}

const FILE = `benefits:
  - key: export
    type: feature
    name: Export
products:
  - key: notes
    name: Notes
    interval: month
    prices: [{ currency: eur, amount: 1200 }]
    benefits: [export]
`;

async function save(text: string): Promise<string> {
  const path = join(workspace.directory, "catalogue.yaml");
  await writeFile(path, text);
  return path;
}
const push = async (text: string, ...options: string[]) =>
  billow("catalogue", "push", await save(text), "--organization", "Notes", ...options);
const pull = async () => (await billow("catalogue", "pull", "--organization", "Notes")).stdout;

test("a file is shown, pushed, changed and pulled", async () => {
  const dry = await push(FILE, "--dry-run");
  expect(dry.stderr).toBe("");
  expect(dry.stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
    "KIND | KEY | ACTION | FIELD | OLD | NEW | SUBSCRIPTIONS",
    "benefit | export | create",
    "product | notes | create",
    "Would change: 2.",
    "",
  ]);
  expect((await pull()).trim()).toBe("products: []");
  expect((await push(FILE)).stdout).toContain("Changed: 2.");
  expect(parse(await pull())).toEqual({
    ...parse(FILE),
    benefits: [{ ...parse(FILE).benefits[0], properties: { feature: "export", value: true } }],
  });
  expect((await push(await pull(), "--dry-run")).stdout).toContain("\nNo changes.\n");
  const dearer = await push(FILE.replace("1200", "1500"));
  expect(dearer.stdout).toMatch(
    /product {2}notes +change +prices +\[\{"currency":"eur","amount":1200\}\] +\[.*1500\}\]/,
  );
  const { stdout } = await push("products: []", "--json");
  expect(JSON.parse(stdout)).toEqual({
    changes: [],
    left: [
      { kind: "benefit", key: "export" },
      { kind: "product", key: "notes" },
    ],
  });
});

test("JSON is taken too, and the schema takes both files", async () => {
  const { stdout } = await billow("catalogue", "schema");
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(stdout));
  const json = JSON.stringify(parse(FILE));
  expect(check(JSON.parse(json)), JSON.stringify(check.errors)).toBe(true);
  expect(check(parse(await pull())), JSON.stringify(check.errors)).toBe(true);
  expect(check({ products: [{ key: "notes", nam: "Notes" }] })).toBe(false);
  expect((await push(json)).code).toBe(0);
});

test.each([
  ["a value", FILE.replace("month", "moon"), /catalogue\.yaml:8: \/products\/0\/interval: /],
  ["a missing value", FILE.replace("    name: Notes\n", ""), /catalogue\.yaml:6: \/products\/0\/name: /],
  ["a fixed field", FILE.replace("month", "year"), /catalogue\.yaml:8: \/products\/0\/interval: .*can't be changed/],
  [
    "an unknown Benefit",
    FILE.replace("[export]", "[\n        export, exprt]"),
    /catalogue\.yaml:11: \/products\/0\/benefits\/1: /,
  ],
  ["the syntax", FILE.replace("[export]", "[export"), /catalogue\.yaml:11: /],
])("a fault of %s has its line", async (_, text, expected) => {
  const { code, stdout, stderr } = await push(text, "--dry-run");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(expected);
});

test("an alias without its anchor is one line", async () => {
  const { code, stderr } = await push(FILE.replace("[export]", "[*export]"));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^billow: .*catalogue\.yaml: Unresolved alias .*\n$/)]);
});

test("a file that does not exist is one line", async () => {
  const { code, stderr } = await billow("catalogue", "push", "no.yaml");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^billow: no\.yaml can't be read: .*\n$/)]);
});
