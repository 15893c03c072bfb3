import { html } from "hono/html";
import { mailSignIn } from "../../../actions/customer/mail-sign-in.ts";
import { createCustomerPortalSession } from "../../../actions/customer/portal-sessions.ts";
import type { PortalLink } from "../../../actions/customer/portal-links.ts";
import { isHandedOver } from "../../../actions/email/hand-over.ts";
import { portalUrl } from "../../../actions/links.ts";
import { LINK_MINUTES, SUPPORT_LINK_HOURS } from "../../../domain/model/portal-session.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { copyableLink } from "../components/copyable.ts";
import { notice } from "../components/notice.ts";
import { secret } from "../components/secret.ts";
import { formPages, together } from "../form-action.ts";
import { originOf, refusalNotice } from "../sent-form.ts";
import { besidePage, CUSTOMER, livingPageDataOf, pageDataOf, type CustomerPageData } from "./part.ts";

const TITLE = "Link to the portal";
const MAIL_TITLE = "Sign-in link by e-mail";

const GONE = "This Customer is deleted and has no e-mail address any more.";

const mailLabel = ({ customer }: CustomerPageData): string => `E-mail a sign-in link to ${customer.email}`;
const mailPath = ({ self }: CustomerPageData): string => `${self}/portal-link/email`;

/** The effect of the e-mail. A sandbox, or a server without a mail server, keeps the e-mail. */
function mailEffect({ ctx, request, customer }: CustomerPageData): Html {
  const portal = portalUrl(ctx, request.organization.id);
  const isSandbox = request.organization.mode === "sandbox";
  const why = isSandbox
    ? "A sandbox keeps its e-mails and sends none to people."
    : "This server has no mail server, so the e-mail is kept.";
  const note = isHandedOver(ctx, request.organization.mode) ? "" : html` ${why}`;
  return html`<p>The e-mail goes to <bdi>${customer.email}</bdi>. The link in the e-mail works once, within
${LINK_MINUTES} minutes. The Customer can also ask for this e-mail at
${copyableLink(portal, "address of the portal")}${note}</p>`;
}

function secretPage(pageData: CustomerPageData, url: string): Html {
  const body = html`<p>This page shows the link only once. The link works once, within
${SUPPORT_LINK_HOURS} hours.</p>
${secret("Link to the portal", url)}
<p>Billow can also e-mail another link, which works within ${LINK_MINUTES} minutes.</p>
<p class="actions">
<a class="button small other" href="${mailPath(pageData)}"><bdi>${mailLabel(pageData)}</bdi></a></p>`;
  return besidePage(pageData, TITLE, body);
}

const linkPage = formPages<CustomerPageData>({
  path: `${CUSTOMER}/portal-link`,
  permission: "customers",
  asksAgain: true,
  load: livingPageDataOf,
  page(pageData, sent) {
    const { customer, self } = pageData;
    const effect = html`<p>“Create the link” shows a link that signs a browser in to the portal as
<bdi>${customer.email}</bdi>. The link works once, within ${SUPPORT_LINK_HOURS} hours. Each person with the link can
sign in, so send the link only to this Customer.</p>
<p>“E-mail a sign-in link” sends an e-mail without showing the link here.</p>
${mailEffect(pageData)}`;
    const others = html`<button class="button small other" type="submit" formaction="${mailPath(pageData)}">
<bdi>${mailLabel(pageData)}</bdi></button>`;
    const panel = confirmPanel(sent, { effect, label: "Create the link", others, back: self });
    return besidePage(pageData, TITLE, html`${refusalNotice(sent)}${panel}`);
  },
  async act(pageData, _, sent) {
    const { id } = pageData.customer;
    const about = { operation: "createCustomerPortalSession", resourceId: id, customerId: id };
    const origin = originOf<PortalLink>(sent, about);
    const { url } = await createCustomerPortalSession(pageData.ctx, origin, id, null, true);
    return { page: secretPage(pageData, url) };
  },
  after: ({ self }) => `${self}/portal-link`,
});

/** `…/customers/{customerId}/portal-link/email`: sends the portal's sign-in e-mail to a Customer. */
const mailPage = formPages<CustomerPageData>({
  path: `${CUSTOMER}/portal-link/email`,
  permission: "customers",
  // The Customer's address can be edited without the password, and its new reader could sign in.
  asksAgain: true,
  load: pageDataOf,
  page(pageData, sent) {
    const refusal = refusalNotice(sent);
    if (pageData.customer.deletedAt !== null)
      return besidePage(pageData, MAIL_TITLE, html`${refusal || notice("warning", GONE)}`);
    const panel = { effect: mailEffect(pageData), label: mailLabel(pageData), back: pageData.self };
    return besidePage(pageData, MAIL_TITLE, html`${refusal}${confirmPanel(sent, panel)}`);
  },
  async act({ ctx, customer: { id } }, _, sent) {
    const about = { operation: "mailPortalSignIn", resourceId: id, customerId: id };
    await mailSignIn(ctx, originOf<string>(sent, about), id);
  },
  after: ({ self }) => `${self}?done=sign-in-mailed`,
});

/**
 * `…/customers/{customerId}/portal-link`: a link that signs a Customer in, which only the answer to the form shows, and
 * the same by e-mail.
 */
export const portalLinkPages = together(linkPage, mailPage);
