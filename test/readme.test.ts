import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { caller, type TestCall } from "./support/app.ts";
import { createWorkspace, type Workspace } from "./support/command-line.ts";
import { commandsOf } from "./support/guide.ts";
import { ROOT } from "./support/source.ts";

const run = promisify(execFile);
type Lock = { packages: Record<string, { resolved: string; integrity: string }> };

/** Follows the README's own words with a Billow that was started for the first time. */
describe("the README", () => {
  let workspace: Workspace;
  let readme: string;
  let url: string;
  let manage: TestCall;
  let keys: { public: string; manage: string };

  beforeAll(async () => {
    readme = await readFile(join(ROOT, "README.md"), "utf8");
    workspace = await createWorkspace();
    const { output } = await workspace.start(["start", "--json"]);
    url = output.url;
    keys = output.keys;
    manage = caller(`${url}/manage/v1`, keys.manage);
  });
  afterAll(() => workspace.clear());

  const pay = (checkoutId: string) =>
    manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: "4242424242424242" });

  const example = (name: string) =>
    new RegExp(`<!-- example: ${name} -->\\n+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(readme)![1]!;

  /** Runs the README's command to install in a new folder. */
  async function install(): Promise<string> {
    const cwd = await mkdtemp(join(tmpdir(), "billow-readme-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, "package.json"), "{}");
    const command = example("install").replace("http://127.0.0.1:4000", url);
    await run("sh", ["-c", command], { cwd, env: { ...process.env, npm_config_audit: "false" } });
    return cwd;
  }

  it(
    "has a command to install that a lock file can repeat, until the client changes",
    { timeout: 120_000 },
    async () => {
      const cwd = await install();
      const lock = JSON.parse(await readFile(join(cwd, "package-lock.json"), "utf8")) as Lock;
      const { resolved, integrity } = lock.packages["node_modules/@billow/client"]!;
      expect(resolved).toMatch(new RegExp(`^${url}/client/billow-.+-[0-9a-f]{16}\\.tgz$`));
      expect(integrity).toMatch(/^sha512-/);
      await run("npm", ["ci", `--cache=${join(cwd, "cache")}`], { cwd });
      expect(await readdir(join(cwd, "node_modules/@billow/client"))).toContain("dist");

      const old = resolved.replace(/[0-9a-f]{16}/, "0".repeat(16));
      const refused = run("npm", ["install", old, `--cache=${join(cwd, "cache")}`], { cwd });
      await expect(refused).rejects.toMatchObject({
        stderr: expect.stringContaining(
          `410 Gone - GET ${old} - This server has another client. Run: npm install ${resolved}`,
        ),
      });
    },
  );

  it("has a command to install that fails, and changes no file, if no server answers", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "billow-readme-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, "package.json"), "{}");
    const command = example("install").replace("http://127.0.0.1:4000", "http://127.0.0.1:1");
    await expect(run("sh", ["-c", command], { cwd })).rejects.toMatchObject({
      code: 7,
      stderr: expect.stringContaining("curl: (7)"),
    });
    expect(await readdir(cwd)).toEqual(["package.json"]);
  });

  it("sells one's own product in ten lines, in each run", { timeout: 540_000 }, async () => {
    const cwd = await install();
    const program = example("sell");
    const fromBenefit = program.slice(program.indexOf("if (")).trimEnd();
    expect(fromBenefit.split("\n").length).toBeLessThanOrEqual(10);
    await writeFile(join(cwd, "sell.mjs"), program);
    await sell(cwd);
    await sell(cwd);
  });

  /** Runs the program by the README's command, and pays. */
  async function sell(cwd: string): Promise<void> {
    const { public: apiKey, manage: manageKey } = keys;
    const [printed] = commandsOf(readme).filter((block) => block.includes("node sell.mjs"));
    const command = printed!.replace("blw_test_…", apiKey).replace("blw_test_…", manageKey);
    const child = spawn("sh", ["-c", command], {
      cwd,
      env: { PATH: process.env["PATH"], BILLOW_URL: url },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    let paid: Promise<unknown> | null = null;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const id = /chk_\w{26}/.exec(output)?.[0];
      if (id && !paid) paid = pay(id);
    });
    const [code] = await once(child, "close");
    expect(output).toMatch(/^Pay here: \S+\/checkout\/\S+\nThe gate is open\.\n$/);
    expect(code).toBe(0);
  }
});
