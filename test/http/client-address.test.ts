import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createClientAddress } from "../../src/http/client-address.ts";

const PROXIES = ["10.0.0.0/8", "2001:db8::1"];

test.each([
  // peer                forwarded                         trusted   client
  ["203.0.113.9", undefined, PROXIES, "203.0.113.9"],
  ["203.0.113.9", "1.2.3.4", PROXIES, "203.0.113.9"],
  ["10.0.0.1", "1.2.3.4", PROXIES, "1.2.3.4"],
  ["10.0.0.1", "1.2.3.4", [], "10.0.0.1"],
  ["10.0.0.1", "6.6.6.6, 1.2.3.4", PROXIES, "1.2.3.4"],
  ["10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", PROXIES, "1.2.3.4"],
  ["10.0.0.1", "10.0.0.3, 10.0.0.2", PROXIES, "10.0.0.3"],
  ["10.0.0.1", "1.2.3.4, garbage", PROXIES, "10.0.0.1"],
  ["::ffff:10.0.0.1", "1.2.3.4", PROXIES, "1.2.3.4"],
  ["2001:db8::1", "2001:db8::99", PROXIES, "2001:db8::99"],
  ["2001:db8::2", "1.2.3.4", PROXIES, "2001:db8::2"],
])("%s that forwards %s, where %j are trusted, asks for %s", (peer, forwarded, trusted, client) => {
  const request = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage;
  expect(createClientAddress(trusted)(request)).toBe(client);
});
