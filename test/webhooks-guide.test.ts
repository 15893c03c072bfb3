import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { signWebhook } from "@billow/client/webhooks";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHECKS, examine, PACE } from "../src/exam/examine.ts";
import { ROOT } from "./support/source.ts";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "billow-webhooks-"));
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  const guide = await readFile(join(ROOT, "docs/guides/receive-webhooks.md"), "utf8");
  for (const [, name, code] of guide.matchAll(/<!-- example: ([\w.]+) -->\n+```js\n([^]*?)```/g))
    await writeFile(join(directory, name!), code!);
  process.env["BILLOW_WEBHOOK_SECRET"] = SECRET;
});
afterAll(async () => {
  delete process.env["BILLOW_WEBHOOK_SECRET"];
  await rm(directory, { recursive: true });
});

type Receiver = (request: Request) => Response | Promise<Response>;

/** A file of the guide, unchanged. */
async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(join(directory, name)).href)) as T;
}
type Handle = { subscriptions: Map<string, { status: string }> };

/** Serves the app until the test ends. Returns its address. */
async function serve(app: RequestListener): Promise<string> {
  const server = createServer(app);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/webhooks/billow`;
}

const RECEIVERS: [name: string, load: () => Promise<RequestListener>][] = [
  ["Express", async () => (await load<{ app: RequestListener }>("express.js")).app],
  ["Hono", async () => getRequestListener((await load<{ app: { fetch: Receiver } }>("hono.js")).app.fetch)],
  [
    "Fastify",
    async () => {
      const { app } = await load<{ app: FastifyInstance }>("fastify.js");
      await app.ready();
      return app.routing;
    },
  ],
  ["Next.js", async () => getRequestListener((await load<{ POST: Receiver }>("route.js")).POST)],
  ["another framework", async () => getRequestListener((await load<{ answer: Receiver }>("other.js")).answer)],
];

describe.each(RECEIVERS)("the guide's handler for %s", (name, loadApp) => {
  test("takes signed events, once and in order, and nothing else", async () => {
    const url = await serve(await loadApp());
    const { subscriptions } = await load<Handle>("handle.js");
    const id = `sub_${name}`;
    const eventOf = (type: string, sequence: number, status: string) =>
      JSON.stringify({
        id: `evt_${sequence}`,
        type,
        createdAt: "2026-01-31T00:00:00.000Z",
        sequence,
        data: { id, status, note: "Żółć 😀" },
      });
    const send = async (body: string, headers: Record<string, string>) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body,
      });
      return [response.status, await response.text(), subscriptions.get(id)?.status];
    };
    const sendSigned = async (body: string, now = new Date()) => send(body, await signWebhook(body, SECRET, { now }));
    expect(await sendSigned(eventOf("subscription.created", 1, "trialing"))).toEqual([204, "", "trialing"]);
    expect(await sendSigned(eventOf("subscription.past_due", 3, "past_due"))).toEqual([204, "", "past_due"]);
    expect(await sendSigned(eventOf("subscription.activated", 2, "active"))).toEqual([204, "", "past_due"]);
    expect(await sendSigned(eventOf("subscription.past_due", 3, "past_due"))).toEqual([204, "", "past_due"]);
    expect(await sendSigned(eventOf("moon.eclipsed", 4, "dark"))).toEqual([204, "", "past_due"]);
    const forged = eventOf("subscription.recovered", 5, "active");
    expect(await send(forged, {})).toEqual([400, "header_missing", "past_due"]);
    expect(await send(forged, await signWebhook(`${forged} `, SECRET))).toEqual([
      400,
      "signature_mismatch",
      "past_due",
    ]);
    expect(await sendSigned(forged, new Date("2026-01-01T00:00:00Z"))).toEqual([400, "timestamp_too_old", "past_due"]);
  });

  test("passes the exam", async () => {
    const url = await serve(await loadApp());
    const { findings, skipped } = await examine(
      { url, secret: SECRET.slice("whsec_".length) },
      { ...PACE, slow: PACE.deadline },
    );
    expect(findings.filter(({ verdict }) => verdict !== "PASS")).toEqual([]);
    expect([findings.length, skipped]).toEqual([CHECKS.length + 1, null]);
  });
});

test("the guide's test of a handler passes", async () => {
  const { response } = await load<{ response: Response }>("route.test.js");
  const { subscriptions } = await load<Handle>("handle.js");
  expect([response.status, subscriptions.get("sub_1")]).toEqual([204, expect.objectContaining({ status: "canceled" })]);
});

test("the guide's server for Hono on Node listens", async () => {
  const code = await readFile(join(directory, "serve.js"), "utf8");
  await writeFile(
    join(directory, "serve-any.js"),
    code.replace("port: 3000", "port: 0").replace("serve({", "export const server = serve({"),
  );
  const { server } = await load<{ server: Server }>("serve-any.js");
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/webhooks/billow`, { method: "POST", body: "{}" })).status).toBe(400);
});
