import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "./support/source.ts";
import { startStory } from "./support/story.ts";

const run = promisify(execFile);
const HOST = "https://billing.example.com";

/** The code of the client's README by the name of its example. Blocks of one name continue each other. */
let examples: Map<string, string>;
let readme: string;

beforeAll(async () => {
  readme = await readFile(join(ROOT, "client/README.md"), "utf8");
  const blocks = [...readme.matchAll(/<!-- example: (\w+) -->\n+```ts\n([^]*?)```/g)];
  const groups = Object.groupBy(blocks, ([, name]) => name!);
  examples = new Map(
    Object.entries(groups).map(([name, group = []]) => [name, group.map(([, , code]) => code).join("\n")]),
  );
});

async function directoryOf(files: Iterable<[name: string, text: string]>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "billow-client-readme-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  for (const [name, text] of files) await writeFile(join(directory, name), text);
  return directory;
}

describe("the client's README", () => {
  test("has no code that is not an example", () => {
    expect([...examples.keys()]).toEqual(["app", "express", "other"]);
    const fences = [...readme.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    const named = [...readme.matchAll(/^<!-- example: /gm)];
    expect(fences.filter((language) => language !== "sh")).toHaveLength(named.length);
  });

  test("has the README's command to install", async () => {
    const other = await readFile(join(ROOT, "README.md"), "utf8");
    const [, command] = /(url=\$\(curl .*\) && npm install "\$url")/.exec(readme)!;
    expect(other).toContain(command!.replace(HOST, "http://127.0.0.1:4000"));
  });

  test("has examples that TypeScript accepts", async () => {
    const cwd = await directoryOf([...examples].map(([name, code]) => [`${name}.ts`, code]));
    const options = [
      "--strict",
      "--noEmit",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node",
    ];
    const files = [...examples.keys()].map((name) => `${name}.ts`);
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const complaints = await run(process.execPath, [compiler, ...options, ...files], { cwd }).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(complaints).toBe("");
  });

  test("has an example of an application that runs", async () => {
    const story = await startStory({ clock: "2026-01-31T00:00:00Z" });
    onTestFinished(() => story.close());
    const { app, ok } = story;
    const make = (path: string, body: object) => ok(app.manage("POST", path, body));
    const sso = await make("/benefits", { key: "sso", name: "SSO", type: "feature" });
    const seats = await make("/benefits", { key: "seats", name: "Seats", type: "feature", properties: { value: 50 } });
    for (const [key, amount] of [
      ["team", 5000],
      ["business", 20_000],
    ] as const) {
      const prices = [{ currency: "usd", amount }];
      await make("/products", {
        key,
        name: key,
        interval: "month",
        prices,
        group: null,
        benefitIds: [sso.id, seats.id],
      });
    }
    const customer = { email: "ada@example.com", externalId: "workspace_1" };
    const bought = await ok(app.api("POST", "/checkouts", { productKey: "team", customer }));
    await make(`/sandbox/checkouts/${bought.id}/pay`, { card: "4242424242424242" });

    const program = `${examples.get("app")!.replace(HOST, app.url)}\nconsole.log("features:", sso, seats);`;
    const cwd = await directoryOf([["app.ts", program]]);
    const env = { ...process.env, BILLOW_API_KEY: app.keys.public, BILLOW_MANAGE_KEY: app.keys.manage };
    const { stdout } = await run(process.execPath, ["app.ts"], { cwd, env });
    expect(stdout.replaceAll(app.url, HOST).trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^send the buyer to https:\/\/billing\.example\.com\/checkout\//),
      "business business [ { currency: 'usd', amount: 20000 } ]",
      "team team [ { currency: 'usd', amount: 5000 } ]",
      "business: 15000 usd now, 20000 with the next invoice",
      expect.stringMatching(/^send the buyer to https:\/\/billing\.example\.com\/portal\//),
      "features: true 50",
    ]);
    const [subscription] = (await ok(app.manage("GET", "/subscriptions"))).data;
    expect(subscription.amount).toBe(20_000);
  });
});
