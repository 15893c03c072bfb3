import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS, parseCommand, type Command } from "../../src/cli/command.ts";
import { formOf, nameOf } from "../../src/cli/help.ts";
import { loadCommands } from "../../src/command-line.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";

const commands = await loadCommands();
const named = commands.map((command) => [nameOf(command), command] as const);
let workspace: Workspace;

beforeAll(async () => {
  workspace = await createWorkspace();
});
afterAll(() => workspace.clear());

/** The arguments of the example, without the name of the command and without the files of the shell. */
const exampleOf = ({ example }: Command, name: string) =>
  example
    .slice(name.length)
    .replaceAll(/ [<>] \S+/g, "")
    .split(" ")
    .filter((word) => word !== "");

describe("every command", () => {
  test.each(named)("%s names its options in the usage, and describes each", (_, { usage, options }) => {
    const inUsage = [...usage.matchAll(/--([a-z-]+)/g)].map(([, option]) => option);
    expect(inUsage.sort()).toEqual(Object.keys(options).sort());
    for (const [name, option] of Object.entries(options)) {
      expect(usage).toContain(formOf(name, option));
      expect(option.says).toMatch(/^\S.{9,}[^.]$/);
    }
  });

  test.each(named)("%s has an example that is a right call", (name, command) => {
    expect(command.example).toMatch(new RegExp(`^${name}( |$)`));
    expect(() => parseCommand(command, exampleOf(command, name))).not.toThrow();
  });

  test.each(named)("%s --help has the usage, options, an example and exit codes", async (name, command) => {
    const { code, stdout, stderr } = await workspace.run([...name.split(" "), "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.startsWith(`node bin/billow.mjs ${command.usage} [--json]\n    `)).toBe(true);
    for (const part of [...Object.keys(command.options).map((option) => `\n--${option}`), "\n--json", "\n--help"])
      expect(stdout).toContain(part);
    expect(stdout).toContain(`\nExample: node bin/billow.mjs ${command.example}\n`);
    expect(stdout).toMatch(/\nExit codes: 0: .+\n(?: +.+\n)* +1: .+\n(?: +.+\n)* +2: .+\n/);
    expect(stdout.split("\n").filter((line) => line.length > 120 && !line.includes("bin/billow.mjs"))).toEqual([]);
    expect(await workspace.run(["help", ...name.split(" ")])).toEqual({ code: 0, stdout, stderr: "" });
  });
});

describe("the list of commands", () => {
  test("has each command once, in a group", async () => {
    const { code, stdout } = await workspace.run(["--help"]);
    expect(code).toBe(0);
    const blocks = stdout.split("\n\n").slice(1, -1);
    expect(blocks.map((block) => block.split("\n")[0])).toEqual([...GROUPS]);
    const listed = [...stdout.matchAll(/^  (\S+(?: \S+)*?)  +\S/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(named.map(([name]) => name).sort());
  });

  test("is printed without a command, too, as a wrong call", async () => {
    const { stdout } = await workspace.run(["--help"]);
    expect(await workspace.run([])).toEqual({ code: 2, stdout, stderr: "" });
    expect(await workspace.run(["help"])).toEqual({ code: 0, stdout, stderr: "" });
    expect(await workspace.run(["-h"])).toEqual({ code: 0, stdout, stderr: "" });
  });

  test.each<[string[], string[]]>([
    [
      ["keys", "--help"],
      ["keys create", "keys list", "keys rotate", "keys revoke"],
    ],
    [
      ["help", "import", "stripe"],
      ["import stripe assess", "import stripe undo"],
    ],
    [
      ["import", "-h"],
      ["import csv", "import csv template", "import stripe cut-over"],
    ],
  ])("billow %j lists the commands of these words", async (args, expected) => {
    const { code, stdout, stderr } = await workspace.run(args);
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of expected) expect(`\n${stdout}`).toContain(`\n  ${name} `);
    expect(stdout).not.toContain("\n  start ");
  });

  test("refuses the help of a command that does not exist", async () => {
    expect(await workspace.run(["help", "strat"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining('There is no command "strat". Did you mean `start`?'),
    });
  });
});
