import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../src/version.ts";
import { caller, type Json } from "../support/app.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { freePort } from "../support/installed-server.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startReceiver } from "../support/receiver.ts";
import { importedBy, importsOf, readSources } from "../support/source.ts";
import { startTraceReceiver, type TracedSpan, type TraceReceiver } from "../support/trace-receiver.ts";
import { until } from "../support/until.ts";

const CARD = "4242424242424242";
const BUYER = { email: "pia.privat@example.com", name: "Pia Privat" };
const [SERVER, CLIENT] = [2, 3];

let workspace: Workspace;
let database: TestDatabase;
beforeEach(async () => void ([workspace, database] = await Promise.all([createWorkspace(), createTestDatabase()])));
afterEach(async () => {
  await workspace.clear();
  await database.drop();
});

type Running = Started & { keys: { public: string; manage: string }; organizationId: string };

/** Starts a server and worker with a sandbox that has the Products of the demo. */
async function start(settings: Record<string, string>): Promise<Running> {
  const environment = { DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32) };
  const made = await workspace.run(["org", "create", "--name", "Demo", "--mode", "sandbox", "--json"], environment);
  const { organization, keys } = JSON.parse(made.stdout) as Json;
  await workspace.run(["seed"], environment);
  const started = await workspace.start(["start", "--json"], { ...environment, ...settings });
  return { ...started, keys, organizationId: organization.id };
}

async function ok<Answer extends { status: number; body: Json }>(answered: Promise<Answer>): Promise<Answer> {
  const answer = await answered;
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
}

/** Sells and pays a Checkout over the API. Returns the payment's answer, with its headers, and the page's address. */
async function sell({ output, keys }: Running, headers: Record<string, string> = {}, email = BUYER.email) {
  const { publicApi, manageApi } = output;
  const make = caller(publicApi, keys.public)("POST", "/checkouts", {
    productKey: "pro",
    customer: { ...BUYER, email },
  });
  const { id, url } = (await ok(make)).body;
  const paid = await fetch(`${manageApi}/sandbox/checkouts/${id}/pay`, {
    method: "POST",
    headers: { Authorization: `Bearer ${keys.manage}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ card: CARD }),
  });
  expect(paid.status).toBe(200);
  return { paid, url: url as string };
}

async function stop(started: Started): Promise<void> {
  started.signal("SIGTERM");
  expect(await started.finished).toMatchObject({ code: 0 });
}

const PAY = "POST /manage/v1/sandbox/checkouts/{checkoutId}/pay";

describe("with a receiver of traces", () => {
  let traces: TraceReceiver;
  beforeEach(async () => void (traces = await startTraceReceiver()));
  afterEach(() => traces.close());

  const named = (name: string) => traces.spans.filter((span) => span.name === name);
  const childrenOf = ({ spanId }: TracedSpan) => traces.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const below = (span: TracedSpan): TracedSpan[] => childrenOf(span).flatMap((child) => [child, ...below(child)]);

  test("a purchase is one trace: statements, the charge, and links of its webhook and its e-mail", async () => {
    const [mails, hook] = await Promise.all([startMailServer(), startReceiver()]);
    onTestFinished(async () => void (await Promise.all([mails.close(), hook.close()])));
    const started = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${traces.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b",
      OTEL_SERVICE_NAME: "billing",
      SMTP_URL: mails.url,
    });
    const manage = caller(started.output.manageApi, started.keys.manage);
    const url = `${hook.url}/token-of-the-receiver`;
    await ok(manage("POST", "/webhook-endpoints", { url, events: ["invoice.paid"] }));
    const [traceId, parentId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const { paid, url: page } = await sell(started, { traceparent: `00-${traceId}-${parentId}-01` });
    expect((await fetch(page)).status).toBe(200);
    await until(() => hook.received.length === 1 && mails.received.length === 1);
    await stop(started);

    const [request] = named(PAY);
    expect(request).toMatchObject({ traceId, parentSpanId: parentId, kind: SERVER });
    const requestId = paid.headers.get("request-id");
    expect(request!.values).toMatchObject({
      "http.request.method": "POST",
      "http.route": PAY.slice("POST ".length),
      "http.response.status_code": 200,
      "billow.operation": "paySandboxCheckout",
      "billow.request_id": requestId,
      "billow.organization.id": started.organizationId,
    });
    const inside = below(request!);
    const charge = inside.find(({ name }) => name === "sandbox charge")!;
    expect(charge).toMatchObject({ traceId, kind: CLIENT });
    const statements = inside.filter(({ values }) => values["db.query.summary"] !== undefined);
    expect(statements.length).toBeGreaterThan(5);
    for (const { kind, values } of statements) expect([kind, values["db.system.name"]]).toEqual([CLIENT, "postgresql"]);
    expect(below(charge).every((span) => inside.includes(span))).toBe(true);

    const { id: eventId } = hook.received[0]!.body;
    const webhook = named("webhook").find(({ values }) => values["billow.event.id"] === eventId)!;
    expect(webhook.values).toMatchObject({ "billow.event.type": "invoice.paid", "billow.request_id": requestId });
    expect(webhook.traceId).not.toBe(traceId);
    const { port } = new URL(hook.url);
    expect(childrenOf(webhook)).toMatchObject([
      {
        name: "POST",
        kind: CLIENT,
        values: { "server.address": "127.0.0.1", "server.port": +port, "http.response.status_code": 200 },
      },
    ]);
    const email = named("email").find((span) => childrenOf(span).some(({ name }) => name === "smtp send"))!;
    expect(email.values).toMatchObject({ "billow.email.kind": "receipt", "billow.request_id": requestId });
    // The link leads to the transaction that recorded the event or the e-mail.
    for (const { links } of [webhook, email]) {
      expect(links).toMatchObject([{ traceId }]);
      expect(inside.map(({ spanId }) => spanId)).toContain(links[0]!.spanId);
    }
    const noted = inside.flatMap(({ events }) => events).flatMap(({ attributes }) => attributes);
    expect(noted).toContainEqual({ key: "billow.event.id", value: { stringValue: eventId } });

    expect(named("GET /checkout/:checkoutId/:secret")).not.toEqual([]);
    expect(traces.resource).toMatchObject({ "service.name": "billing", "service.version": VERSION });
    expect(traces.headers[0]).toMatchObject({ path: "/v1/traces", "x-tenant": "a b" });
    const { keys } = started;
    const personal = [BUYER.email, BUYER.name, CARD, "token-of-the-receiver", keys.public, keys.manage];
    for (const text of [...personal, ...new URL(page).pathname.split("/").slice(3)])
      expect(traces.text).not.toContain(text);
    // Short texts count as whole words: random ids have "4242" or "Pia" among their characters now and then.
    for (const word of [/\bPia\b/, /\b4242\b/]) expect(traces.text).not.toMatch(word);
  });

  test("a share of 0 sends only the traces that a caller with an API key has begun to record", async () => {
    const started = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER_ARG: "0",
    });
    const { url } = await sell(started);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { manageApi } = started.output;
    const wrong = { Authorization: `Bearer ${started.keys.manage.slice(0, -6)}AAAAAA` };
    for (const [address, headers] of [
      [url, {}],
      [`${manageApi}/products`, {}],
      [`${manageApi}/products`, wrong],
    ] as const)
      await fetch(address, { headers: { ...headers, traceparent } });
    await sell(started, { traceparent }, "second@example.com");
    await stop(started);
    expect(named(PAY)).toMatchObject([{ parentSpanId: "b7ad6b7169203331" }]);
    expect(traces.spans.filter(({ kind }) => kind === SERVER)).toHaveLength(1);
    expect(new Set(traces.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  test("a caller without an API key neither continues a trace nor hides a request", async () => {
    const started = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: traces.url });
    const { url } = await sell(started);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-00` };
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(`${started.output.manageApi}/products`, { headers })).status).toBe(401);
    await stop(started);
    for (const name of ["GET /checkout/:checkoutId/:secret", "GET /manage/v1/products"]) {
      expect(named(name)).toHaveLength(1);
      expect(named(name)[0]!.parentSpanId ?? "").toBe("");
      expect(named(name)[0]!.traceId).not.toBe(traceId);
    }
  });
});

test("a receiver that hangs breaks no request and delays no stop", async () => {
  const silent = createServer();
  const sockets = new Set<Socket>();
  silent.on("connection", (socket) => void sockets.add(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const started = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  await sell(started);
  await stop(started);
  expect(sockets.size).toBeGreaterThan(0);
});

test("a receiver that is away breaks no request, and the log says that traces are lost", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const started = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await sell(started);
  await started.noted(/traces can't be sent/);
  await sell(started, {}, "second@example.com");
  await stop(started);
});

test("without a receiver, no process loads the library", () => {
  const inSource = readSources().filter(({ path }) => /^src\/.*\.ts$/.test(path));
  const users = inSource.filter(({ text }) => importsOf(text).some((each) => each.path.startsWith("@opentelemetry/")));
  expect(users.map(({ path }) => path)).toEqual(["src/tracing/otlp.ts"]);
  const loaders = inSource.filter((source) => importedBy(source).includes("src/tracing/otlp.ts"));
  expect(loaders.map(({ path }) => path)).toEqual(["src/command-line.ts"]);
  expect(loaders[0]!.text).toContain('await import("./tracing/otlp.ts")');
});
