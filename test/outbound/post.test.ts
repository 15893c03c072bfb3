import { execFile } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { PostOptions } from "../../src/outbound/post.ts";
import { ROOT } from "../support/source.ts";
import { BODY, call, POLICY, resolvesTo } from "./call.ts";
import { replies, says, startPeer, type Answer } from "./peer.ts";

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

  test("takes no proxy from the environment, nor leave to ignore certificates", { timeout: 180_000 }, async () => {
    await using peer = await startPeer(replies(204));
    const program = `
      import http from "node:http";
      import { post } from ${JSON.stringify(join(ROOT, "src/outbound/post.ts"))};
      const options = { headers: {}, body: "", now: 0, timeoutMilliseconds: 20_000, policy: ${JSON.stringify(POLICY)} };
      http.get("${peer.url()}").on("error", async ({ code }) => {
        console.log(code, (await post("${peer.url()}", options)).status);
      });`;
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:1", NODE_NO_WARNINGS: "1" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
    expect(stdout).toBe("ECONNREFUSED 204\n");
  });
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
    ["nothing but deadline", (socket) => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), "timeout"],
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
