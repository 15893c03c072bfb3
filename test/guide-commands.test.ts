import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { caller, type Json, type TestCall } from "./support/app.ts";
import { createWorkspace, type Workspace } from "./support/command-line.ts";
import {
  blocksOf,
  commandsOf,
  directoryOf,
  examplesOf,
  playCommands,
  readDocument,
  startPrinted,
} from "./support/guide.ts";
import { ROOT } from "./support/source.ts";
import { until } from "./support/until.ts";

/** The commands of the guides that no other test runs, as printed. */

const LOCAL = "http://127.0.0.1:4000";
let workspace: Workspace;
let url: string;
let keys: { public: string; manage: string };
let organizationId: string;
let manage: TestCall;
/** The variables of the quickstart for curl, which other guides use. */
let variables: string;

beforeAll(async () => {
  workspace = await createWorkspace();
  const { output } = await workspace.start(["start", "--json"]);
  ({ url, keys } = output);
  organizationId = output.organization.id;
  manage = caller(`${url}/manage/v1`, keys.manage);
  variables = withKeys(commandsOf(await readDocument("docs/guides/quickstart-curl.md"))[0]!, keys);
});
afterAll(() => workspace.clear());

const withKeys = (text: string, of: { public: string; manage: string }) =>
  text
    .replace(LOCAL, url)
    .replace(/blw_\w+_…(?='.*"public")/, of.public)
    .replace(/blw_\w+_…(?='.*"manage")/, of.manage);

const guide = (name: string) => readDocument(`docs/guides/${name}.md`);
const play = (blocks: string[], known = "") =>
  playCommands([variables, ...blocks], { cwd: workspace.directory, known });
const answers = (outputs: string[]): Json[] =>
  outputs.filter((each) => each.trim() !== "").map((each) => JSON.parse(each));

/** A receiver on this machine that answers 204 to each request. */
async function startReceiver(): Promise<string> {
  const server = createServer(
    (request, response) => void request.resume().on("end", () => response.writeHead(204).end()),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/billow`;
}

test("license-a-program: the requests of a program, and the list of devices", { timeout: 540_000 }, async () => {
  const [create = "", requests = "", devices = ""] = commandsOf(await guide("license-a-program"));
  const [benefit] = answers(await play([create]));
  expect(benefit).toMatchObject({ key: "editor", properties: { prefix: "ACME", activationLimit: 3 } });
  const prices = [{ currency: "usd", amount: 1000 }];
  const product = { key: "editor", name: "Editor", interval: "month", prices, group: null, benefitIds: [benefit!.id] };
  expect((await manage("POST", "/products", product)).status).toBe(201);
  const ask = caller(`${url}/public/v2`, keys.public);
  const customer = { email: "ada@example.com", externalId: "licensed" };
  const { id } = (await ask("POST", "/checkouts", { productKey: "editor", customer })).body;
  await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: "4242424242424242" });
  const grants = JSON.stringify((await ask("GET", "/benefit-grants?externalCustomerId=licensed")).body);
  expect(answers(await play([requests, devices.split("\n")[0]!], grants + organizationId))).toMatchObject([
    { activation: { label: "Ada's laptop" } },
    { valid: true },
    { data: [] },
  ]);
  const again = requests
    .split("validate")[0]!
    .replace(/\ncurl [^\n]*$/, "")
    .replace("5f0c7b1e", "another");
  const [activated] = answers(await play([again], grants + organizationId));
  await play([devices.trim().split("\n")[1]!], grants + JSON.stringify(activated));
  expect(answers(await play([devices.split("\n")[0]!], grants))).toMatchObject([{ data: [] }]);
});

test("receive-webhooks: an endpoint, a trigger, and an exam of a receiver", { timeout: 540_000 }, async () => {
  const [endpoint = "", , listen = "", trigger = "", exam = ""] = commandsOf(await guide("receive-webhooks"));
  expect(answers(await play([endpoint]))).toMatchObject([{ secret: expect.stringMatching(/^whsec_/) }]);
  const receiver = await startReceiver();
  const forward = listen.trim().replace("http://127.0.0.1:3000/webhooks/billow", receiver);
  const [secret] = await play([`${forward} --organization ${organizationId} --print-secret`]);
  const [said] = await play([`${trigger.trim()} --organization ${organizationId}`]);
  expect(said).toContain("subscription.past_due");
  const run = exam.replace("whsec_…", secret!.trim()).replace("http://127.0.0.1:3000/webhooks/billow", receiver);
  // This receiver also takes forged events.
  await expect(play([run.trim()])).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining("FAIL  wrong-secret"),
  });
});

/** The application of the quickstart for Express, with the routes that the guide replaces. */
async function appOfOwnProducts(): Promise<string> {
  const app = examplesOf(await guide("quickstart-express")).get("app.js")!;
  const routes = examplesOf(await guide("own-products")).get("routes")!;
  return routes
    .split(/(?<=^}\);\n)/m)
    .reduce(
      (text, route) =>
        text.replace(new RegExp(`^${RegExp.escape(route.split(",")[0]!)}[^]*?^}\\);\\n`, "m"), () => route),
      app,
    );
}

const request = (page: string, method = "GET") => fetch(page, { method, redirect: "manual" });

test(
  "own-products: the catalogue in a sandbox, a sale in the application, and the catalogue in a live Organization",
  { timeout: 180_000 },
  async () => {
    const text = await guide("own-products");
    const blocks = commandsOf(text);
    const [create = "", , inSandbox = ""] = blocks;
    const live = blocks.at(-1)!;
    const [printed] = await play([create]);
    const keyOf = (output: string, name = "manage") => new RegExp(`${name}  (\\S+)`).exec(output)![1]!;
    expect(printed).toMatch(/E-mails +http\S+[^]*Portal +http/);
    const cwd = await directoryOf([...examplesOf(text), ["app.js", await appOfOwnProducts()]]);
    const catalogue = (command: string) => promisify(execFile)("sh", ["-c", command], { cwd });
    const first = await catalogue(`BILLOW_URL=${url} ${inSandbox.replace("blw_test_…", keyOf(printed!))}`);
    expect(first.stdout).toMatch(/\nnotes create\nnotes-team create\n$/);

    const apiKey = keyOf(printed!, "public");
    const { base, printed: said } = await startPrinted(workspace, blocks, { cwd, url, apiKey });
    const [checkoutId] = /chk_\w{26}/.exec((await request(`${base}/buy/notes`)).headers.get("Location")!)!;
    const inNotes = caller(`${url}/manage/v1`, keyOf(printed!));
    const paid = await inNotes("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: "4242424242424242" });
    expect(paid.body).toMatchObject({ status: "completed", totalAmount: 0 });
    await until(() => said().includes("benefit_grant.granted export workspace_1"));
    const closed = await request(`${base}/report`);
    expect([closed.status, await closed.text()]).toEqual([402, "Reports need Notes Team"]);
    expect(await (await request(`${base}/upgrade`, "POST")).text()).toBe("Upgraded");
    expect(await (await request(`${base}/report`)).text()).toBe("A report for 10 members");

    const [goingLive] = commandsOf(await guide("going-live")).filter((block) => block.startsWith("billow org create"));
    const [shown] = await play([goingLive!.replaceAll(/^billow /gm, "node bin/billow.mjs ")]);
    // The live Organization of the guide sells in the currency of the catalogue.
    const command = live.replace("https://billing.example.com", url).replace("blw_live_…", keyOf(shown!));
    expect((await catalogue(command)).stdout).toMatch(/\nnotes create\nnotes-team create\n$/);
  },
);

test(
  "going-live: the data of the Organization, the webhooks, the checks, and the rehearsal",
  { timeout: 180_000 },
  async () => {
    const blocks = blocksOf(await guide("going-live")).map(({ code }) => code);
    const block = (beginning: string) => blocks.find((each) => each.startsWith(beginning))!;
    const program = join(ROOT, "bin/billow.mjs");
    const shell = `billow() { (cd "${workspace.directory}" && node "${program}" "$@"); }\nset -e\n`;
    const bash = async (script: string, cwd = workspace.directory) =>
      (
        await promisify(execFile)("bash", ["-c", shell + script.replaceAll("curl ", "curl --fail-with-body -sS ")], {
          cwd,
        })
      ).stdout;
    const printed = await bash(block('billow org create --name "Example"').replace('"Example"', '"Guide"'));
    const live = { public: /public {2}(\S+)/.exec(printed)![1]!, manage: /manage {2}(\S+)/.exec(printed)![1]! };
    const own = withKeys(block("URL=https").replace("https://billing.example.com", url), live);
    expect(JSON.parse(await bash(own))).toMatchObject({ legalName: "Example GmbH", invoicePrefix: "EX" });
    const set = own.split("\n").slice(0, 3).join("\n");
    const cwd = await directoryOf(examplesOf(await guide("own-products")));
    const sold = block("BILLOW_URL=$URL BILLOW_MANAGE_KEY=blw_live_…").replace("blw_live_…", live.manage);
    const output = await bash(`${set}\n${sold}`, cwd);
    expect(output).toContain("notes-team");
    expect(output).toContain('"secret":"whsec_');
    // Faults that a development machine has, such as an address without TLS.
    const checks = await bash(block("billow doctor").replace("billow doctor", "billow doctor || true"));
    expect(checks).toMatch(/fault +public_origin/);

    const made = await bash(block('billow org create --name "Rehearsal"'));
    const rehearsed = { public: /public {2}(\S+)/.exec(made)![1]!, manage: /manage {2}(\S+)/.exec(made)![1]! };
    const fill = block("BILLOW_URL=$URL BILLOW_MANAGE_KEY=blw_test_…").replace("blw_test_…", rehearsed.manage);
    await bash(`URL=${url}\n${fill}`, cwd);
    const rehearse = caller(`${url}/manage/v1`, rehearsed.manage);
    const order = { productKey: "notes-team", customer: { email: "ada@example.com", externalId: "rehearsal" } };
    const { id } = (await caller(`${url}/public/v2`, rehearsed.public)("POST", "/checkouts", order)).body;
    const paid = (await rehearse("POST", `/sandbox/checkouts/${id}/pay`, { card: "4000000000000341" })).body;
    const inRehearsal = set.replace(live.manage, rehearsed.manage);
    const refund = block("curl -X POST $URL/manage/v1/invoices").replace("inv_…", paid.invoiceId);
    const end = block("curl -X POST $URL/manage/v1/subscriptions").replace("sub_…", paid.subscriptionId);
    expect(JSON.parse(await bash(`${inRehearsal}\n${refund}`))).toMatchObject({ amount: 3000 });
    expect(JSON.parse(await bash(`${inRehearsal}\n${end}`))).toMatchObject({ status: "canceled" });
  },
);

test(
  "troubleshooting: the installation is examined, and the running server is found",
  { timeout: 180_000 },
  async () => {
    const [doctor = ""] = commandsOf(await guide("troubleshooting"));
    const [printed] = await play([doctor]).catch((error: { stdout: string }) => [error.stdout]);
    expect(printed).toContain(`answers at ${url}`);
  },
);

test("the client: the catalogue as types", { timeout: 540_000 }, async () => {
  const types = commandsOf(await readDocument("client/README.md")).find((block) => block.includes(" types "))!;
  const [printed] = await play([types.replace(/> \S+/, `--organization ${organizationId}`)]);
  expect(printed).toContain('"pro-yearly"');
});

test("move-away: an export is checked, and its Subscriptions go on elsewhere", { timeout: 540_000 }, async () => {
  const text = await guide("move-away");
  const { organization, keys: moving } = JSON.parse(
    (
      await workspace.run([
        "org",
        "create",
        "--name",
        "Moving",
        "--mode",
        "sandbox",
        "--clock",
        "2026-03-01T00:00:00Z",
        "--json",
      ])
    ).stdout,
  );
  expect((await workspace.run(["seed", "--company", "--organization", organization.id])).code).toBe(0);
  const [exporting = "", unpacking = "", leaving = ""] = commandsOf(text).map((block) => block.trim());
  const cwd = await directoryOf([["leave.mjs", examplesOf(text).get("leave.mjs")!]]);
  const env = { ...process.env, BILLOW_DATA_DIR: join(workspace.directory, ".billow"), LOG_LEVEL: "warn" };
  const blocks = [exporting.replace("Demo", organization.id), unpacking, leaving];
  const [exported, , printed] = await playCommands(["", ...blocks], { cwd, env });
  // The history of a sample company is drawn by the Organization's id, so its size differs from run to run.
  expect(exported).toMatch(
    /^Exported Moving, the state of 20.*Z: [1-9],?\d{3} lines in 26 files, [1-9]\d+ PDFs, [1-9],?\d+ kB\.\n$/,
  );
  expect(printed).toMatch(/^32 Subscriptions go on, 1 of them by hand: sub_\w{26}\n\n?$/);
  const [head, ...rows] = (await readFile(join(cwd, "subscriptions.csv"), "utf8")).trimEnd().split("\n");
  expect([head!.split(",").length, rows.length]).toEqual([13, 32]);
  for (const row of rows)
    expect(row).toMatch(
      /^"sub_\w{26}",("workspace_\d+")?,"\S+@example\.com","[a-z-]+","\d+","\d+","\w{3}","1","(month|year)","20\d\d-/,
    );
  const [ending] = /`PATCH \/public\/v2\/subscriptions\/{id}`\s+`({.*?})`/.exec(text)!.slice(1);
  const [api, ofMoving] = [caller(`${url}/public/v2`, moving.public), caller(`${url}/manage/v1`, moving.manage)];
  const ids = rows.map((row) => /sub_\w{26}/.exec(row)![0]);
  for (const id of ids) expect((await api("PATCH", `/subscriptions/${id}`, JSON.parse(ending!))).status).toBe(200);
  const countOf = async (list: string) => {
    const found: Json[] = [];
    for (let cursor = ""; ;) {
      const { body } = await ofMoving("GET", `/${list}?limit=100${cursor}`);
      found.push(...body.data);
      if (body.nextCursor === null) return found.length;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  const invoices = await countOf("invoices");
  const named = ["--organization", organization.id];
  expect((await workspace.run(["clock", "advance", "--by", "P13M", ...named])).code).toBe(0);
  expect(await countOf("invoices")).toBe(invoices);
  expect((await ofMoving("GET", "/subscriptions?limit=100")).body.data.map(({ status }: Json) => status)).toEqual(
    Array.from({ length: 36 }, () => "canceled"),
  );
  const lines = await readFile(join(cwd, "acme", "customers.jsonl"), "utf8");
  await writeFile(join(cwd, "acme", "customers.jsonl"), lines.replace("example.com", "example.org"));
  await expect(playCommands(["", leaving], { cwd, env })).rejects.toMatchObject({
    stderr: expect.stringContaining("customers.jsonl was changed"),
  });
});
