import type { Context } from "../../context.ts";
import { fileName } from "../../documents/billing-document.ts";
import { renderPdf } from "../../documents/render.ts";
import type { Email } from "../../domain/model/email.ts";
import { displayName } from "../../domain/model/organization.ts";
import { languageIn } from "../../mail/email-content.ts";
import type { OutgoingEmail } from "../../outbound/smtp.ts";
import type { Composed } from "./compose-email.ts";

/** The e-mail in the form that a mail server accepts, with the document rendered as its attachment. */
export async function outgoing(
  ctx: Context,
  email: Email,
  composed: Omit<Composed, "kind" | "realNow">,
): Promise<OutgoingEmail> {
  const { organization, name, recipient, message, document } = composed;
  const pdf = document && {
    filename: fileName(document),
    content: await renderPdf(organization.id, document),
    contentType: "application/pdf",
  };
  return {
    id: email.id,
    from: { name: displayName(organization), address: ctx.config.emailFrom },
    to: { name, address: recipient },
    ...message,
    language: languageIn(message.html),
    attachments: pdf ? [pdf] : [],
  };
}
