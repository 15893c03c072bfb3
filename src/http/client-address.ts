import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { addressList, isListed } from "../cidr.ts";

/** Restores an IPv4 address that a dual-stack socket shows as IPv6. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/**
 * The eight numbers of an IPv6 address. `URL` removes leading zeros and writes an embedded IPv4 address in hexadecimal.
 */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address.split("%")[0]}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/**
 * The key by which all rate limits count a client: its IPv4 address, or the /64 of its IPv6 address. A single host gets
 * a whole /64 (RFC 8273), so limits for each of its 2^64 addresses would have no effect. An IPv4 address in IPv6
 * notation counts as IPv4.
 */
export function clientOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/**
 * Finds the client's address. By default it is the address of the peer. If the peer is a trusted proxy, the client's
 * address is the last one in X-Forwarded-For that does not belong to a trusted proxy. Addresses further left are
 * ignored, since any client can write them.
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = addressList(trustedProxies);
  const isTrusted = (address: string) => isListed(trusted, address);
  return (request) => {
    const peer = plain(request.socket.remoteAddress ?? "");
    const forwarded = request.headers["x-forwarded-for"];
    if (trustedProxies.length === 0 || forwarded === undefined || isIP(peer) === 0 || !isTrusted(peer)) return peer;
    let client = peer;
    for (const hop of String(forwarded).split(",").toReversed()) {
      const address = plain(hop.trim());
      if (isIP(address) === 0) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}
