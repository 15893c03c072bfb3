import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type RunningServer } from "../../src/http/server.ts";
import { createWebApp } from "../../src/web/app.ts";
import type { PageEnvironment } from "../../src/web/environment.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { listening } from "../support/downtime.ts";
import { wordsOf } from "../support/pages.ts";

let app: TestApp;
let server: RunningServer;
let errors: Json[];
let portal: string;
/** `begun` resolves when a page gets the last request, and `answered` resolves with the status of its answer. */
let begun: PromiseWithResolvers<void>;
let answered: PromiseWithResolvers<number>;

beforeAll(async () => {
  app = await startTestApp();
  const heard = listening(app.ctx);
  errors = heard.errors;
  const ctx = { ...heard.ctx, config: { ...app.ctx.config, port: 0 } };
  const pages = createWebApp(ctx);
  const fetch = async (request: Request, environment: PageEnvironment["Bindings"]) => {
    begun.resolve();
    const response = await pages.fetch(request, environment);
    answered.resolve(response.status);
    return response;
  };
  server = await startServer(ctx, { web: { fetch } });
  portal = `/portal/${app.organization.id}`;
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const renew = () => {
  begun = Promise.withResolvers<void>();
  answered = Promise.withResolvers<number>();
};

async function send(body: string | Buffer): Promise<{ status: number; text: string }> {
  renew();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const response = await fetch(`http://127.0.0.1:${server.port}${portal}`, { method: "POST", headers, body });
  return { status: response.status, text: wordsOf(await response.text()) };
}

describe("a form", () => {
  test("that breaks off is no fault of ours", async () => {
    renew();
    const socket = connect(server.port, "127.0.0.1");
    const type = "Content-Type: application/x-www-form-urlencoded";
    socket.write(`POST ${portal} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 500\r\n\r\nemail=`);
    await begun.promise;
    socket.resetAndDestroy();
    expect(await answered.promise).toBe(400);
    expect(errors).toEqual([]);
  });

  test.each([
    ["percent-encoded bytes", "email=a%FF@example.com"],
    ["half a character", "email=a%C3&more=%A9@example.com"],
    ["a percent sign that encodes nothing", "email=a%zz@example.com"],
    ["bytes", Buffer.from("email=a\xff@example.com", "latin1")],
  ])("of %s that are not UTF-8 is refused", async (_name, body) => {
    expect(await send(body)).toEqual({ status: 400, text: expect.stringContaining("was lost on the way") });
  });

  test.each(["a%EF%BF%BD@example.com", "a%E2%80%AE@example.com"])(
    "with the address %s is asked for another one",
    async (email) => {
      expect((await send(`email=${email}`)).status).toBe(422);
    },
  );

  test("with letters of any script is taken", async () => {
    expect((await send("email=%E6%9D%B1%E4%BA%AC%40example.com")).status).toBe(200);
  });

  test("that is one too many is told so in words that are true of every page", async () => {
    const answers = await Promise.all(Array.from({ length: 31 }, () => send("email=")));
    const { text } = answers.find(({ status }) => status === 429)!;
    expect(text).toMatch(/Wait a minute, then try again\..* Refresh $/);
    expect(text).not.toContain("charged");
  });
});
