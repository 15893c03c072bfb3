import { html } from "hono/html";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { sellerLinks, type SellerLink } from "../../domain/organization/seller-links.ts";
import type { Markup } from "../../texts/message.ts";
import type { Words } from "../../texts/words.ts";

function labelOf({ seller: texts }: Words, { kind, shown }: SellerLink, name: Markup): Markup | string {
  if (kind === "contact") return texts.contact.markup({ seller: name });
  return kind === "terms" || kind === "privacy" ? texts[kind] : shown;
}

const nameOf = (organization: Organization) => html`<bdi>${displayName(organization)}</bdi>`;
const anchor = (url: string, label: Markup | string) => html`<a href="${url}" rel="noreferrer">${label}</a>`;

/** The links to the seller at the foot of a page; empty if the seller has set no address. */
export function sellerFooter(words: Words, organization: Organization): Markup | "" {
  const links = sellerLinks(organization);
  if (links.length === 0) return "";
  const item = (link: SellerLink) => html`<li>${anchor(link.url, labelOf(words, link, nameOf(organization)))}</li>`;
  return html`<footer class="seller"><nav aria-label="${words.seller.links}">
<ul>${links.map(item)}</ul>
</nav></footer>`;
}

/** The link to the seller's help, to stand after a text that says to tell the seller; empty without such an address. */
export function contactLink(words: Words, organization: Organization): Markup | "" {
  const contact = sellerLinks(organization).find(({ kind }) => kind === "contact");
  return contact
    ? html`<p class="contact">${anchor(contact.url, labelOf(words, contact, nameOf(organization)))}</p>`
    : "";
}

/** The buyer's consent to the seller's terms, with their links; empty if the seller has no terms. */
export function agreement(words: Words, organization: Organization): Markup | "" {
  const { termsUrl, privacyUrl } = organization;
  const { agree, agreeBoth, agreeTerms, agreePrivacy } = words.seller;
  if (termsUrl === null) return "";
  const slots = { terms: anchor(termsUrl, agreeTerms), seller: nameOf(organization) };
  return privacyUrl === null
    ? agree.markup(slots)
    : agreeBoth.markup({ ...slots, privacy: anchor(privacyUrl, agreePrivacy) });
}
