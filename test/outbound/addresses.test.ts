import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublic, refusalOfUrl, type PostPolicy } from "../../src/outbound/addresses.ts";

const words = (text: string) => text.trim().split(/\s+/);

describe("an address", () => {
  test.each(
    words(`
      1.1.1.1 8.8.8.8 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
      168.63.129.15 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0
      223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808 2001:200::1 2001:4860:4860::8888 2606:4700::1111 2003::1
      2a00:1450::1 3ffe:ffff::1
    `),
  )("%s is public", (address) => expect(isPublic(address)).toBe(true));

  test.each([
    "",
    ...words(`
      0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1 127.255.0.1
      168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
      192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
      255.255.255.255 :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:0:8.8.8.8
      64:ff9b::8.8.8.8 64:ff9b::a00:1 64:ff9b:1::1 100::1 100:0:0:1::1 1fff:ffff::1 2001::1 2001:0:4136:e378::1
      2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2001:1ff:ffff::1 2002:7f00:1::1 2002:808:808::1 3fff::1
      3fff:fff:ffff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%lo febf::1 fec0::1 ff02::1 localhost
      127.1 0x7f.0.0.1 1.2.3.4/8 [::1]
    `),
  ])("%s is not", (address) => expect(isPublic(address)).toBe(false));

  test("of IPv4 within IPv6 is the same in its mapped form, and never public in any other", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const dotted = [a, b, c, d].join(".");
        expect(isPublic(`::ffff:${dotted}`)).toBe(isPublic(dotted));
        expect(isPublic(`::ffff:${hex}`)).toBe(isPublic(dotted));
        for (const form of [
          `::${hex}`,
          `64:ff9b::${hex}`,
          `64:ff9b:1::${hex}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::1`,
          `::ffff:0:${hex}`,
        ]) {
          expect([form, isPublic(form)]).toEqual([form, false]);
        }
      }),
    );
  });
});

describe("a URL", () => {
  const STRICT: PostPolicy = { allowHttp: false, allowLoopback: false, allowed: [] };
  const codeOf = (url: string, change: Partial<PostPolicy> = {}) =>
    refusalOfUrl(url, { ...STRICT, ...change })?.code ?? null;

  test.each(
    words(`
      https://example.com/hooks?a=b https://EXAMPLE.com.:8443/ https://8.8.8.8/ https://[2606:4700::1111]/
      https://bücher.example/ https://10.0.0.1.example.com/ https://notlocalhost/ https://localhost.example/
      https://127-0-0-1.nip.example/
    `),
  )("%s is called", (url) => expect(codeOf(url)).toBeNull());

  test.each([
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "①②⑦.⓪.⓪.①",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "%6c%6f%63%61lhost",
    "0",
    "0.0.0.0",
    "10.1",
    "0xa9fea9fe",
    "169.254.169.254:80",
    "192.168.257",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::10.0.0.1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fd12::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "ⓛocalhost",
    "loc\u00ADalhost",
    "app.localhost",
    "a.b.localhost.:443",
  ])("https://%s/ is not", (host) => expect(codeOf(`https://${host}/`)).toBe("address_not_allowed"));

  test.each([
    "",
    "example.com",
    "//example.com",
    "/hooks",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:,",
    "https://",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "https://example.com@10.0.0.1/",
    "https://256.1.1.1/",
    "https://1.2.3.4.5/",
    "https://[fe80::1%25lo]/",
    "https://[::1",
    "https://exa mple.com/",
    "https://a\u0000b/",
    "https://./",
    "https://%2e/",
    "https://a..b/",
    "https://.example.com/",
    `https://${"a".repeat(64)}.com/`,
    `https://${"a.".repeat(126)}com/`,
    "https://example.com:0/",
  ])("%j is no URL to call", (url) => expect(codeOf(url)).toBe("invalid_url"));

  test.each<[string, Partial<PostPolicy>, string | null]>([
    ["http://example.com/", {}, "https_required"],
    ["http://example.com/", { allowHttp: true }, null],
    ["http://127.0.0.1/", { allowHttp: true }, "address_not_allowed"],
    ["https://localhost:3000/", { allowLoopback: true }, null],
    ["https://app.localhost/", { allowLoopback: true }, null],
    ["https://127.8.9.1/", { allowLoopback: true }, null],
    ["https://[::1]/", { allowLoopback: true }, null],
    ["https://[::ffff:127.0.0.1]/", { allowLoopback: true }, null],
    ["https://0.0.0.0/", { allowLoopback: true }, "address_not_allowed"],
    ["https://10.0.0.1/", { allowLoopback: true }, "address_not_allowed"],
    ["https://10.0.0.1/", { allowed: ["10.0.0.0/24"] }, null],
    ["https://[::ffff:10.0.0.1]/", { allowed: ["10.0.0.0/24"] }, null],
    ["https://10.0.1.1/", { allowed: ["10.0.0.0/24"] }, "address_not_allowed"],
    ["https://[fd12::1]/", { allowed: ["10.0.0.0/24", "fd12::/16"] }, null],
    ["https://localhost/", { allowed: ["127.0.0.1"] }, null],
    ["https://127.0.0.2/", { allowed: ["127.0.0.1"] }, "address_not_allowed"],
  ])("%s with %j: %s", (url, policy, code) => expect(codeOf(url, policy)).toBe(code));
});
