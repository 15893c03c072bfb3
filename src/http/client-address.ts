import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { addressList, isListed } from "../cidr.ts";

/** An IPv4 address that a dual-stack socket shows as IPv6. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
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
