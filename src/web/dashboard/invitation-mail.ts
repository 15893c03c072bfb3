import { html } from "hono/html";
import { emailsUrl } from "../../actions/links.ts";
import { isHandedOver } from "../../actions/email/handed-over.ts";
import type { Context } from "../../context.ts";
import type { Invitation } from "../../domain/team/user.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import type { Visit } from "./visit.ts";

/** The reason why an invitation is not sent to its person, and the place of its link. Null: the invitation is sent. */
export function keptMail(ctx: Context, { organization }: Visit): Html | null {
  const { mode, id } = organization;
  if (isHandedOver(ctx, mode)) return null;
  if (mode === "sandbox")
    return html`This sandbox keeps its e-mails and sends none to people. The link of an invitation is in the
<a href="${pathOf(emailsUrl(ctx, id))}">mailbox of the sandbox</a>. Give the link to the person.`;
  return html`This server sends no e-mails, because <code>SMTP_URL</code> is not set. The e-mail with the link is a file
in the folder <code>emails</code> of the data directory. Give the link to the person.`;
}

/** The kept e-mail with the link of an invitation, for owners of a sandbox; empty if the e-mail is sent. */
export function keptMailLink(ctx: Context, visit: Visit, { email, emailId }: Invitation): Html | "" {
  const { mode, id } = visit.organization;
  if (mode !== "sandbox" || isHandedOver(ctx, mode)) return "";
  return html`<a href="${pathOf(emailsUrl(ctx, id, emailId))}">Link<span class="hidden"> for ${email}</span></a> `;
}
