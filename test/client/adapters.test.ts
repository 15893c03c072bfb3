import { once } from "node:events";
import { createServer, request as openRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { webhooks as expressWebhooks } from "@billow/client/express";
import { webhooks as fastifyWebhooks } from "@billow/client/fastify";
import { webhooks as honoWebhooks } from "@billow/client/hono";
import { webhooks as nextWebhooks, type WebhookHandlers } from "@billow/client/next";
import { signWebhook } from "@billow/client/webhooks";
import express, { type ErrorRequestHandler } from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import type { Invoice, Subscription } from "@billow/client";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PATH = "/webhooks/billow";

type Secret = Parameters<typeof nextWebhooks>[0];
type Serve = (secret: Secret, handlers: WebhookHandlers) => Promise<RequestListener>;

/** Answers 500 with the error's message. */
const showError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message);
};

const FRAMEWORKS: [name: string, serve: Serve][] = [
  [
    "Express",
    async (secret, handlers) => {
      const app = express();
      app.post(PATH, expressWebhooks(secret, handlers));
      app.use(express.json());
      app.post("/other", (request, response) => void response.json(request.body));
      return app.use(showError);
    },
  ],
  [
    "Hono",
    async (secret, handlers) => {
      const app = new Hono();
      app.post(PATH, honoWebhooks(secret, handlers));
      app.post("/other", async (c) => c.json(await c.req.json()));
      app.onError((error, c) => c.text(error.message, 500));
      return getRequestListener(app.fetch);
    },
  ],
  [
    "Next.js",
    async (secret, handlers) => {
      const POST = nextWebhooks(secret, handlers);
      const other = async (request: Request) => Response.json(await request.json());
      const route = (request: Request) => (request.url.endsWith(PATH) ? POST(request) : other(request));
      const answer = (request: Request) =>
        route(request).catch((error: Error) => new Response(error.message, { status: 500 }));
      return getRequestListener(answer);
    },
  ],
  [
    "Fastify",
    async (secret, handlers) => {
      const app = fastify();
      app.register(fastifyWebhooks(secret, handlers), { prefix: PATH });
      app.post("/other", (request, reply) => reply.send(request.body));
      app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send(error.message),
      );
      await app.ready();
      onTestFinished(() => app.close());
      return (request, response) => app.routing(request, response);
    },
  ],
];

/** Serves the app until the test ends. Returns its origin. */
async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const eventOf = (type: string, data: object = { id: "sub_1" }) =>
  JSON.stringify({ id: "evt_1", type, createdAt: "2026-01-31T00:00:00.000Z", sequence: 1, data }, null, 1);

async function send(origin: string, body: string, headers: Record<string, string>, path = PATH) {
  const request = { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } };
  const response = await fetch(origin + path, request);
  return [response.status, await response.text()];
}
const sendSigned = async (origin: string, body: string) => send(origin, body, await signWebhook(body, SECRET));

describe.each(FRAMEWORKS)("%s", (_name, serve) => {
  test("calls the handler of an event's type, and takes other types without one", async () => {
    const seen: string[] = [];
    const origin = await listen(
      await serve(SECRET, {
        "subscription.canceled": (event) => {
          expectTypeOf(event.data).toEqualTypeOf<Subscription>();
          seen.push(`${event.type} ${event.data.id}`);
        },
        "invoice.paid": async ({ data }) => {
          expectTypeOf(data).toEqualTypeOf<Invoice>();
          seen.push(`invoice.paid ${data.number}`);
        },
      }),
    );
    expect(await sendSigned(origin, eventOf("subscription.canceled", { id: "sub_1", note: "Żółć 😀" }))).toEqual([
      204,
      "",
    ]);
    expect(await sendSigned(origin, eventOf("invoice.paid", { number: "INV-1" }))).toEqual([204, ""]);
    for (const type of ["customer.created", "moon.eclipsed", "toString", "__proto__"])
      expect(await sendSigned(origin, eventOf(type))).toEqual([204, ""]);
    expect(seen).toEqual(["subscription.canceled sub_1", "invoice.paid INV-1"]);
  });

  test("calls one function for all events, and answers after its work", async () => {
    const work = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<string>();
    const origin = await listen(
      await serve([SECRET, SECRET], async (event) => {
        begun.resolve(event.type);
        await work.promise;
      }),
    );
    let isAnswered = false;
    const answer = sendSigned(origin, eventOf("moon.eclipsed")).finally(() => (isAnswered = true));
    expect(await begun.promise).toBe("moon.eclipsed");
    expect(isAnswered).toBe(false);
    work.resolve();
    expect(await answer).toEqual([204, ""]);
  });

  test("refuses a request that is forged, changed, or without headers", async () => {
    const seen: string[] = [];
    const origin = await listen(await serve(SECRET, ({ type }) => seen.push(type)));
    const body = eventOf("subscription.canceled");
    expect(await send(origin, body, {})).toEqual([400, "header_missing"]);
    expect(await send(origin, body, await signWebhook(`${body} `, SECRET))).toEqual([400, "signature_mismatch"]);
    expect(await send(origin, "", await signWebhook(body, SECRET))).toEqual([400, "signature_mismatch"]);
    const old = { now: new Date("2026-01-01T00:00:00Z") };
    expect(await send(origin, body, await signWebhook(body, SECRET, old))).toEqual([400, "timestamp_too_old"]);
    expect(seen).toEqual([]);
  });

  test("an error of the handler, and a missing or malformed secret, are 500", async () => {
    const failing = await listen(
      await serve(SECRET, () => {
        throw new Error("The table is locked");
      }),
    );
    expect(await sendSigned(failing, eventOf("subscription.canceled"))).toEqual([500, "The table is locked"]);
    const warned = vi.spyOn(console, "warn").mockReturnValue(undefined);
    onTestFinished(() => void warned.mockRestore());
    for (const [secret, fault] of [
      [process.env["BILLOW_NO_SUCH_VARIABLE"], /The webhook secret is missing\. If .* set/],
      ["", /The webhook secret is missing/],
      ["whsec_…", /The webhook secret is malformed\. A secret is whsec_ and/],
      [[SECRET, "whsec_short"], /The webhook secret is malformed/],
    ] as const) {
      warned.mockClear();
      const without = await listen(await serve(secret, () => undefined));
      expect(warned.mock.calls).toEqual([[expect.stringMatching(fault)]]);
      const [status, message] = await sendSigned(without, eventOf("subscription.canceled"));
      expect([status, message]).toEqual([500, expect.stringMatching(fault)]);
    }
  });

  test("takes a body of 1 MB, in pieces and of any content type, and refuses a larger one", async () => {
    const origin = await listen(await serve(SECRET, () => undefined));
    const large = eventOf("subscription.canceled", { note: "x".repeat(1_000_000) });
    expect(await sendSigned(origin, large)).toEqual([204, ""]);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"]) {
      const headers = { ...(await signWebhook(large, SECRET)), "Content-Type": type, "Transfer-Encoding": "chunked" };
      const request = openRequest(`${origin}${PATH}`, { method: "POST", headers });
      for (let at = 0; at < large.length; at += 300_000) request.write(large.slice(at, at + 300_000));
      const [response] = await once(request.end(), "response");
      expect([type, response.resume().statusCode]).toEqual([type, 204]);
    }
    const [status] = await sendSigned(origin, eventOf("subscription.canceled", { note: "x".repeat(1_100_000) }));
    expect(status).toBe(413);
    expect(await sendSigned(origin, eventOf("subscription.canceled"))).toEqual([204, ""]);
  });

  test("leaves the other routes their parsers", async () => {
    const origin = await listen(await serve(SECRET, () => undefined));
    expect(await send(origin, '{ "a": 1 }', {}, "/other")).toEqual([200, '{"a":1}']);
  });
});

describe("a body that was read before the handler", () => {
  const body = eventOf("subscription.canceled");

  test.each([
    ["express.raw", express.raw({ type: "*/*" })],
    ["express.text", express.text({ type: "*/*" })],
  ])("%s in front of the route is as good", async (_, parser) => {
    const app = express().use(parser);
    app.post(PATH, expressWebhooks(SECRET, {}));
    expect(await sendSigned(await listen(app), body)).toEqual([204, ""]);
  });

  test("express.json in front of the route is an error that names the remedy", async () => {
    const app = express().use(express.json());
    app.post(PATH, expressWebhooks(SECRET, {})).use(showError);
    const [status, message] = await sendSigned(await listen(app), body);
    expect([status, message]).toEqual([
      500,
      "The body was parsed before the webhook handler, so its signature can't be checked. " +
        "Put the route of the webhooks in front of app.use(express.json())",
    ]);
  });

  test("a middleware of Hono may read the body", async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.json();
      await next();
    });
    app.post(PATH, honoWebhooks(SECRET, {}));
    expect(await sendSigned(await listen(getRequestListener(app.fetch)), body)).toEqual([204, ""]);
  });

  test("a route of Next.js that has read the body is told so", async () => {
    const request = new Request(`https://app.example.com${PATH}`, { method: "POST", body });
    await request.text();
    await expect(nextWebhooks(SECRET, {})(request)).rejects.toThrow(/^The body was read before the webhook handler/);
  });
});

test("a body that breaks off is refused", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":'));
      controller.error(new Error("aborted"));
    },
  });
  const request = new Request(`https://app.example.com${PATH}`, {
    method: "POST",
    body,
    duplex: "half",
  } as RequestInit);
  const response = await nextWebhooks(SECRET, {})(request);
  expect([response.status, await response.text()]).toEqual([400, "body_incomplete"]);
});
