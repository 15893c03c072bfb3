import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientOf, createClientAddress } from "../../src/http/client-address.ts";

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
  const request = {
    socket: { remoteAddress: peer },
    headers: { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage;
  expect(createClientAddress(trusted)(request)).toBe(client);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:1::2:0:0:1", "2001:db8:1:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["0:0:0:0:0:ffff:203.0.113.9", "203.0.113.9"],
  ["64:ff9b::203.0.113.9", "64:ff9b:0:0::/64"],
  ["", ""],
])("%s is counted as %s", (address, client) => {
  expect(clientOf(address)).toBe(client);
});
