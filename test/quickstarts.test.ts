import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { signWebhook } from "@billow/client/webhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openApi } from "../src/http/openapi.ts";
import { surfacesOf } from "../src/http/surfaces.ts";
import { reservePort } from "../src/port.ts";
import { caller, type Json, type TestCall } from "./support/app.ts";
import { createPlace, type Place } from "./support/command-line.ts";
import { commandsOf, directoryOf, examplesOf, playCommands, readDocument } from "./support/guide.ts";
import { until } from "./support/until.ts";

const APP_URL = "http://app.example.com";
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const MOST_LINES = 40;
/** The program for Python works without a client. */
const MOST_LINES_OF_PYTHON = 51;

/** A request to the application of a guide. `X-Workspace` names the workspace. */
type Ask = (method: "GET" | "POST", path: string) => Promise<Response>;

let place: Place;
let url: string;
let keys: { public: string; manage: string };
let manage: TestCall;
let environment: Record<string, string>;

beforeAll(async () => {
  place = await createPlace();
  const { output } = await place.start(["start", "--json"]);
  ({ url, keys } = output);
  manage = caller(`${url}/manage/v1`, keys.manage);
  environment = { BILLOW_URL: url, BILLOW_API_KEY: keys.public, APP_URL };
});
afterAll(() => place.clear());

async function exampleOf(name: string, most = MOST_LINES): Promise<Map<string, string>> {
  const files = examplesOf(await readDocument(`docs/guides/quickstart-${name}.md`));
  const lines = [...files.values()].flatMap((code) => code.split("\n")).filter((line) => line.trim() !== "");
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.length).toBeLessThan(most);
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
  const stranger = await ask("GET", "/portal");
  expect([stranger.status, await stranger.text()]).toEqual([404, "There is no purchase yet"]);
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

test("the application for Express sells, gates, upgrades, cancels and hears of it", async () => {
  const cwd = await directoryOf(await exampleOf("express"));
  const reserved = await reservePort("127.0.0.1", 0);
  const base = `http://127.0.0.1:${reserved.port}`;
  const listener = await place.start(["listen", "--forward-to", `${base}/webhooks/billow`, "--json"]);
  await reserved.release();
  const env = { ...environment, BILLOW_WEBHOOK_SECRET: listener.output.secret, PORT: String(reserved.port) };
  const app = spawn(process.execPath, ["app.js"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    app.kill();
    await once(app, "close");
    listener.signal("SIGTERM");
    await listener.finished;
  });
  let printed = "";
  app.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await until(() =>
    fetch(base).then(
      () => true,
      () => false,
    ),
  );
  await playApplication(asking(base, "express_1"));
  // Deliveries of different grants may come in any order.
  const told = ["benefit_grant.granted sso express_1", "benefit_grant.revoked seats-5 express_1"];
  await until(() => told.every((line) => printed.includes(line)));
  await playDecline(asking(base, "express_2"));
});

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
    for (const [name, value] of Object.entries({ ...environment, BILLOW_WEBHOOK_SECRET: SECRET }))
      vi.stubEnv(name, value);
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
  const outputs = await playCommands([own, ...blocks], { cwd: place.directory });
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

/** Python is not a requirement of the tests. So the requests of the program are compared with the documents. */
describe("the application for Python", () => {
  const documents = surfacesOf({ publicBasePaths: ["/public/v2"] }).map((surface) => ({
    base: surface.basePaths[0]!,
    document: openApi(surface, "https://billing.example.com"),
  }));
  const CALL = /billow\("(\w+)", f?"([^"?]+)\??([^"]*)"(?:, (\w+|\{[^}]*\}))?\)/g;

  test("makes only requests that the OpenAPI documents have", async () => {
    const program = (await exampleOf("python", MOST_LINES_OF_PYTHON)).get("app.py")!;
    const calls = [...program.matchAll(CALL)].map(([, method, path, query]) => ({ method, path, query }));
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /public/v2/checkouts",
      "POST /manage/v1/portal-sessions",
      "GET /public/v2/benefit-grants",
      "PATCH /public/v2/subscriptions/{subscription}",
    ]);
    for (const { method, path, query } of calls) {
      const { base, document } = documents.find((each) => path!.startsWith(each.base))!;
      const template = path!.slice(base.length).replace("{subscription}", "{subscriptionId}");
      const operation = document.paths[template]?.[method!.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      const known = JSON.stringify(operation);
      for (const name of new URLSearchParams(query).keys()) expect(known).toContain(`"name":"${name}"`);
    }
    const params = JSON.stringify(documents.map(({ document }) => document.components));
    for (const name of ["productKey", "customer", "email", "externalId", "externalCustomerId", "cancelAtPeriodEnd"]) {
      expect(program).toContain(`"${name}":`);
      expect(params).toContain(`"${name}":`);
    }
  });
});
