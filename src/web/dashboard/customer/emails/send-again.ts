import { html } from "hono/html";
import { previewAgain, sendAgain, type AgainPreview } from "../../../../actions/email/resend.ts";
import { valueInWords } from "../../../../domain/words.ts";
import type { Html } from "../../../layout.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { notice } from "../../components/notice.ts";
import { formPages } from "../../form-action.ts";
import { originOf, refusalNotice, type Sent } from "../../sent-form.ts";
import { besidePage, effects } from "../part.ts";
import { subjectOf } from "./list.ts";
import { EMAIL, emailPageDataOf, type EmailPageData } from "./page.ts";

function confirmation({ self, email, request }: EmailPageData, sent: Sent, preview: AgainPreview): Html {
  if ("skip" in preview) {
    const why = valueInWords(preview.skip);
    return notice("warning", `This e-mail is out of date (${why}), so it can't be sent again.`);
  }
  const { recipient, subject } = preview;
  const moved =
    email.recipient === null || email.recipient === recipient
      ? []
      : [html`The first e-mail went to <bdi>${email.recipient}</bdi>.`];
  const note = request.organization.mode === "sandbox" ? ["A sandbox keeps its e-mails and sends none to people."] : [];
  return confirmPanel(sent, {
    effect: effects([
      html`A new e-mail goes to <bdi>${recipient}</bdi>.`,
      html`Its subject is <bdi>“${subject}”</bdi>.`,
      ...moved,
      "The new e-mail uses the Customer’s present language and data.",
      ...note,
    ]),
    label: `Send to ${recipient}`,
    back: `${self}/emails/${email.id}`,
  });
}

/** `…/customers/{customerId}/emails/{emailId}/send-again`. */
export const sendAgainPages = formPages<EmailPageData, undefined, AgainPreview>({
  path: `${EMAIL}/send-again`,
  permission: "emails",
  load: emailPageDataOf,
  effect: ({ ctx, request, email }) => previewAgain(ctx, request.organization.id, email.id),
  page(pageData, sent, preview) {
    const body = html`${refusalNotice(sent)}
<p class="back">First e-mail: <bdi>${subjectOf(pageData.email)}</bdi></p>
${preview === null ? "" : confirmation(pageData, sent, preview)}`;
    return besidePage(pageData, "Send the e-mail again", body);
  },
  async act({ ctx, customer, email }, _, sent) {
    const about = { operation: "sendEmailAgain", resourceId: email.id, customerId: customer.id };
    await sendAgain(ctx, originOf<string>(sent, about), email.id);
  },
  after: ({ self }) => `${self}?done=sent-again`,
});
