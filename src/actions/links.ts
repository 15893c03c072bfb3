import { isRefusal, Refusal } from "../domain/refusal.ts";
import { realNow } from "../clock.ts";
import { isSigned, sign, type Keyring } from "../keyring.ts";
import type { Links } from "../store/customer-billing/events.ts";

/**
 * The values from which links are made: the public URL of this Billow installation, and its own keys. A Context has
 * both. The secret of a link is the signature of its purpose (HMAC-SHA-256, 256 bits), so links need no storage and
 * can't be guessed.
 */
export type Site = { config: { publicOrigin: string }; keyring: Keyring };

/** The whole key of the row that a hosted page shows. */
export type PageRef = { organizationId: string; id: string };
/** The first part of the path in a hosted page's URL. The signature covers this part too. */
type PageKind = "checkout" | "invoices" | "credit-notes";

const pagePurpose = (kind: PageKind, { organizationId, id }: PageRef) => `${kind}:${organizationId}:${id}`;
const ORGANIZATION = "org_";
const PAYMENT = "pay_";
/** The length of an id after its prefix. */
const ID_CHARACTERS = 26;

/**
 * The secret in the URL opens only this one page. The secret also contains the Organization's id, so that the row is
 * found by its whole key.
 */
function pageUrl(ctx: Site, kind: PageKind, page: PageRef): string {
  const secret = page.organizationId.slice(ORGANIZATION.length) + sign(ctx.keyring, pagePurpose(kind, page));
  return `${ctx.config.publicOrigin}/${kind}/${page.id}/${secret}`;
}

function openPageUrl(ctx: Site, kind: PageKind, id: string, secret: string): PageRef | null {
  const page = { organizationId: ORGANIZATION + secret.slice(0, ID_CHARACTERS), id };
  return isSigned(ctx.keyring, pagePurpose(kind, page), secret.slice(ID_CHARACTERS)) ? page : null;
}

/** The URL of the hosted page of one Checkout. */
export function checkoutUrl(ctx: Site, checkout: PageRef): string {
  return pageUrl(ctx, "checkout", checkout);
}

/** A refusal that names a Checkout (`checkoutId`), with the `url` of its page. Any other error stays as it is. */
export function withCheckoutUrl(ctx: Site, organizationId: string, error: unknown): unknown {
  if (!isRefusal(error, "already_subscribed", "change_in_progress") || error.values.url !== undefined) return error;
  const { checkoutId } = error.values;
  const url = checkoutId === null ? null : checkoutUrl(ctx, { organizationId, id: checkoutId });
  return isRefusal(error, "already_subscribed")
    ? new Refusal("already_subscribed", { ...error.values, url })
    : new Refusal("change_in_progress", { checkoutId, url });
}

/** The Checkout that a page's URL opens; null if the id or the secret is wrong. */
export function openCheckoutUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "checkout", id, secret);
}

/**
 * The URL of the buyer's page of one invoice; with `/pdf` appended, the URL of the document. The URL never expires,
 * because buyers keep their invoices.
 */
export function invoiceUrl(ctx: Site, invoice: PageRef): string {
  return pageUrl(ctx, "invoices", invoice);
}

/** The invoice that a page's URL opens; null if the id or the secret is wrong. */
export function openInvoiceUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "invoices", id, secret);
}

/** The URL of the buyer's page of one credit note; with `/pdf` appended, the URL of the document. */
export function creditNoteUrl(ctx: Site, creditNote: PageRef): string {
  return pageUrl(ctx, "credit-notes", creditNote);
}

/** The credit note that a page's URL opens; null if the id or the secret is wrong. */
export function openCreditNoteUrl(ctx: Site, id: string, secret: string): PageRef | null {
  return openPageUrl(ctx, "credit-notes", id, secret);
}

const LINK = "plk_";

/** The URL of the public page of a payment link. The URL is no secret, and has the Organization to find the row. */
export function paymentLinkUrl(ctx: Pick<Site, "config">, { organizationId, id }: PageRef): string {
  return `${ctx.config.publicOrigin}/buy/${organizationId.slice(ORGANIZATION.length)}${id.slice(LINK.length)}`;
}

/** The payment link that the last part of such a URL names. No row needs to exist. */
export const openPaymentLinkUrl = (name: string): PageRef => ({
  organizationId: ORGANIZATION + name.slice(0, ID_CHARACTERS),
  id: LINK + name.slice(ID_CHARACTERS),
});

const returnPurpose = ({ organizationId, id }: PageRef) => `return:${organizationId}:${id}`;

/**
 * The address to which a provider or a bank sends the buyer of a payment back. The address opens no page by itself: it
 * leads to the page for as long as `openReturn` allows.
 */
export function returnUrl(ctx: Site, payment: PageRef): string {
  const name = payment.organizationId.slice(ORGANIZATION.length) + payment.id.slice(PAYMENT.length);
  return `${ctx.config.publicOrigin}/return/${name}${sign(ctx.keyring, returnPurpose(payment))}`;
}

/** The payment that a return address names; null if the address is not one of ours. */
export function openReturnUrl(ctx: Site, name: string): PageRef | null {
  const organizationId = ORGANIZATION + name.slice(0, ID_CHARACTERS);
  const payment = { organizationId, id: PAYMENT + name.slice(ID_CHARACTERS, 2 * ID_CHARACTERS) };
  return isSigned(ctx.keyring, returnPurpose(payment), name.slice(2 * ID_CHARACTERS)) ? payment : null;
}

const emailsPurpose = (organizationId: string) => `sandbox-emails:${organizationId}`;

/** The URL of the page with all e-mails of a sandbox; with `id`, the URL of the page of that e-mail. */
export function emailsUrl(ctx: Site, organizationId: string, id?: string): string {
  const secret = organizationId.slice(ORGANIZATION.length) + sign(ctx.keyring, emailsPurpose(organizationId));
  return `${ctx.config.publicOrigin}/sandbox/emails/${secret}${id === undefined ? "" : `/${id}`}`;
}

/** The Organization whose e-mails a page's URL opens; null if the secret is wrong. */
export function openEmailsUrl(ctx: Site, secret: string): string | null {
  const organizationId = ORGANIZATION + secret.slice(0, ID_CHARACTERS);
  return isSigned(ctx.keyring, emailsPurpose(organizationId), secret.slice(ID_CHARACTERS)) ? organizationId : null;
}

/** The pages of a sandbox that a person can try without a key. */
export type TryPage = "checkout" | "portal";

const tryPurpose = (page: TryPage, organizationId: string) => `sandbox-try-${page}:${organizationId}`;

/** The URL that leads to a new Checkout of a sandbox's demo, or to the portal of its newest Customer. */
export function tryUrl(ctx: Site, page: TryPage, organizationId: string): string {
  const secret = organizationId.slice(ORGANIZATION.length) + sign(ctx.keyring, tryPurpose(page, organizationId));
  return `${ctx.config.publicOrigin}/sandbox/try/${page}/${secret}`;
}

/** The Organization that such a URL names; null if the secret is wrong. */
export function openTryUrl(ctx: Site, page: TryPage, secret: string): string | null {
  const organizationId = ORGANIZATION + secret.slice(0, ID_CHARACTERS);
  return isSigned(ctx.keyring, tryPurpose(page, organizationId), secret.slice(ID_CHARACTERS)) ? organizationId : null;
}

/** The URL of the page on which the Customers of an Organization sign in. The URL is public. */
export function portalUrl(ctx: Pick<Site, "config">, organizationId: string): string {
  return `${ctx.config.publicOrigin}/portal/${organizationId}`;
}

/** The page of the portal on which a Customer gives another card. */
export function portalCardUrl(ctx: Pick<Site, "config">, organizationId: string): string {
  return `${portalUrl(ctx, organizationId)}/card`;
}

/** The page of the portal on which a Customer agrees to the new price of a Subscription. */
export function portalPriceUrl(ctx: Pick<Site, "config">, organizationId: string, subscriptionId: string): string {
  return `${portalUrl(ctx, organizationId)}/subscriptions/${subscriptionId}/price`;
}

/** The page of the portal on which a Customer sees the purchase of one of their Checkouts. */
export function portalPurchaseUrl(ctx: Pick<Site, "config">, organizationId: string, checkoutId: string): string {
  return `${portalUrl(ctx, organizationId)}/purchases/${checkoutId}`;
}

/** The URL that signs one Customer in, once. */
export function portalLinkUrl(ctx: Site, organizationId: string, secret: string): string {
  return `${portalUrl(ctx, organizationId)}/sign-in/${secret}`;
}

/** A step of a change of the e-mail address that needs a link. */
export type EmailChangeStep = "confirm" | "undo";
const CHANGE = "emc_";

const emailChangePurpose = (step: EmailChangeStep, { organizationId, id }: PageRef) =>
  `portal-email-${step}:${organizationId}:${id}`;

/** The URL that confirms a new e-mail address, or undoes the change. A repeated e-mail has the same URL. */
export function emailChangeUrl(ctx: Site, step: EmailChangeStep, change: PageRef): string {
  const secret = change.id.slice(CHANGE.length) + sign(ctx.keyring, emailChangePurpose(step, change));
  return `${portalUrl(ctx, change.organizationId)}/email/${step}/${secret}`;
}

/** The id of the change that such a URL names; null if the secret is wrong. */
export function openEmailChangeUrl(
  ctx: Site,
  step: EmailChangeStep,
  organizationId: string,
  secret: string,
): string | null {
  const id = CHANGE + secret.slice(0, ID_CHARACTERS);
  const signature = secret.slice(ID_CHARACTERS);
  return isSigned(ctx.keyring, emailChangePurpose(step, { organizationId, id }), signature) ? id : null;
}

/** The first page of the dashboard. */
export const dashboardUrl = (ctx: Pick<Site, "config">): string => `${ctx.config.publicOrigin}/dashboard`;

const INVITATION = "itn_";
/**
 * The way of a link to its person. `mailed`: only the e-mail has the link, so its reader has the mailbox. `handed`: an
 * operator read the link and gave it to the person, so the link proves no mailbox.
 */
export type LinkWay = "mailed" | "handed";
/** The way of a link in an e-mail to a person: without a mail server, the e-mail is a file of the operator. */
export const wayOfMail = ({ mailer }: { mailer: unknown }): LinkWay => (mailer === null ? "handed" : "mailed");
const INVITATION_PURPOSES: Record<LinkWay, string> = { mailed: "team-invitation-mailed", handed: "team-invitation" };
const invitationPurpose = (way: LinkWay, { organizationId, id }: PageRef) =>
  `${INVITATION_PURPOSES[way]}:${organizationId}:${id}`;

/** The URL with which an invited person joins an Organization. */
export function invitationUrl(ctx: Site, invitation: PageRef, way: LinkWay): string {
  const name = invitation.organizationId.slice(ORGANIZATION.length) + invitation.id.slice(INVITATION.length);
  const signature = sign(ctx.keyring, invitationPurpose(way, invitation));
  return `${ctx.config.publicOrigin}/dashboard/invitations/${name}${signature}`;
}

/** The invitation that such a URL names, and the way of the URL; null if the URL is not one of ours. */
export function openInvitationUrl(ctx: Site, name: string): (PageRef & { way: LinkWay }) | null {
  const organizationId = ORGANIZATION + name.slice(0, ID_CHARACTERS);
  const invitation = { organizationId, id: INVITATION + name.slice(ID_CHARACTERS, 2 * ID_CHARACTERS) };
  const signature = name.slice(2 * ID_CHARACTERS);
  const way = (["mailed", "handed"] as const).find((each) =>
    isSigned(ctx.keyring, invitationPurpose(each, invitation), signature),
  );
  return way === undefined ? null : { ...invitation, way };
}

const DOWNLOAD_SECONDS = 15 * 60;

/** The purpose of a download link. `expires`: seconds of real time since 1970. */
function downloadPurpose(organizationId: string, grantId: string, file: number, expires: number): string {
  return `download:${organizationId}:${grantId}:${file}:${expires}`;
}

/** A link to one file of a grant, valid for a quarter of an hour from `now` (epoch milliseconds of real time). */
export function downloadUrl(ctx: Site, organizationId: string, grantId: string, file: number, now: number): string {
  const expires = Math.floor(now / 1000) + DOWNLOAD_SECONDS;
  const secret = sign(ctx.keyring, downloadPurpose(organizationId, grantId, file, expires));
  const path = `/downloads/${organizationId}/${grantId}/${file}`;
  return `${ctx.config.publicOrigin}${path}?expires=${expires}&signature=${secret}`;
}

export function isDownloadLink(
  ctx: Site,
  link: { organizationId: string; grantId: string; file: number; expires: number; signature: string },
  now: number,
): boolean {
  if (!(link.expires * 1000 > now)) return false;
  return isSigned(
    ctx.keyring,
    downloadPurpose(link.organizationId, link.grantId, link.file, link.expires),
    link.signature,
  );
}

/** The links that events show. */
export const linksOf = (site: Site): Links => ({
  invoiceUrl: (invoice) => invoiceUrl(site, invoice),
  checkoutUrl: (checkout) => checkoutUrl(site, checkout),
  downloadUrl: (organizationId, grantId, file) => downloadUrl(site, organizationId, grantId, file, realNow()),
});
