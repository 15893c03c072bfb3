import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../src/http/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { until } from "../support/until.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const REQUESTS = 5_000;
const MOST_IN_FLIGHT = 16;

/**
 * Sends all requests at once on one connection, and reads until the server closes it. Returns the statuses in their
 * order.
 */
async function pipeline(port: number, requests: string[]): Promise<{ statuses: number[]; text: string }> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(requests.join(""));
  await once(socket, "close");
  const text = Buffer.concat(chunks).toString();
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), text };
}

const head = (n: number, of: number) => (n === of - 1 ? "Connection: close\r\n" : "");

test("few of thousands of requests on one connection run at once, and each is answered in its turn", async () => {
  let [running, most] = [0, 0];
  const web = new Hono();
  web.get("/turn/:n", async (c) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return c.text(`turn ${c.req.param("n")}.`);
  });
  const server = await startServer({ ...app.ctx, config: { ...app.ctx.config, port: 0 } }, { web });
  try {
    const requests = Array.from(
      { length: REQUESTS },
      (_, n) => `GET /turn/${n} HTTP/1.1\r\nHost: x\r\n${head(n, REQUESTS)}\r\n`,
    );
    const { statuses, text } = await pipeline(server.port, requests);
    expect(statuses).toEqual(Array.from({ length: REQUESTS }, () => 200));
    expect([...text.matchAll(/turn (\d+)\./g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: REQUESTS }, (_, n) => n),
    );
    expect(most).toBe(MOST_IN_FLIGHT);
  } finally {
    await server.close();
  }
});

test("requests with bodies wait in the connection as well", async () => {
  const port = Number(new URL(app.url).port);
  const key = app.keys.public;
  const count = 400;
  const requests = Array.from({ length: count }, (_, n) => {
    const body = JSON.stringify({
      externalId: `piped-${n}`,
      email: `piped-${n}@example.com`,
      metadata: { text: "x".repeat(400) },
    });
    const lines = [`Authorization: Bearer ${key}`, "Content-Type: application/json", `Content-Length: ${body.length}`];
    return `POST /public/v2/customers HTTP/1.1\r\nHost: x\r\n${head(n, count)}${lines.join("\r\n")}\r\n\r\n${body}`;
  });
  const { statuses } = await pipeline(port, requests);
  expect(statuses).toEqual(Array.from({ length: count }, () => 201));
});

test("a connection that is closed drops the requests that wait in it", async () => {
  let begun = 0;
  const gate = Promise.withResolvers<void>();
  const web = new Hono();
  web.get("/held", async (c) => {
    begun += 1;
    await gate.promise;
    return c.text("held");
  });
  const server = await startServer({ ...app.ctx, config: { ...app.ctx.config, port: 0 } }, { web });
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200));
  await until(() => begun >= MOST_IN_FLIGHT);
  socket.destroy();
  await once(socket, "close");
  gate.resolve();
  await server.close();
  // The server does not read while requests wait, so it notices the closed connection only with its first answers.
  expect(begun).toBeLessThan(2 * MOST_IN_FLIGHT);
});
