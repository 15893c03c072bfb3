import type { Hono } from "hono";
import { html } from "hono/html";
import { previewAgain, sendAgain, type AgainPreview } from "../../../../actions/email/send-again.ts";
import type { Context } from "../../../../context.ts";
import { valueInWords } from "../../../../domain/words.ts";
import type { PageEnvironment } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { notice } from "../../components/notice.ts";
import { deed } from "../../deed.ts";
import type { DashboardDoor } from "../../door.ts";
import { hiddenFields, originOf, refusalNotice, type Sent } from "../../sent.ts";
import { deedPage, effects, previewed } from "../money/deed-page.ts";
import { subjectOf } from "./list.ts";
import { EMAIL, emailSceneOf, type EmailScene } from "./page.ts";

function confirmation({ self, email, visit }: EmailScene, sent: Sent, preview: AgainPreview): Html {
  if ("skip" in preview) {
    const why = valueInWords(preview.skip);
    return notice("warning", `This e-mail is out of date (${why}), so it can't be sent again.`);
  }
  const { recipient, subject } = preview;
  const moved =
    email.recipient === null || email.recipient === recipient
      ? []
      : [html`The first e-mail went to <bdi>${email.recipient}</bdi>.`];
  const kept = visit.organization.mode === "sandbox" ? ["A sandbox keeps its e-mails and sends none to people."] : [];
  return confirmPanel({
    hidden: hiddenFields(sent),
    effect: effects([
      html`A new e-mail goes to <bdi>${recipient}</bdi>.`,
      html`Its subject is <bdi>“${subject}”</bdi>.`,
      ...moved,
      "The new e-mail uses the Customer’s present language and data.",
      ...kept,
    ]),
    label: `Send to ${recipient}`,
    back: `${self}/emails/${email.id}`,
  });
}

async function page(scene: EmailScene, given: Sent): Promise<Html> {
  const { ctx, visit, email } = scene;
  const { sent, preview } = await previewed(given, () => previewAgain(ctx, visit.organization.id, email.id));
  const body = html`${refusalNotice(sent)}
<p class="back">First e-mail: <bdi>${subjectOf(email)}</bdi></p>
${preview === null ? "" : confirmation(scene, sent, preview)}`;
  return deedPage(scene, "Send the e-mail again", body);
}

/** `…/customers/{customerId}/emails/{emailId}/send-again`. */
export function sendAgainPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<EmailScene>(app, door, {
    path: `${EMAIL}/send-again`,
    permission: "emails",
    scene: (c, visit) => emailSceneOf(ctx, c, visit),
    page,
    async act({ customer, email }, sent) {
      const about = { operation: "sendEmailAgain", resourceId: email.id, customerId: customer.id };
      await sendAgain(ctx, originOf<string>(sent, about), email.id);
      return undefined;
    },
    after: ({ self }) => `${self}?done=sent-again`,
  });
}
