import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { MOST_PASSWORD_CHARACTERS } from "../../domain/team/user.ts";
import { basePath } from "../assets.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { guideLink } from "./components/guide-link.ts";
import { panelPage } from "./frame.ts";
import { addressField, alert } from "./sign-in.ts";

/** The field of a password that replaces another one. */
export const newPasswordField = (fault?: string): Html =>
  field({
    name: "newPassword",
    label: "New password",
    type: "password",
    inputmode: "text",
    autocomplete: "new-password",
    required: true,
    maxlength: MOST_PASSWORD_CHARACTERS,
    hint: "At least 12 characters. Four random words make a good password.",
    fault,
  });

const signInLink = (ctx: Context) =>
  html`<p class="aside"><a href="${basePath(ctx)}/dashboard/sign-in">Back to the sign-in</a></p>`;

/** Asks for the address to which a link for a new password is sent. */
export function forgottenPage(ctx: Context, typed: { email: string; fault?: string; alert?: string }): Html {
  const body = html`${alert(typed.alert)}
<p>Billow sends you an e-mail with a link for a new password.</p>
<form method="post" data-once novalidate>
${addressField(typed.email, typed.fault)}
<button class="button" type="submit">Send the link</button>
</form>
${signInLink(ctx)}`;
  return panelPage(ctx, "Forgotten password", body);
}

/** The same page for an address with an account and for another one. */
export function askedPage(ctx: Context, email: string): Html {
  const link = "The link works once, within an hour.";
  if (ctx.mailer !== null) {
    const body = html`<p>If <bdi>${email}</bdi> has an account here, an e-mail with a link is on its way. ${link} Check
the spam folder too.</p>
${signInLink(ctx)}`;
    return panelPage(ctx, "Check your mailbox", body);
  }
  const body = html`<p>This server sends no e-mails, because <code>SMTP_URL</code> is not set. If <bdi>${email}</bdi>
has an account here, the operator now finds an e-mail with a link in the data directory. ${link} The operator can also
${guideLink(ctx, "operating/team#sessions-and-passwords", "make a link on the server")}.</p>
${signInLink(ctx)}`;
  return panelPage(ctx, "Ask the operator", body);
}

/** The effects of new access by a link. */
export const RESETS =
  "Setting the password signs you out everywhere else, removes a second factor, and disconnects an OpenID account. " +
  "You can add both again afterwards.";

/** The page of a link for a new password. */
export function resetPage(ctx: Context, email: string, fault?: string): Html {
  const body = html`<p>Choose a new password for <bdi>${email}</bdi>. ${RESETS}</p>
<form method="post" data-once novalidate>
${newPasswordField(fault)}
<button class="button" type="submit">Set the password</button>
</form>`;
  return panelPage(ctx, "Set a new password", body);
}
