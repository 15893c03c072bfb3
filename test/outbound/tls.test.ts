import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { post } from "../../src/outbound/post.ts";
import { createCertificate } from "../support/certificate.ts";
import { replies, startPeer, type Answer } from "./peer.ts";

const policy = { allowHttp: false, allowLoopback: true, allowed: [] };
const call = (url: string) =>
  post(url, {
    headers: {},
    body: "{}",
    now: 0,
    timeoutMilliseconds: 20_000,
    policy,
    resolve: async () => ["127.0.0.1"],
  });

afterEach(() => {
  delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  setDefaultCACertificates([]);
});

test.each(["hooks.test", "hooks.test."])("a receiver is told its name: %s", async (host) => {
  const pair = createCertificate(["hooks.test"]);
  setDefaultCACertificates([pair.cert]);
  const names: unknown[] = [];
  const answer: Answer = (socket) => {
    names.push((socket as TLSSocket).servername);
    replies(200, {}, "thanks")(socket);
  };
  await using peer = await startPeer(answer, pair);
  expect(await call(peer.url(host))).toMatchObject({ status: 200, body: "thanks" });
  expect(names).toEqual(["hooks.test"]);
});

test.each<[string, { cert: string; key: string }, boolean]>([
  ["that is not trusted", createCertificate(["hooks.test"]), false],
  ["of somebody else", createCertificate(["other.test"]), true],
  ["that has expired", createCertificate(["hooks.test"], new Date("2020-01-01T00:00:00Z")), true],
])("a certificate %s is refused, also if the environment allows it", async (_, pair, trusted) => {
  if (trusted) setDefaultCACertificates([pair.cert]);
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  await using peer = await startPeer(replies(200), pair);
  expect(await call(peer.url("hooks.test"))).toMatchObject({ error: "tls_failed" });
  expect(peer.requests).toEqual([]);
});

test.each<[string, (socket: Socket) => unknown]>([
  ["speaks no TLS", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["breaks off", (socket) => socket.destroy()],
])("a receiver that %s is no receiver", async (_, receive) => {
  const server = createServer((socket) => socket.on("error", () => undefined).once("data", () => receive(socket)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  expect(await call(`https://hooks.test:${port}/`)).toMatchObject({ error: "tls_failed" });
  await once(server.close(), "close");
});
