import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { describe, expect, test, vi } from "vitest";
import type { PostPolicy } from "../../src/outbound/addresses.ts";
import type { Resolve } from "../../src/outbound/post.ts";
import { call, POLICY, resolvesTo } from "./call.ts";
import { replies, startPeer } from "./peer.ts";

const STRICT: PostPolicy = { allowHttp: false, allowLoopback: false, allowed: [] };
/** A server with room for two waiting connections. The server accepts connections only when the test allows it. */
const BUSY = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:http").createServer((request, response) => response.end());
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

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
