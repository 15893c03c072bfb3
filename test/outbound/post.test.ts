import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type { PostPolicy } from "../../src/outbound/addresses.ts";
import { post, type PostOptions, type Resolve } from "../../src/outbound/post.ts";
import { ROOT } from "../support/source.ts";
import { replies, says, startPeer, type Answer } from "./peer.ts";

/** 127.0.0.1 stands for an allowed address, and every other address that is not public for a refused one. */
const POLICY: PostPolicy = { allowHttp: true, allowLoopback: false, allowed: ["127.0.0.1"] };
const STRICT: PostPolicy = { allowHttp: false, allowLoopback: false, allowed: [] };
const BODY = '{"type":"customer.created"}';
const call = (url: string, options: Partial<PostOptions> = {}) =>
  post(url, {
    headers: { "Content-Type": "application/json" },
    body: BODY,
    now: Date.parse("2026-01-31T00:00:00Z"),
    timeoutMilliseconds: 20_000,
    policy: POLICY,
    ...options,
  });
/** A server with room for two waiting connections. It accepts them only once the test lets it. */
const BUSY = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:http").createServer((request, response) => response.end());
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;
/** Resolves every name to these addresses. */
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

async function outcomeOf(answer: Answer, options: Partial<PostOptions> = {}) {
  await using peer = await startPeer(answer);
  const { durationMs, ...outcome } = await call(peer.url(), options);
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return outcome;
}

describe("a request", () => {
  test("is sent exactly as it was asked for", async () => {
    await using peer = await startPeer(replies(200, { "Set-Cookie": "a=b" }, "thanks"));
    const headers = { "Content-Type": "application/json", "User-Agent": "Billow/1", "webhook-id": "evt_1" };
    const expected = { status: 200, body: "thanks", retryAfter: null, durationMs: expect.any(Number) };
    expect(
      await call(peer.url("hooks.test", "/a%20b?c=%C3%A9#d"), { headers, resolve: resolvesTo("127.0.0.1") }),
    ).toEqual(expected);
    await call(peer.url("hooks.test"), {
      headers,
      body: new TextEncoder().encode("é"),
      resolve: resolvesTo("127.0.0.1"),
    });
    const lines = (path: string, length: number, body: string) => [
      `POST ${path} HTTP/1.1`,
      "Accept-Encoding: identity",
      "Content-Type: application/json",
      "User-Agent: Billow/1",
      "webhook-id: evt_1",
      `Host: hooks.test:${peer.port}`,
      "Connection: keep-alive",
      `Content-Length: ${length}`,
      "",
      body,
    ];
    expect(peer.requests.map((text) => text.split("\r\n"))).toEqual([
      lines("/a%20b?c=%C3%A9", 27, BODY),
      lines("/", 2, "é"),
    ]);
    expect(peer.connections()).toBe(1);
  });

  test("has a new connection if its name leads elsewhere by now, or if the kept one is not permitted", async () => {
    await using peer = await startPeer(replies(200));
    const policy = { ...POLICY, allowLoopback: true };
    const to = (...addresses: string[]) => call(peer.url("hooks.test"), { policy, resolve: resolvesTo(...addresses) });
    for (const addresses of [["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1", "::1"]])
      expect(await to(...addresses)).toMatchObject({ status: 200 });
    expect([peer.requests.length, peer.connections()]).toEqual([3, 2]);
    expect(await call(peer.url("0.0.0.0"), { policy: { ...policy, allowed: ["0.0.0.0"] } })).toMatchObject({
      status: 200,
    });
    const strict = { ...POLICY, allowed: ["0.0.0.0"] };
    expect(await call(peer.url("0.0.0.0"), { policy: strict })).toMatchObject({ error: "address_not_allowed" });
    expect(peer.requests).toHaveLength(4);
  });

  test("is sent again, on another connection, where the kept one ends just as it goes out", async () => {
    let requests = 0;
    await using peer = await startPeer((socket) =>
      (requests += 1) === 2 ? socket.resetAndDestroy() : replies(200)(socket),
    );
    for (let n = 0; n < 2; n++) expect(await call(peer.url())).toMatchObject({ status: 200 });
    expect([peer.requests.length, peer.connections()]).toEqual([3, 2]);
  });

  test("is not sent again where the kept one breaks off within an answer", async () => {
    let requests = 0;
    const breaksOff: Answer = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", () => socket.resetAndDestroy());
    };
    await using peer = await startPeer((socket) => ((requests += 1) === 1 ? replies(200) : breaksOff)(socket));
    for (let n = 0; n < 3; n++) expect(await call(peer.url())).toMatchObject({ status: 200 });
    expect(peer.requests).toHaveLength(3);
  });

  test("takes no proxy from the environment, nor leave to ignore certificates", { timeout: 60_000 }, async () => {
    await using peer = await startPeer(replies(204));
    const program = `
      import http from "node:http";
      import { post } from ${JSON.stringify(join(ROOT, "src/outbound/post.ts"))};
      const options = { headers: {}, body: "", now: 0, timeoutMilliseconds: 20_000, policy: ${JSON.stringify(POLICY)} };
      http.get("${peer.url()}").on("error", async ({ code }) => console.log(code, (await post("${peer.url()}", options)).status));`;
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:1", NODE_NO_WARNINGS: "1" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
    expect(stdout).toBe("ECONNREFUSED 204\n");
  });
});

describe("an address", () => {
  test.each([
    "http://10.0.0.1/",
    "http://2130706434/",
    "http://[::1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::7f00:1]/",
  ])("in the URL itself is held against the policy: %s", async (url) =>
    expect(await call(url, { policy: { ...POLICY, allowed: ["127.0.0.1/32"] } })).toMatchObject({
      error: "address_not_allowed",
    }),
  );

  test.each([
    [["10.0.0.1"]],
    [["169.254.169.254"]],
    [["::1"]],
    [["::ffff:10.0.0.1"]],
    [["fe80::1%lo"]],
    [["127.0.0.1", "10.0.0.1"]],
    [["10.0.0.1", "127.0.0.1"]],
    [["127.0.0.1", "64:ff9b::127.0.0.1"]],
    [["not an address"]],
  ])("among those of a name that is not permitted refuses the name: %j", async (addresses) => {
    await using peer = await startPeer(replies(200));
    expect(await call(peer.url("10.0.0.1.nip.test"), { resolve: resolvesTo(...addresses) })).toMatchObject({
      error: "address_not_allowed",
    });
    expect(peer.connections()).toBe(0);
  });

  test("that changes between two questions is never the second one", async () => {
    await using peer = await startPeer(replies(200));
    const asked: string[] = [];
    const rebinding: Resolve = async (name) => (asked.push(name) === 1 ? ["127.0.0.1"] : ["169.254.169.254"]);
    expect(await call(peer.url("rebind.test"), { resolve: rebinding })).toMatchObject({ status: 200 });
    expect(asked).toEqual(["rebind.test"]);
    expect(await call(peer.url("rebind.test"), { resolve: rebinding })).toMatchObject({ error: "address_not_allowed" });
    expect([asked.length, peer.connections()]).toEqual([2, 1]);
  });

  test("that the system makes another one of is refused once it is connected", async () => {
    await using peer = await startPeer(replies(200));
    const policy = { ...POLICY, allowed: ["0.0.0.0"] };
    expect(await call(peer.url("0.0.0.0"), { policy })).toMatchObject({ error: "address_not_allowed" });
    expect(peer.requests).toEqual([]);
  });

  test("without a listener gives way to another one of the name", async () => {
    await using peer = await startPeer(replies(200));
    const policy = { ...POLICY, allowLoopback: true };
    expect(await call(peer.url("hooks.test"), { policy, resolve: resolvesTo("::1", "127.0.0.1") })).toMatchObject({
      status: 200,
    });
    expect(await call(peer.url("localhost"), { policy })).toMatchObject({ status: 200 });
  });

  // While the server accepts no connection, only those that wait have a place. A further one is asked for again after
  // a second.
  test("that takes a second to connect is not given up for another one of the name", async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(BUSY, { eval: true, workerData: gate });
    const [port] = (await once(worker, "message")) as [number];
    const waiting = Array.from({ length: 2 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
    await Promise.all(waiting.map((socket) => once(socket, "connect")));
    const onSocket = (message: unknown) =>
      (message as { socket: Socket }).socket.once("connectionAttempt", () =>
        setImmediate(() => {
          Atomics.store(gate, 0, 1);
          Atomics.notify(gate, 0);
        }),
      );
    subscribe("net.client.socket", onSocket);
    const policy = { ...POLICY, allowLoopback: true };
    const outcome = await call(`http://hooks.test:${port}/`, { policy, resolve: resolvesTo("127.0.0.1", "127.0.0.2") });
    unsubscribe("net.client.socket", onSocket);
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
    expect(outcome).toMatchObject({ status: 200 });
  });

  test("of a redirect is not called", async () => {
    await using secret = await startPeer(replies(200, {}, "secret"));
    await using peer = await startPeer(replies(307, { Location: secret.url() }));
    expect(await call(peer.url())).toMatchObject({ status: 307, body: "" });
    expect(secret.connections()).toBe(0);
  });

  test.each<[string, string[] | null, string[] | null, string]>([
    ["private", ["10.0.0.1"], null, "address_not_allowed"],
    ["private in IPv6 alone", ["93.184.216.34"], ["fd00::1"], "address_not_allowed"],
    ["none", null, null, "dns_failed"],
    ["none in either", [], [], "dns_failed"],
  ])("of a name comes from the DNS: %s", async (_, v4, v6, error) => {
    const answer = (addresses: string[] | null) =>
      addresses ? Promise.resolve(addresses) : Promise.reject(new Error("ENOTFOUND"));
    using resolve4 = vi.spyOn(Resolver.prototype, "resolve4").mockImplementation((() => answer(v4)) as never);
    using resolve6 = vi.spyOn(Resolver.prototype, "resolve6").mockImplementation((() => answer(v6)) as never);
    expect(await call("https://hooks.test/", { policy: STRICT })).toMatchObject({ error });
    expect([resolve4.mock.calls, resolve6.mock.calls]).toEqual([[["hooks.test"]], [["hooks.test"]]]);
  });

  test("of a name that can't be resolved: dns_failed", async () => {
    const failing = () => Promise.reject(new Error("SERVFAIL"));
    expect(await call("http://hooks.test/", { resolve: failing })).toMatchObject({ error: "dns_failed" });
    expect(await call("http://hooks.test/", { resolve: resolvesTo() })).toMatchObject({ error: "dns_failed" });
  });

  test("of a name that takes too long: timeout", async () => {
    const silent = () => new Promise<never>(() => undefined);
    expect(await call("http://hooks.test/", { resolve: silent, timeoutMilliseconds: 50 })).toMatchObject({
      error: "timeout",
    });
  });
});

test.each([
  ["http://example.com/", "https_required"],
  ["https://127.0.0.1/", "address_not_allowed"],
  ["https://user@example.com/", "invalid_url"],
  ["mailto:ada@example.com", "invalid_url"],
  ["", "invalid_url"],
])("%j is refused before anybody is asked: %s", async (url, error) => {
  const resolve = vi.fn<Resolve>();
  expect(await call(url, { policy: STRICT, resolve })).toEqual({ error, durationMs: expect.any(Number) });
  expect(resolve).not.toHaveBeenCalled();
});

describe("an answer", () => {
  test.each([200, 201, 301, 400, 404, 410, 429, 500, 599])("%i is its status", async (status) => {
    expect(await outcomeOf(replies(status, {}, "why"))).toEqual({ status, body: "why", retryAfter: null });
  });

  test.each<[string, Answer]>([
    ["204", says("HTTP/1.1 204 No Content", "", "")],
    ["304", says("HTTP/1.1 304 Not Modified", "Content-Length: 10", "", "")],
    ["HTTP/1.0", says("HTTP/1.0 200 OK", "", "")],
  ])("%s without a body", async (_, answer) =>
    expect(await outcomeOf(answer)).toMatchObject({ status: expect.any(Number), body: "" }),
  );

  test("may come after others that say to wait", async () => {
    const answer = says(
      "HTTP/1.1 100 Continue",
      "",
      "HTTP/1.1 103 Early Hints",
      "Link: <a>",
      "",
      "HTTP/1.1 202 Accepted",
      "",
      "late",
    );
    expect(await outcomeOf(answer)).toEqual({ status: 202, body: "late", retryAfter: null });
  });

  test("keeps 2 KB of text that PostgreSQL takes", async () => {
    const bodyOf = async (bytes: string | Uint8Array) =>
      ((await outcomeOf(replies(200, {}, bytes))) as { body: string }).body;
    expect(await bodyOf("a\0b\u0000")).toBe("a\uFFFDb\uFFFD");
    expect(await bodyOf(Uint8Array.of(0xff, 0x61, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xe2, 0x82))).toBe(
      "\uFFFDa\uFFFD(\uFFFD\uFFFD\uFFFD\uFFFD",
    );
    expect(await bodyOf("x".repeat(5000))).toBe("x".repeat(2048));
    expect(await bodyOf("é".repeat(1500))).toBe("é".repeat(1024));
    expect(await bodyOf(`x${"é".repeat(1500)}`)).toBe(`x${"é".repeat(1023)}`);
  });

  test("is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { body } = (await outcomeOf(replies(200, { "Content-Encoding": "gzip" }, bomb))) as { body: string };
    expect(body.slice(0, 2)).toBe("\u001f\uFFFD");
    expect(body.length).toBeLessThanOrEqual(2048);
  });

  test("that never ends is cut", async () => {
    let closed: Promise<unknown> | undefined;
    const pour = (socket: Socket) => {
      closed = new Promise((resolve) => socket.once("close", resolve));
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const more = () => void (socket.writable && socket.write(`3e8\r\n${"x".repeat(1000)}\r\n`, more));
      more();
    };
    await using peer = await startPeer(pour);
    expect(await call(peer.url())).toMatchObject({ status: 200, body: "x".repeat(2048) });
    await closed;
  });

  test.each<[string, Answer]>([
    ["stays away", (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthank")],
    [
      "breaks off",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthank", () => socket.destroy()),
    ],
    [
      "is not chunked as it says",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nthank\r\nno"),
    ],
  ])("counts by its status when the rest of its body %s", async (_, answer) => {
    expect(await outcomeOf(answer, { timeoutMilliseconds: 500 })).toEqual({
      status: 200,
      body: "thank",
      retryAfter: null,
    });
  });

  test("that never ends is not waited for as long as an answer is", async () => {
    const outcome = await outcomeOf((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthank"), {
      timeoutMilliseconds: 600_000,
    });
    expect(outcome).toEqual({ status: 200, body: "thank", retryAfter: null });
  });

  test.each<[string | undefined, string | undefined, number | null]>([
    // Retry-After, Date, seconds
    [undefined, undefined, null],
    ["120", undefined, 120],
    ["0", undefined, 0],
    ["-1", undefined, null],
    ["1.5", undefined, null],
    ["soon", undefined, null],
    ["99999999999", undefined, null],
    ["2026-01-31", "Sat, 31 Jan 2026 00:00:00 GMT", null],
    ["Sat, 31 Jan 2026 00:01:00 GMT", "Sat, 31 Jan 2026 00:00:00 GMT", 60],
    ["Sat, 31 Jan 2026 00:00:00 GMT", "Sat, 31 Jan 2026 00:01:00 GMT", 0],
    // Without a valid Date our own clock counts, which shows midnight.
    ["Sat, 31 Jan 2026 00:01:00 GMT", undefined, 60],
    ["Sat, 31 Jan 2026 00:01:00 GMT", "today", 60],
    ["Fri, 30 Jan 2026 00:01:00 GMT", undefined, 0],
    ["Saturday, 31-Jan-26 00:01:00 GMT", undefined, 60],
    ["Sat Jan 31 00:01:00 2026", undefined, 60],
    ["Sun Feb  1 00:00:00 2026", "Saturday, 31-Jan-26 23:59:00 GMT", 60],
    ["Sat Foo 31 00:01:00 2026", undefined, null],
    ["Saturday, 99-Jan-26 00:01:00 GMT", undefined, null],
    ["Sat, 99 Foo 2026 00:01:00 GMT", "Sat, 31 Jan 2026 00:00:00 GMT", null],
  ])("that asks to wait by Retry-After: %s at %s: %s", async (retryAfter, date, seconds) => {
    const headers = { ...(retryAfter && { "Retry-After": retryAfter }), ...(date && { Date: date }) };
    expect(await outcomeOf(replies(503, headers))).toEqual({ status: 503, body: "", retryAfter: seconds });
  });
});

describe("no answer", () => {
  const trickle = (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("a: b\r\n"), 10);
    socket.once("close", () => clearInterval(timer));
  };
  const flood = (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const more = () => void (socket.writable && socket.write(`a: ${"b".repeat(100)}\r\n`, more));
    more();
  };

  test.each<[string, Answer, string]>([
    ["silence", () => undefined, "timeout"],
    ["headers by drops", trickle, "timeout"],
    ["nothing but patience", (socket) => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), "timeout"],
    ["a large header", says("HTTP/1.1 200 OK", `a: ${"b".repeat(20_000)}`, "", ""), "bad_response"],
    ["headers without end", flood, "bad_response"],
    ["another protocol", says("220 mail.test ESMTP", ""), "bad_response"],
    [
      "an offer of another protocol",
      says("HTTP/1.1 101 Switching Protocols", "Connection: upgrade", "Upgrade: a", "", ""),
      "bad_response",
    ],
    ["an impossible status", says("HTTP/1.1 999 What", "", ""), "bad_response"],
    ["two lengths", says("HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2", "", "ab"), "bad_response"],
    ["a good bye", (socket) => socket.end(), "connection_failed"],
    ["a reset", (socket) => socket.resetAndDestroy(), "connection_failed"],
    ["half of a status", says("HTTP/1.1 2"), "connection_failed"],
  ])("%s", async (_, answer, error) => {
    expect(await outcomeOf(answer, { timeoutMilliseconds: error === "timeout" ? 300 : 20_000 })).toEqual({ error });
  });

  test("no server there", async () => {
    const { port } = await (async () => {
      await using peer = await startPeer(replies(200));
      return peer;
    })();
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ error: "connection_failed" });
  });
});
