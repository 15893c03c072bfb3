import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { emailsUrl } from "../../../../actions/links.ts";
import { replaceLicenseKeys } from "../../../../domain/model/license-key.ts";
import { canBeSentAgain, hasSecretLink } from "../../../../domain/email/resend.ts";
import type { Email } from "../../../../domain/model/email.ts";
import { valueInWords } from "../../../../domain/words.ts";
import { allows } from "../../../../domain/team/role.ts";
import { isId } from "../../../../ids.ts";
import { emails } from "../../../../store/emails.ts";
import { pathOf } from "../../../components/link.ts";
import type { PageContext } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { messageFrame } from "../../../message-frame.ts";
import { id as shownId, NONE, time } from "../../components/cells.ts";
import { definitions } from "../../components/definitions.ts";
import { notice } from "../../components/notice.ts";
import type { DashboardRequest } from "../../request.ts";
import { maskedKey } from "../license-key.ts";
import { besidePage, CUSTOMER, pageDataOf, type CustomerPageData } from "../part.ts";
import { stateOf, subjectOf } from "./list.ts";

/** A visit to one e-mail to a Customer. */
export type EmailPageData = CustomerPageData & { email: Email };

/** The path of the page of an e-mail. */
export const EMAIL = `${CUSTOMER}/emails/:emailId`;

/** @throws HTTPException 404 unless the e-mail of the path went to the Customer of the path */
export async function emailPageDataOf(c: PageContext, request: DashboardRequest): Promise<EmailPageData> {
  const pageData = await pageDataOf(c, request);
  const id = c.req.param("emailId") ?? "";
  const email = isId("eml", id) ? await emails.find(request.ctx.db.read, request.organization.id, id) : null;
  if (email?.customerId !== pageData.customer.id) throw new HTTPException(404);
  return { ...pageData, email };
}

const withoutKeys = (text: string): string => replaceLicenseKeys(text, maskedKey);

/**
 * The message as a person of the dashboard may read it; null: there is none, or only the recipient may read it. License
 * keys are masked, since only some roles may see a key.
 */
export function messageOf(email: Email): { text: string; html: string } | null {
  const { text, html: inHtml } = email;
  if (hasSecretLink(email) || text === null || inHtml === null) return null;
  return { text: withoutKeys(text), html: withoutKeys(inHtml) };
}

/** In a sandbox, developers read such a message where they read all e-mails. */
function secretNotice({ ctx, request, email }: EmailPageData): Html {
  const { organization, role } = request;
  const href = pathOf(emailsUrl(ctx, organization.id, email.id));
  const link =
    organization.mode === "sandbox" && allows(role, "sandbox")
      ? html` <a href="${href}">Open the mailbox of the sandbox</a>`
      : "";
  return notice(
    "hint",
    html`The message has a link that opens the Customer’s account, so the message is for the recipient alone.${link}`,
  );
}

function messagePart(pageData: EmailPageData): Html {
  const { self, email } = pageData;
  const message = messageOf(email);
  if (message === null)
    return hasSecretLink(email) ? secretNotice(pageData) : html`<p>The e-mail has no message, or it was erased.</p>`;
  const attached =
    email.kind === "receipt"
      ? html`<p class="attached">Attached: the
<a href="${self}?at=${email.invoiceId}#${email.invoiceId}">invoice</a> as a PDF.</p>`
      : "";
  const hasKeys = message.text !== email.text;
  const masked = hasKeys ? notice("hint", "License keys are masked here. The recipient got the whole keys.") : "";
  return html`${attached}${masked}
<h2>As HTML</h2>
<div class="message-frame">${messageFrame(`${self}/emails/${email.id}/message`)}</div>
<h2>As plain text</h2>
<pre class="message-text" tabindex="0">${message.text}</pre>`;
}

/** An e-mail as it was sent. */
export function emailPage(pageData: EmailPageData): Html {
  const { request, self, zone, email, customer } = pageData;
  const { id, recipient, createdAt, sentAt, attempts } = email;
  const mayAgain = allows(request.role, "emails") && canBeSentAgain(email) && customer.deletedAt === null;
  const again = mayAgain
    ? html`<p class="actions"><a class="button small other" href="${self}/emails/${id}/send-again">Send again</a></p>`
    : "";
  const isSandbox = request.organization.mode === "sandbox";
  const why = isSandbox ? "A sandbox keeps its e-mails and sends none to people." : "This server has no mail server.";
  const note = email.status === "kept" ? notice("hint", `This e-mail was kept, not sent. ${why}`) : "";
  const body = html`${note}${definitions([
    ["To", recipient === null ? NONE : html`<bdi>${recipient}</bdi>`],
    ["Kind", valueInWords(email.kind)],
    ["State", stateOf(email)],
    ["Created", time(createdAt, zone)],
    ["Sent", sentAt === null ? NONE : time(sentAt, zone)],
    ["Attempts", String(attempts)],
    ["Id", shownId(id)],
  ])}
${again}
${messagePart(pageData)}`;
  return besidePage(pageData, subjectOf(email), body);
}
