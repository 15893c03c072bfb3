import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { addressList, isListed } from "../cidr.ts";

/** An IPv4 address that a dual-stack socket shows as IPv6. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** The eight numbers of an IPv6 address, which the URL standard writes without leading zeros and with IPv4 in hexadecimal. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address.split("%")[0]}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/**
 * The client that an address is counted as by whatever limits clients: itself, or the /64 of an IPv6 address. A single host is given that
 * much (RFC 8273), and would be let in anew from each of its 2^64 addresses. IPv4 in the notation of IPv6 is IPv4.
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
 * Tells who is asking: the peer, unless that is a trusted proxy; then the last address of X-Forwarded-For that is not one. What
 * stands left of it anybody could have written.
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
