import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { caller, type TestCall } from "./support/app.ts";
import { createPlace, type Place } from "./support/command-line.ts";
import { ROOT } from "./support/source.ts";

const run = promisify(execFile);
type Lock = { packages: Record<string, { resolved: string; integrity: string }> };

/** Follows the README's own words with a Billow that was started for the first time. */
describe("the README", () => {
  let place: Place;
  let readme: string;
  let url: string;
  let manage: TestCall;
  let api: TestCall;
  let publicKey: string;

  beforeAll(async () => {
    readme = await readFile(join(ROOT, "README.md"), "utf8");
    place = await createPlace();
    const { output } = await place.start(["start", "--json"]);
    url = output.url;
    publicKey = output.keys.public;
    api = caller(`${url}/public/v2`, output.keys.public);
    manage = caller(`${url}/manage/v1`, output.keys.manage);
  });
  afterAll(() => place.clear());

  const pay = (checkoutId: string) =>
    manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: "4242424242424242", email: "ada@example.com" });

  it("leads through sale, change and a year by the requests it names", async () => {
    const body = (text: string) => {
      expect(readme).toContain(text);
      return JSON.parse(text) as object;
    };
    const checkout = (await api("POST", "/checkouts", body('{"productKey": "pro"}'))).body;
    const { subscriptionId, customerId } = (await pay(checkout.id)).body;
    const subscription = `/subscriptions/${subscriptionId}`;
    expect((await api("GET", subscription)).body).toMatchObject({ status: "active" });
    expect((await api("GET", `/benefit-grants?customerId=${customerId}`)).body.data).not.toHaveLength(0);
    expect((await api("PATCH", subscription, body('{"productKey": "pro-yearly"}'))).body).toMatchObject({
      interval: "year",
    });
    expect((await api("PATCH", subscription, body('{"cancelAtPeriodEnd": true}'))).body.cancelAt).not.toBeNull();
    expect((await api("PATCH", subscription, body('{"cancelAtPeriodEnd": false}'))).body.cancelAt).toBeNull();
    expect((await manage("POST", "/sandbox/clock/advance", body('{"by": "P1Y"}'))).body.done).toBeGreaterThan(0);
    const invoices = (await manage("GET", `/invoices?subscriptionId=${subscriptionId}`)).body.data;
    expect(invoices.map((invoice: { reason: string; status: string }) => [invoice.reason, invoice.status])).toEqual([
      ["renewal", "paid"],
      ["product_change", "paid"],
      ["checkout", "paid"],
    ]);
    const events = (await manage("GET", `/events?resourceId=${subscriptionId}`)).body.data;
    expect(events.at(-1)).toMatchObject({ type: "subscription.renewed" });
  });

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

  it("has an example of the client that runs", { timeout: 120_000 }, async () => {
    const directory = await install();
    await writeFile(join(directory, "buy.mjs"), example("client"));
    const environment = { PATH: process.env["PATH"], BILLOW_URL: url, BILLOW_API_KEY: publicKey };
    const child = spawn(process.execPath, ["buy.mjs"], {
      cwd: directory,
      env: environment,
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
    expect(output).toMatch(/bought: [^]*upgraded: 3000 usd [^]*would end: [^]*goes on: active/);
    expect(code).toBe(0);
  });
});
