import { isIP } from "node:net";
import { addressList, hostOf, isListed, isLoopback, LOOPBACK } from "../cidr.ts";
import type { UrlFault } from "../domain/refusal.ts";

// The addresses that the IANA special-purpose registries call not globally reachable, and a few more.
const NOT_PUBLIC_V4 = addressList([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16", // a public number, but every machine in Azure reaches the platform there
  "169.254.0.0/16", // link-local; cloud metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // IETF protocols
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved; broadcast
]);
const MAPPED_V4 = addressList(["::ffff:0:0/96"]);
// All addresses ever given out as global unicast. So these are not public: unspecified and loopback, IPv4-compatible
// (::/96), translated (64:ff9b::/96, 64:ff9b:1::/48), discard-only, segment routing, unique local, link-local,
// site-local, multicast.
const GLOBAL_V6 = addressList(["2000::/3"]);
const NOT_PUBLIC_V6 = addressList([
  "2001::/23", // IETF protocols: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, with any IPv4 address in it
  "3fff::/20", // documentation
]);

/** Whether an address is globally reachable. Also false for a text that is not an IP address. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4 || isListed(MAPPED_V4, address)) return !isListed(NOT_PUBLIC_V4, address);
  return family === 6 && isListed(GLOBAL_V6, address) && !isListed(NOT_PUBLIC_V6, address);
}

/** The addresses that may be called. `allowed`: the non-public CIDRs that the operator allows. */
export type PostPolicy = { allowHttp: boolean; allowLoopback: boolean; allowed: readonly string[] };

/** Whether any non-public address may be called. */
export function permitsPrivate({ allowLoopback, allowed }: PostPolicy): boolean {
  return allowLoopback || allowed.length > 0;
}

export function permits({ allowLoopback, allowed }: PostPolicy, address: string): boolean {
  return isPublic(address) || (allowLoopback && isListed(LOOPBACK, address)) || isListed(addressList(allowed), address);
}

/** `code`: the error of a delivery to such a URL. `why`: the fault of the URL. */
export type UrlRefusal = { code: "invalid_url" | "https_required" | "address_not_allowed"; why: UrlFault };

/** A label has 1 to 63 octets, a name at most 253 (RFC 1035). `URL` has made the name ASCII. A final dot is allowed. */
function isName(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return name.length <= 253 && name.split(".").every((label) => label.length > 0 && label.length <= 63);
}

/**
 * The reason to refuse this URL, as far as the URL alone shows one; otherwise null. `post` resolves the host's name and
 * checks its addresses. `URL` turns addresses in odd spellings (`0x7f.1`, `2130706433`, `①②⑦.0.0.1`) into the usual
 * form.
 */
export function refusalOfUrl(text: string, policy: PostPolicy): UrlRefusal | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return { code: "invalid_url", why: "no_url" };
  if (url.username !== "" || url.password !== "") return { code: "invalid_url", why: "credentials" };
  if (url.protocol === "http:" && !policy.allowHttp) return { code: "https_required", why: "http" };
  const host = hostOf(url);
  if (!isIP(host) && !isName(host)) return { code: "invalid_url", why: "no_host" };
  if (url.port === "0") return { code: "invalid_url", why: "port_zero" };
  const local = isLoopback(host) ? ["127.0.0.1", "::1"] : [];
  const addresses = isIP(host) ? [host] : local;
  if (addresses.length === 0 || addresses.some((address) => permits(policy, address))) return null;
  return { code: "address_not_allowed", why: "not_public" };
}
