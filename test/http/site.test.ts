import { once } from "node:events";
import { get, Agent, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dispatchEvents } from "../../src/actions/webhook/dispatch-events.ts";
import { ERRORS } from "../../src/errors.ts";
import { startServer } from "../../src/http/server.ts";
import { sql } from "../../src/store/driver/db.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { lines, sendRaw } from "./raw-request.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const start = (config: Partial<TestApp["ctx"]["config"]>, parts: Partial<TestApp["ctx"]> = {}, pages = {}) =>
  startServer({ ...app.ctx, ...parts, config: { ...app.ctx.config, port: 0, ...config } }, pages);

describe("readiness", () => {
  test("a server on a migrated database is ready", async () => {
    for (const path of ["/healthz", "/readyz"]) expect((await fetch(app.url + path)).status).toBe(200);
  });

  test("on one that is not migrated it is alive, not ready", async () => {
    const database = await createEmptyDatabase();
    const server = await start({}, { db: database.db, probes: database.db });
    const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "unavailable", check: "schema" });
    expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
    await server.close();
    await database.drop();
  });
});

describe("metrics", () => {
  test("count requests by operation and status", async () => {
    const read = async () => {
      const answer = await fetch(`${app.url}/metrics`);
      expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
      const text = await answer.text();
      expect(text).toContain("process_cpu_seconds_total");
      const REFUSED = /^billow_http_request_duration_seconds_count\{operation="createCustomer",status="422"\} (\d+)$/m;
      return Number(REFUSED.exec(text)?.[1] ?? 0);
    };
    const before = await read();
    await app.api("POST", "/customers", {});
    expect(await read()).toBe(before + 1);
  });

  test("tell how late the unsent deliveries and e-mails are", async () => {
    const figures = async () => {
      const text = await (await fetch(`${app.url}/metrics`)).text();
      return ["webhook", "email"].map((what) =>
        Number(new RegExp(`^billow_${what}_overdue_seconds (.*)$`, "m").exec(text)?.[1]),
      );
    };
    const change = (name: string, text: string) => app.ctx.db.tx((tx) => tx.query(sql(`test.${name}`, text)));
    expect(await figures()).toEqual([0, 0]);
    await app.manage("POST", "/webhook-endpoints", { url: "http://127.0.0.1:9/hook" });
    await app.manage("POST", "/products", { key: "book", name: "Book", prices: [{ currency: "usd", amount: 900 }] });
    const { body } = await app.api("POST", "/checkouts", {
      productKey: "book",
      customer: { email: "ada@example.com" },
    });
    await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" });
    await dispatchEvents(app.ctx, "", (_, error) => {
      throw error;
    });
    await change("late_deliveries", "UPDATE webhook_deliveries SET attempt_at = now() - interval '1 hour'");
    await change("late_emails", "UPDATE emails SET attempt_at = now() - interval '2 hours'");
    for (const [n, seconds] of (await figures()).entries()) expect(Math.floor(seconds / 3600)).toBe(n + 1);
    await change("paused", "UPDATE webhook_endpoints SET paused_until = now() + interval '1 hour'");
    await change("claimed_emails", "UPDATE emails SET attempt_at = now() + interval '1 minute'");
    expect(await figures()).toEqual([0, 0]);
  });

  test("without a token are for this machine alone", async () => {
    for (const name of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
      expect((await fetch(`${app.url}/metrics`, { headers: { [name]: "127.0.0.1" } })).status).toBe(404);
    }
  });

  test.each([
    ["127.0.0.1:4000", 200],
    ["127.1.2.3", 200],
    ["LOCALHOST:4000", 200],
    ["billow.localhost", 200],
    ["[::1]:4000", 200],
    ["evil.example", 404],
    ["localhost.evil.example", 404],
    ["10.0.0.1", 404],
    ["[::2]", 404],
    ["", 404],
  ])("without a token, asked for at %j, are %i", async (host, status) => {
    expect(await sendRaw(app.url, lines("GET /metrics HTTP/1.1", `Host: ${host}`))).toMatchObject({ status });
  });

  test("with a token are for callers that have it", async () => {
    const server = await start({ metricsToken: "a-token-of-some-length" });
    const read = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${server.port}/metrics`, { headers });
    expect((await read({})).status).toBe(401);
    expect((await read({ Authorization: "Bearer another-token-of-some" })).status).toBe(401);
    expect((await read({ Authorization: "Bearer a-token-of-some-length", "X-Forwarded-For": "1.2.3.4" })).status).toBe(
      200,
    );
    await server.close();
  });
});

describe("documentation", () => {
  test("has an anchor for each code", async () => {
    const errors = await (await fetch(`${app.url}/docs/errors`)).text();
    for (const code of Object.keys(ERRORS)) expect(errors).toContain(`id="${code}"`);
  });

  test("of the API is one document a surface", async () => {
    for (const path of ["/public/v2/openapi.json", "/manage/v1/openapi.json"]) {
      const answer = await fetch(app.url + path);
      expect(answer.headers.get("Content-Type")).toBe("application/json");
      expect(await answer.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    }
  });
});

describe("a client that doesn't read", () => {
  test("is let go of after a minute of silence, on a connection that was used before, too", async () => {
    const web = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
    web.get("/silence", (c) => c.json([c.env.incoming.socket.remotePort, c.env.incoming.socket.timeout]));
    const server = await start({}, {}, { web });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const [answer] = await once(get({ port: server.port, host: "127.0.0.1", path: "/silence", agent }), "response");
      return JSON.parse(Buffer.concat(await answer.toArray()).toString());
    };
    const [first, second] = [await ask(), await ask()];
    expect(first).toEqual([expect.any(Number), 60_000]);
    expect(second).toEqual(first);
    agent.destroy();
    await server.close();
  });

  test.each(["/docs/rules", "/manage/v1/openapi.json"])(
    "gets %s from the memory that everybody gets it from",
    async (path) => {
      const whole = (await (await fetch(app.url + path)).arrayBuffer()).byteLength;
      const pages = async () => {
        const figures = await (await fetch(`${app.url}/metrics`)).text();
        return Number(/duration_seconds_count\{operation="page",status="200"\} (\d+)/.exec(figures)?.[1]);
      };
      const [answered, before] = [await pages(), process.memoryUsage().arrayBuffers];
      const sockets = Array.from({ length: 30 }, () => connect(Number(new URL(app.url).port), "127.0.0.1").pause());
      for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
      await expect.poll(pages).toBeGreaterThan(answered + 300);
      // A page for each answer is 300 pages. The memory of other tests of this process came to 21 pages in one run.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * whole);
      for (const socket of sockets) socket.destroy();
    },
  );
});

test("pages get the requests that are for neither API nor documentation", async () => {
  const web = new Hono<{ Bindings: { requestId: string; client: string } }>();
  const policy = { "Content-Security-Policy": "default-src 'self'" };
  web.get("/checkout/:id", (c) => c.html(`<p>${c.env.client} ${c.env.requestId}</p>`, 200, policy));
  const server = await start({}, {}, { web });
  const page = await fetch(`http://127.0.0.1:${server.port}/checkout/1`);
  expect(await page.text()).toBe(`<p>127.0.0.1 ${page.headers.get("Request-Id")}</p>`);
  expect(page.headers.get("Content-Security-Policy")).toBe("default-src 'self'");
  expect(await (await fetch(`http://127.0.0.1:${server.port}/public/v2/nothing`)).json()).toMatchObject({
    code: "not_found",
  });
  expect((await fetch(`http://127.0.0.1:${server.port}/nothing`)).status).toBe(404);
  await server.close();
});

describe("closing", () => {
  test("finishes running requests, refuses new ones, and does not wait for idle connections", async () => {
    const web = new Hono();
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    web.get("/slow", async (c) => {
      begun.resolve();
      await finish.promise;
      return c.text("done");
    });
    const server = await start({}, {}, { web });
    const agent = new Agent({ keepAlive: true });
    const open = (path: string) => get({ port: server.port, host: "127.0.0.1", path, agent });
    const [idle] = await once(open("/healthz"), "response");
    idle.resume();
    await once(idle, "end");
    const slow = open("/slow");
    await begun.promise;
    const closed = server.close();
    await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow();
    const answered = once(slow, "response");
    finish.resolve();
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(200);
    await closed;
    agent.destroy();
  });
});
