import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../src/errors.ts";
import { createPlace, type Place } from "./support/command-line.ts";
import { commandsOf, directoryOf, examplesOf, playCommands, readDocument } from "./support/guide.ts";
import { readSources } from "./support/source.ts";

const GUIDES = ["express", "next", "python", "curl"].map((name) => `docs/guides/quickstart-${name}.md`);
const DOCUMENTS = ["README.md", ...GUIDES, "docs/guides/testing.md", "docs/guides/troubleshooting.md"];
/** These commands need a program at the URL. */
const NEEDS_RECEIVER = / (listen|exam) /;

let place: Place;
let url: string;
let demo: { public: string; manage: string };
beforeAll(async () => {
  place = await createPlace();
  const { output } = await place.start(["start", "--json"]);
  url = output.url;
  demo = output.keys;
});
afterAll(() => place.clear());

test("the recipes for tests lead through a purchase, dunning, e-mails and webhooks", async () => {
  const [fresh = "", variables = "", ...recipes] = commandsOf(await readDocument("docs/guides/testing.md"));
  const env = { ...process.env, LOG_LEVEL: "warn" };
  const [made = "", seeded] = await playCommands(["", fresh], { cwd: place.directory, env });
  expect(seeded).toContain("pro");
  const { keys } = JSON.parse(made) as { keys: { public: string; manage: string } };
  const own = variables
    .replace("http://127.0.0.1:4000", url)
    .replace(/blw_test_…(?='.*"public")/, keys.public)
    .replace(/blw_test_…(?='.*"manage")/, keys.manage);
  const runnable = recipes.map((block) => block.replace(/^.*$/gm, (line) => (NEEDS_RECEIVER.test(line) ? "" : line)));
  const outputs = await playCommands([own, ...runnable.filter((block) => block.trim() !== "")], {
    cwd: place.directory,
    env,
  });
  const answers = outputs.filter((output) => output.startsWith("{")).map((output) => JSON.parse(output));
  expect(answers).toMatchObject([
    { status: "open" },
    { status: "completed" },
    { data: [{ status: "active" }] },
    { status: "past_due" },
    { status: "canceled" },
    {
      data: expect.arrayContaining([
        expect.objectContaining({ kind: "receipt" }),
        expect.objectContaining({ kind: "payment_failed" }),
      ]),
    },
  ]);
});

test("the recipe for a test with the client passes as printed", async () => {
  const cwd = await directoryOf(examplesOf(await readDocument("docs/guides/testing.md")));
  const keys = { BILLOW_URL: url, BILLOW_API_KEY: demo.public, BILLOW_MANAGE_KEY: demo.manage };
  const { stdout } = await promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap"], { cwd, env: keys });
  expect(stdout).toContain("# pass 1\n# fail 0\n");
});

describe("the guides", () => {
  test("name only commands that exist, with options that exist", async () => {
    const texts = await Promise.all(DOCUMENTS.map(readDocument));
    const commands = texts.flatMap((text) => [...text.matchAll(/npm run -s billow -- ([a-z][^`\n|]*)/g)]);
    const known = [...new Set(commands.map(([, command]) => command!.trim()))];
    expect(known.length).toBeGreaterThan(15);
    for (const command of known) {
      const { code, stderr } = await place.run([...command.split(" "), "--help"]);
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
      .filter(({ path }) => path.startsWith("src/") && path.endsWith(".ts"))
      .map(({ text: code }) => code)
      .join("\n");
    const messages = quoted.filter((words) => words.includes(" "));
    expect(messages.length).toBeGreaterThan(3);
    // The port and the host of the message come from the settings.
    const words = messages.map((message) => message.replace("4000", "${port}").replace("127.0.0.1", "${host}"));
    expect(words.filter((each) => !source.includes(each))).toEqual([]);
  });
});
