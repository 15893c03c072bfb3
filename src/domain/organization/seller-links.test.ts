import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_ADDRESSES, sellerLinks, type SellerAddresses } from "./seller-links.ts";

test.each<[addresses: Partial<SellerAddresses>, links: string[]]>([
  [{}, []],
  [{ supportEmail: "help@acme.example" }, ["contact mailto:help@acme.example help@acme.example"]],
  [{ supportUrl: "https://www.acme.example/help" }, ["contact https://www.acme.example/help acme.example/help"]],
  [
    { supportEmail: "help@acme.example", supportUrl: "HTTPS://acme.example/" },
    ["contact HTTPS://acme.example/ acme.example", "email mailto:help@acme.example help@acme.example"],
  ],
  [
    { websiteUrl: "https://acme.example", privacyUrl: "https://acme.example/p", termsUrl: "https://acme.example/t" },
    [
      "terms https://acme.example/t acme.example/t",
      "privacy https://acme.example/p acme.example/p",
      "website https://acme.example acme.example",
    ],
  ],
])("of %j are %j", (addresses, links) => {
  expect(
    sellerLinks({ ...NO_ADDRESSES, ...addresses }).map(({ kind, url, shown }) => `${kind} ${url} ${shown}`),
  ).toEqual(links);
});

test("an e-mail address never adds a header to the message", () => {
  fc.assert(
    fc.property(fc.emailAddress(), (supportEmail) => {
      const url = new URL(sellerLinks({ ...NO_ADDRESSES, supportEmail })[0]!.url);
      expect([url.protocol, url.search, url.hash]).toEqual(["mailto:", "", ""]);
      expect(decodeURIComponent(url.pathname)).toBe(supportEmail);
    }),
  );
});
