import type { Organization } from "../model/organization.ts";

/** The settings of an Organization that say how buyers reach the seller. */
export type SellerAddresses = Pick<
  Organization,
  "supportEmail" | "supportUrl" | "termsUrl" | "privacyUrl" | "websiteUrl"
>;

/** The addresses of a new Organization. */
export const NO_ADDRESSES: SellerAddresses = {
  supportEmail: null,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  websiteUrl: null,
};

/**
 * A link to the seller. `contact` is the support page, or the support address if there is no page. `email` is the
 * support address beside a support page. `shown`: the address for readers, without `mailto:` and `https://`.
 */
export type SellerLink = {
  kind: "contact" | "email" | "terms" | "privacy" | "website";
  url: string;
  shown: string;
};

/** The `mailto:` URL of an address. `?`, `&` and `%` in the address begin no header of the message. */
function mailTo(address: string): string {
  const at = address.lastIndexOf("@");
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`;
}

const shownUrl = (url: string) => url.replace(/^https:\/\/(www\.)?/i, "").replace(/\/$/, "");

/** The links to the seller that are set, in the order of a footer. */
export function sellerLinks(seller: SellerAddresses): SellerLink[] {
  const { supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl } = seller;
  const page = (kind: SellerLink["kind"], url: string | null) =>
    url === null ? [] : [{ kind, url, shown: shownUrl(url) }];
  const mail = (kind: SellerLink["kind"]) =>
    supportEmail === null ? [] : [{ kind, url: mailTo(supportEmail), shown: supportEmail }];
  return [
    ...(supportUrl === null ? mail("contact") : [...page("contact", supportUrl), ...mail("email")]),
    ...page("terms", termsUrl),
    ...page("privacy", privacyUrl),
    ...page("website", websiteUrl),
  ];
}
