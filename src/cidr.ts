import { BlockList, isIP } from "node:net";

export type Cidr = { address: string; length: number; family: "ipv4" | "ipv6" };

/** An address or a range of addresses such as `10.0.0.0/8`; undefined for any other text. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = "", digits, ...rest] = text.split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  const most = version === 6 ? 128 : 32;
  const length = digits === undefined ? most : /^\d{1,3}$/.test(digits) ? Number(digits) : Infinity;
  if (version === 0 || length > most || rest.length > 0) return undefined;
  return { address, length, family: version === 6 ? "ipv6" : "ipv4" };
}

/** @throws TypeError for a text that is no CIDR */
export function addressList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of cidrs) {
    const cidr = parseCidr(text);
    if (!cidr) throw new TypeError(`${text} is no CIDR`);
    list.addSubnet(cidr.address, cidr.length, cidr.family);
  }
  return list;
}

/** An IPv4 address also counts in its IPv6 notation (`::ffff:10.0.0.1`). */
export function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

export const LOOPBACK = addressList(["127.0.0.0/8", "::1"]);

/** A URL's host, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Whether a host, as `hostOf` gives it, is this machine itself: an address, or a name that always means it. */
export function isLoopback(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host) || isListed(LOOPBACK, host);
}
