import { createHmac, timingSafeEqual } from "node:crypto";
import { realNow } from "../clock.ts";
import type { Links } from "../store/accounts/tell.ts";

/** All that links are made of: the address of this Billow, and its own secret. A Context has both. */
export type Site = { config: { publicOrigin: string }; secret: string };

/** Links carry a secret made of our own key and what they are for (HMAC-SHA-256, 256 bits): nothing to store, nothing to guess. */
function seal(ctx: Site, purpose: string): string {
  return createHmac("sha256", ctx.secret).update(purpose).digest("base64url");
}

function isSealed(ctx: Site, purpose: string, seal_: string): boolean {
  const wanted = Buffer.from(seal(ctx, purpose));
  const given = Buffer.from(seal_);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** What a hosted page shows, by its whole key. */
export type PageRef = { organizationId: string; id: string };
/** The first part of a hosted page's address, which its seal covers too. */
type PageKind = "checkout" | "invoices" | "credit-notes";

const pagePurpose = (kind: PageKind, { organizationId, id }: PageRef) => `${kind}:${organizationId}:${id}`;
const ORGANIZATION = "org_";
/** Of an id behind its prefix. */
const ID_CHARACTERS = 26;

/** The secret authorises this one page alone, and tells whose it is, so that the row is found by its whole key. */
function pageUrl(ctx: Site, kind: PageKind, page: PageRef): string {
  const secret = page.organizationId.slice(ORGANIZATION.length) + seal(ctx, pagePurpose(kind, page));
  return `${ctx.config.publicOrigin}/${kind}/${page.id}/${secret}`;
}

function openPageUrl(ctx: Site, kind: PageKind, id: string, secret: string): PageRef | null {
  const page = { organizationId: ORGANIZATION + secret.slice(0, ID_CHARACTERS), id };
  return isSealed(ctx, pagePurpose(kind, page), secret.slice(ID_CHARACTERS)) ? page : null;
}

/** The hosted page of one Checkout. */
export function checkoutUrl(ctx: Site, checkout: PageRef): string {
  return pageUrl(ctx, "checkout", checkout);
}

/** Whose Checkout a page's address opens; null for anything but the whole address. */
export function openCheckoutUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "checkout", id, secret);
}

/** The page of one invoice for its buyer; `/pdf` behind it is the document. Good for ever: buyers keep their invoices. */
export function invoiceUrl(ctx: Site, invoice: PageRef): string {
  return pageUrl(ctx, "invoices", invoice);
}

/** Whose invoice a page's address opens; null for anything but the whole address. */
export function openInvoiceUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "invoices", id, secret);
}

/** The page of one credit note for its buyer; `/pdf` behind it is the document. */
export function creditNoteUrl(ctx: Site, creditNote: PageRef): string {
  return pageUrl(ctx, "credit-notes", creditNote);
}

/** Whose credit note a page's address opens; null for anything but the whole address. */
export function openCreditNoteUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "credit-notes", id, secret);
}

const emailsPurpose = (organizationId: string) => `sandbox-emails:${organizationId}`;

/** The page of all e-mails of a sandbox; with `id`, that of one of them. */
export function emailsUrl(ctx: Site, organizationId: string, id?: string): string {
  const secret = organizationId.slice(ORGANIZATION.length) + seal(ctx, emailsPurpose(organizationId));
  return `${ctx.config.publicOrigin}/sandbox/emails/${secret}${id === undefined ? "" : `/${id}`}`;
}

/** Whose e-mails a page's address opens; null for anything but the whole address. */
export function openEmailsUrl(ctx: Site, secret: string): string | null {
  const organizationId = ORGANIZATION + secret.slice(0, ID_CHARACTERS);
  return isSealed(ctx, emailsPurpose(organizationId), secret.slice(ID_CHARACTERS)) ? organizationId : null;
}

/** Where the Customers of an Organization sign in; an address that anybody may know. */
export function portalUrl(ctx: Pick<Site, "config">, organizationId: string): string {
  return `${ctx.config.publicOrigin}/portal/${organizationId}`;
}

/** Signs in whom it was made for, once. */
export function portalLinkUrl(ctx: Site, organizationId: string, secret: string): string {
  return `${portalUrl(ctx, organizationId)}/sign-in/${secret}`;
}

const DOWNLOAD_SECONDS = 15 * 60;

/** What the seal of a download link covers; `expires` in seconds of real time since 1970. */
function downloadPurpose(organizationId: string, grantId: string, file: number, expires: number): string {
  return `download:${organizationId}:${grantId}:${file}:${expires}`;
}

/** A link to one file of a grant, good for a quarter of an hour from `now` (epoch milliseconds of real time). */
export function downloadUrl(ctx: Site, organizationId: string, grantId: string, file: number, now: number): string {
  const expires = Math.floor(now / 1000) + DOWNLOAD_SECONDS;
  const secret = seal(ctx, downloadPurpose(organizationId, grantId, file, expires));
  return `${ctx.config.publicOrigin}/downloads/${organizationId}/${grantId}/${file}?expires=${expires}&signature=${secret}`;
}

export function isDownloadLink(
  ctx: Site,
  link: { organizationId: string; grantId: string; file: number; expires: number; signature: string },
  now: number,
): boolean {
  if (!(link.expires * 1000 > now)) return false;
  return isSealed(ctx, downloadPurpose(link.organizationId, link.grantId, link.file, link.expires), link.signature);
}

/** The links that events show. */
export const linksOf = (site: Site): Links => ({
  invoiceUrl: (invoice) => invoiceUrl(site, invoice),
  checkoutUrl: (checkout) => checkoutUrl(site, checkout),
  downloadUrl: (organizationId, grantId, file) => downloadUrl(site, organizationId, grantId, file, realNow()),
});
