import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv, promisify } from "node:util";
import { signWebhook } from "@billow/client/webhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { caller, type Json, type TestCall } from "./support/app.ts";
import { createWorkspace, type Workspace } from "./support/command-line.ts";
import { commandsOf, directoryOf, examplesOf, playCommands, readDocument, startPrinted } from "./support/guide.ts";
import { PYTHONPATH, requirePython } from "./support/python.ts";
import { ROOT } from "./support/source.ts";
import { until } from "./support/until.ts";

const APP_URL = "http://app.example.com";
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const MOST_LINES = 40;
/** Files of a guide that are not lines of its application. */
const SETTINGS = [".env.local", "tsconfig.json"];

/** A request to the application of a guide. `X-Workspace` names the workspace. */
type Ask = (method: "GET" | "POST", path: string) => Promise<Response>;

let installation: Workspace;
let url: string;
let keys: { public: string; manage: string };
let manage: TestCall;
let environment: Record<string, string>;

beforeAll(async () => {
  installation = await createWorkspace();
  const { output } = await installation.start(["start", "--json"]);
  ({ url, keys } = output);
  manage = caller(`${url}/manage/v1`, keys.manage);
  environment = { BILLOW_URL: url, BILLOW_API_KEY: keys.public, APP_URL };
});
afterAll(() => installation.clear());

async function exampleOf(name: string): Promise<Map<string, string>> {
  const files = examplesOf(await readDocument(`docs/guides/quickstart-${name}.md`));
  const application = [...files].filter(([file]) => !SETTINGS.includes(file)).map(([, code]) => code);
  const lines = application.flatMap((code) => code.split("\n")).filter((line) => line.trim() !== "");
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.length).toBeLessThan(MOST_LINES);
  return files;
}

/** A path alone: behind a proxy, an application does not know its own address. */
function leadsTo(path: string, answer: Response): void {
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
}

/** Buys, passes the gate after an upgrade, and cancels. Every step leads on, also if it can't be done. */
async function playApplication(ask: Ask): Promise<void> {
  leadsTo("/buy/pro", await ask("POST", "/upgrade"));
  leadsTo("/portal", await ask("POST", "/cancel"));
  for (const path of ["/portal", "/buy/unknown"]) {
    const missing = await ask("GET", path);
    expect([path, missing.status, await missing.text()]).toEqual([path, 404, "No such Product, or no purchase yet"]);
  }
  const bought = await ask("GET", "/buy/starter");
  expect(bought.status).toBe(303);
  const id = /chk_\w{26}/.exec(bought.headers.get("Location")!)![0];
  const paid = await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: "4242424242424242" });
  expect(paid).toMatchObject({ status: 200, body: { successUrl: `${APP_URL}/report` } });
  leadsTo("/portal", await ask("GET", "/buy/pro"));
  const portal = await ask("GET", "/portal");
  expect([portal.status, portal.headers.get("Location")]).toEqual([303, expect.stringContaining(`${url}/portal/`)]);
  const closed = await ask("GET", "/report");
  expect([closed.status, await closed.text()]).toEqual([402, "Reports need Pro"]);
  const upgraded = await ask("POST", "/upgrade");
  expect([upgraded.status, await upgraded.text()]).toEqual([200, "Upgraded"]);
  const open = await ask("GET", "/report");
  expect([open.status, await open.text()]).toEqual([200, "A report for 25 seats"]);
  const canceled = await ask("POST", "/cancel");
  expect([canceled.status, await canceled.text()]).toEqual([200, expect.stringMatching(/^Ends at 20\d\d-/)]);
  expect((await ask("POST", "/upgrade")).status).toBe(200);
}

/** Buys with a card that is declined from then on. The upgrade leads the buyer to a page. */
async function playDecline(ask: Ask): Promise<void> {
  const bought = await ask("GET", "/buy/starter");
  const id = /chk_\w{26}/.exec(bought.headers.get("Location")!)![0];
  await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: "4000000000000341" });
  const declined = await ask("POST", "/upgrade");
  expect([declined.status, declined.headers.get("Location")]).toEqual([303, expect.stringContaining("/checkout/chk_")]);
}

const asking =
  (base: string, workspace: string): Ask =>
  (method, path) =>
    fetch(base + path, { method, redirect: "manual", headers: { "X-Workspace": workspace } });

/** The Python of this machine in the place of a virtual environment. Flask writes a line about each request to stderr. */
async function pythonOf(cwd: string): Promise<{ stderr: "ignore"; PYTHONPATH: string }> {
  await mkdir(join(cwd, ".venv/bin"), { recursive: true });
  await symlink(requirePython(), join(cwd, ".venv/bin/python"));
  return { stderr: "ignore", PYTHONPATH };
}

/**
 * Starts the application by the printed commands, beside `billow listen`, and plays its routes. `expected`: lines that
 * the application prints about events.
 */
async function playPrinted(name: string, expected: string[]): Promise<void> {
  const cwd = await directoryOf(await exampleOf(name));
  const blocks = commandsOf(await readDocument(`docs/guides/quickstart-${name}.md`));
  const server = { cwd, url, apiKey: keys.public };
  const own = name === "python" ? await pythonOf(cwd) : {};
  const { base, printed } = await startPrinted(installation, blocks, server, { APP_URL, ...own });
  await playApplication(asking(base, `${name}_1`));
  // Deliveries of different grants may come in any order.
  await until(() => expected.every((line) => printed().includes(line)));
  await playDecline(asking(base, `${name}_2`));
  const forged = await fetch(`${base}/webhooks/billow`, { method: "POST", body: "{}" });
  expect(forged.status).toBe(400);
}

test("the application for Express sells, gates, upgrades, cancels and hears of it", () =>
  playPrinted("express", ["benefit_grant.granted sso express_1", "benefit_grant.revoked seats-5 express_1"]));

test("the application for Fastify has the right types, sells, gates, upgrades, cancels and hears of it", async () => {
  const cwd = await directoryOf(await exampleOf("fastify"));
  const faults = () =>
    promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), [], { cwd }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await faults()).toBe("");
  await playPrinted("fastify", ["benefit_grant.granted sso fastify_1", "benefit_grant.revoked seats-5 fastify_1"]);
  // The names of the own catalogue, as the guide explains.
  const { stdout: declaration } = await installation.run(["types"]);
  await writeFile(join(cwd, "billow.d.ts"), declaration);
  expect(await faults()).toContain("productKey");
  const app = await readFile(join(cwd, "app.ts"), "utf8");
  const named = app
    .replace("{ productKey: string }", "{ productKey: ProductKey }")
    .replace("type BenefitGrant }", "type BenefitGrant, type ProductKey }");
  await writeFile(join(cwd, "app.ts"), named);
  expect(await faults()).toBe("");
});

test("the application for Python sells, gates, upgrades, cancels and hears of it", () =>
  playPrinted("python", ["benefit_grant.granted", "benefit_grant.revoked"]));

describe("the Route Handlers for Next.js", () => {
  type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;
  let directory: string;

  const handlerOf = async (route: string, method: string) => {
    const file = pathToFileURL(join(directory, `app/${route}/route.js`)).href;
    return ((await import(file)) as Record<string, Handler>)[method]!;
  };
  /** As Next.js finds the file of a route and the parameters of its path. */
  const send = async (request: Request): Promise<Response> => {
    const [, first = "", rest] = new URL(request.url).pathname.split("/");
    const route = first === "buy" ? "buy/[productKey]" : [first, rest].filter((part) => part !== undefined).join("/");
    return (await handlerOf(route, request.method))(request, { params: Promise.resolve({ productKey: rest }) });
  };
  const askAs =
    (workspace: string): Ask =>
    (method, path) =>
      send(new Request(`http://app.example.com${path}`, { method, headers: { "X-Workspace": workspace } }));

  test("sell, gate, upgrade, cancel and hear of it", async () => {
    directory = await directoryOf(await exampleOf("next"));
    const files = examplesOf(await readDocument("docs/guides/quickstart-next.md"));
    const printedEnvironment = parseEnv(files.get(".env.local")!);
    const given: Record<string, string> = { ...environment, BILLOW_WEBHOOK_SECRET: SECRET };
    expect(Object.keys(printedEnvironment).sort()).toEqual(Object.keys(given).sort());
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
    const printed = vi.spyOn(console, "log").mockReturnValue(undefined);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      printed.mockRestore();
    });
    await playApplication(askAs("next_1"));
    await playDecline(askAs("next_2"));

    const { data } = (await manage("GET", "/events?type=benefit_grant.granted")).body;
    const body = JSON.stringify(data.find((event: Json) => event.data.externalCustomerId === "next_2"));
    const post = (headers: Record<string, string>) =>
      send(new Request("http://app.example.com/webhooks/billow", { method: "POST", headers, body }));
    expect((await post(await signWebhook(body, SECRET))).status).toBe(204);
    expect(printed).toHaveBeenCalledWith("benefit_grant.granted", "seats-5", "next_2");
    expect((await post({})).status).toBe(400);
  });
});

test("the commands for curl lead through a sale, a change and a year", async () => {
  const [variables = "", ...blocks] = commandsOf(await readDocument("docs/guides/quickstart-curl.md"));
  const own = variables
    .replace("http://127.0.0.1:4000", url)
    .replace(/blw_test_…(?='.*"public")/, keys.public)
    .replace(/blw_test_…(?='.*"manage")/, keys.manage);
  const outputs = await playCommands([own, ...blocks], { cwd: installation.directory });
  const answers = outputs.map((output) => JSON.parse(output));
  expect(answers).toMatchObject([
    { status: "open", totalAmount: 3000 },
    { status: "completed" },
    { data: expect.arrayContaining([expect.objectContaining({ benefit: expect.objectContaining({ key: "sso" }) })]) },
    { data: [{ status: "active" }] },
    { url: expect.stringContaining("/portal/") },
    { chargeAmount: expect.any(Number), nextInvoice: { totalAmount: expect.any(Number) } },
    { interval: "year" },
    { cancelAt: expect.any(String) },
    { cancelAt: null },
    { secret: expect.stringMatching(/^whsec_/) },
    { eventType: "webhook_endpoint.test" },
    { eventType: "webhook_endpoint.test" },
    { done: expect.any(Number) },
    {
      data: [
        { reason: "renewal", status: "paid" },
        { reason: "product_change", status: "paid" },
        { reason: "checkout", status: "paid" },
      ],
    },
    { data: expect.arrayContaining([expect.objectContaining({ type: "subscription.renewed" })]) },
  ]);
});
