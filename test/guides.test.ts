import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../src/errors.ts";
import { caller, type Json } from "./support/app.ts";
import { createWorkspace, type Workspace } from "./support/command-line.ts";
import { commandsOf, directoryOf, examplesOf, playCommands, readDocument, startApplication } from "./support/guide.ts";
import { readSources } from "./support/source.ts";

const GUIDES = ["express", "fastify", "next", "python", "curl"].map((name) => `docs/guides/quickstart-${name}.md`);
const DOCUMENTS = ["README.md", ...GUIDES, "docs/guides/testing.md", "docs/guides/troubleshooting.md"];
const WEBHOOK_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
/** Each command is a process. */
const PATIENT = { timeout: 120_000 };
/** These commands need a program that runs. */
const NEEDS_RECEIVER = / (listen|exam|--test) /;

let workspace: Workspace;
let url: string;
let demo: { public: string; manage: string };
beforeAll(async () => {
  workspace = await createWorkspace();
  const { output } = await workspace.start(["start", "--json"]);
  url = output.url;
  demo = output.keys;
});
afterAll(() => workspace.clear());

test(
  "the recipes for tests lead through a purchase, dunning, e-mails and webhooks, in every run",
  PATIENT,
  async () => {
    const [fresh = "", variables = "", ...recipes] = commandsOf(await readDocument("docs/guides/testing.md"));
    const env = { ...process.env, LOG_LEVEL: "warn" };
    const own = variables.replace("http://127.0.0.1:4000", url);
    const runnable = recipes.map((block) => block.replace(/^.*$/gm, (line) => (NEEDS_RECEIVER.test(line) ? "" : line)));
    const blocks = runnable.filter((block) => block.trim() !== "");
    // The second sandbox has the name of the first one.
    await playCommands(["", fresh], { cwd: workspace.directory, env });
    await playCommands(["", fresh], { cwd: workspace.directory, env });
    const outputs = await playCommands([own, ...blocks], { cwd: workspace.directory, env });
    expect(outputs[0]).toContain("pro");
    const answers = outputs.filter((output) => output.startsWith("{")).map((output) => JSON.parse(output));
    expect(answers).toMatchObject([
      { status: "open" },
      { status: "completed" },
      { data: [{ status: "active" }] },
      { status: "past_due" },
      { data: [expect.objectContaining({ benefit: expect.objectContaining({ key: "seats-5" }) })] },
      { status: "canceled" },
      { data: [] },
      {
        data: expect.arrayContaining([
          expect.objectContaining({ kind: "receipt" }),
          expect.objectContaining({ kind: "payment_failed" }),
        ]),
      },
      { text: expect.stringContaining("Starter") },
    ]);
  },
);

test("the recipe for a test of one's own application passes as printed", async () => {
  const files = new Map([
    ...examplesOf(await readDocument("docs/guides/testing.md")),
    ...examplesOf(await readDocument("docs/guides/quickstart-express.md")),
  ]);
  const cwd = await directoryOf(files);
  const variables = `BILLOW_URL=${url} BILLOW_API_KEY=${demo.public} BILLOW_WEBHOOK_SECRET=${WEBHOOK_SECRET}`;
  const { base: APP_URL } = await startApplication(cwd, () => `${variables} node app.js`);
  const printed = commandsOf(await readDocument("docs/guides/testing.md")).find((block) => block.includes(" --test "))!;
  const command = printed.replace("http://127.0.0.1:4000", url).replace("blw_test_…", demo.manage);
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", command.replace("--test ", "--test --test-reporter=tap ")],
    {
      cwd,
      env: { PATH: process.env["PATH"], APP_URL },
    },
  );
  expect(stdout).toContain("# pass 1\n# fail 0\n");
});

test("the program with a catalogue makes it once, and a second run changes only the differences", async () => {
  const made = await workspace.run(["org", "create", "--name", "Notes", "--mode", "sandbox", "--json"]);
  const { keys } = JSON.parse(made.stdout) as { keys: { public: string; manage: string } };
  const files = examplesOf(await readDocument("docs/guides/own-products.md"));
  const program = files.get("catalogue.mjs")!;
  const dearer = program.replace("eur(3000)", "eur(3500)");
  const longer = program.replace("trialDays: 14", "trialDays: 30");
  const wrong = program.replace('benefits: ["export"', 'benefits: ["exprt"');
  const fields = 'key: "books", group: "books", intervalCount: 3, trialCard: "optional"';
  const grouped = program.replace('key: "notes"', fields);
  const regrouped = grouped.replace('group: "books"', 'group: "plans"');
  const others = Object.entries({ dearer, longer, wrong, grouped, regrouped });
  const cwd = await directoryOf([...files, ...others.map(([name, code]): [string, string] => [`${name}.mjs`, code])]);
  const env = { BILLOW_URL: url, BILLOW_MANAGE_KEY: keys.manage };
  const play = async (file: string) => (await promisify(execFile)(process.execPath, [file], { cwd, env })).stdout;
  const first = await play("catalogue.mjs");
  expect(first).toBe(["export", "members", "desktop", "call", "notes", "notes-team", ""].join(" create\n"));
  expect(await play("catalogue.mjs")).toBe(first.replaceAll("create", "unchanged"));
  const unchanged = first.replaceAll("create", "unchanged");
  expect(await play("dearer.mjs")).toBe(unchanged.replace("notes-team unchanged", "notes-team change prices"));
  await expect(play("wrong.mjs")).rejects.toThrow("/products/0/benefits/0: There is no Benefit with this key.");
  await expect(play("longer.mjs")).rejects.toThrow("`trialDays` can't be changed. Choose another key");
  const manage = caller(`${url}/manage/v1`, keys.manage);
  const { data } = (await manage("GET", "/products")).body;
  expect(data).toMatchObject([
    { key: "notes-team", prices: [{ amount: 3500 }], benefitIds: { length: 4 } },
    { key: "notes", trialDays: 14, prices: [{ amount: 1200 }], benefitIds: { length: 2 } },
  ]);
  const ask = caller(`${url}/public/v2`, keys.public);
  const order = { productKey: "notes-team", customer: { email: "ada@example.com", externalId: "workspace_1" } };
  const { id } = (await ask("POST", "/checkouts", order)).body;
  await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: "4242424242424242" });
  const grants = (await ask("GET", "/benefit-grants?externalCustomerId=workspace_1")).body.data as Json[];
  expect(Object.fromEntries(grants.map(({ benefit, properties }) => [benefit.key, properties]))).toMatchObject({
    export: { value: true },
    members: { value: 10 },
    desktop: { key: expect.stringMatching(/^NOTES-/), activationLimit: 3 },
    call: { note: expect.stringContaining("Choose a day") },
  });
  const books = await play("grouped.mjs");
  expect(books).toContain("\nbooks create\n");
  expect(await play("grouped.mjs")).toContain("\nbooks unchanged\n");
  await expect(play("regrouped.mjs")).rejects.toThrow("`group` can't be changed. Choose another key");
});

describe("the guides", () => {
  test("name only commands that exist, with options that exist", PATIENT, async () => {
    const texts = await Promise.all(DOCUMENTS.map(readDocument));
    const commands = texts.flatMap((text) => [...text.matchAll(/node bin\/billow\.mjs ([a-z][^`\n|]*)/g)]);
    const known = [...new Set(commands.map(([, command]) => command!.trim()))];
    expect(known.length).toBeGreaterThan(15);
    for (const command of known) {
      const { code, stderr } = await workspace.run([...command.split(" "), "--help"]);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
    }
  });

  test("quote only codes and messages that Billow has", async () => {
    const text = await readDocument("docs/guides/troubleshooting.md");
    const quoted = [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, words]) => words!);
    const codes = quoted.filter((words) => /^\w+$/.test(words));
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) expect(ERRORS).toHaveProperty(code);
    const source = readSources()
      .filter(({ path }) => /^(client\/)?src\/.*\.ts$/.test(path))
      .map(({ text: code }) => code)
      .join("\n");
    const messages = quoted.filter((words) => words.includes(" "));
    expect(messages.length).toBeGreaterThan(3);
    // The port and the host of the message come from the settings.
    const words = messages.map((message) => message.replace("4000", "${port}").replace("127.0.0.1", "${host}"));
    expect(words.filter((each) => !source.includes(each))).toEqual([]);
  });
});
