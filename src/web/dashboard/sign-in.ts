import { html } from "hono/html";
import { openIdHost } from "../../actions/team/open-id.ts";
import type { Context } from "../../context.ts";
import { MOST_PASSWORD_CHARACTERS } from "../../domain/team/user.ts";
import { basePath } from "../assets.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { guideLink } from "./components/guide-link.ts";
import { panelPage } from "./frame.ts";
import { openIdLink, openIdPath } from "./open-id.ts";
import { tokenField } from "./token-field.ts";
import type { UserRequest } from "./request.ts";

/** The guide to a link for a new password. */
const PASSWORDS = "operating/team#sessions-and-passwords";

/** The field of a password that exists. */
export const passwordField = (fault?: string): Html =>
  field({
    name: "password",
    label: "Password",
    type: "password",
    inputmode: "text",
    autocomplete: "current-password",
    required: true,
    maxlength: MOST_PASSWORD_CHARACTERS,
    fault,
  });

export const addressField = (email: string, fault?: string): Html =>
  field({
    name: "email",
    label: "E-mail",
    type: "email",
    inputmode: "email",
    autocomplete: "username",
    required: true,
    maxlength: 320,
    value: email,
    fault,
  });

export const alert = (text: string | undefined): Html | "" =>
  text === undefined ? "" : html`<div class="notice" role="alert"><p>${text}</p></div>`;

const nextField = (next: string): Html => html`<input type="hidden" name="next" value="${next}">`;

/** `next`: the path to which the sign-in leads. `fault`: the reason why the last attempt was refused. */
export function signInPage(
  ctx: Context,
  { next, email = "", fault }: { next: string; email?: string; fault?: string },
): Html {
  const body = html`${alert(fault)}
<form method="post" action="${basePath(ctx)}/dashboard/sign-in" data-once>
${nextField(next)}
${addressField(email)}
${passwordField()}
<button class="button" type="submit">Sign in</button>
</form>
<p class="aside"><a href="${basePath(ctx)}/dashboard/forgotten-password">Forgotten password</a></p>
${openIdLink(ctx, "Sign in", openIdPath(ctx, "", { next }))}`;
  return panelPage(ctx, "Sign in to the dashboard", body);
}

export const codeField = (fault?: string): Html =>
  field({
    name: "code",
    label: "Code from your authenticator app",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    required: true,
    maxlength: 16,
    hint: "Six digits, which change every 30 seconds.",
    fault,
  });

/** Asks for the code of the second factor after the right password. */
export function codePage(ctx: Context, { next, fault }: { next: string; fault?: string }): Html {
  const body = html`<form method="post" action="${basePath(ctx)}/dashboard/sign-in/code" data-once>
${nextField(next)}
${codeField(fault)}
<button class="button" type="submit">Sign in</button>
</form>
<p class="aside">If you have lost your device, ask the operator of this server for a link to a new password.</p>`;
  return panelPage(ctx, "Enter your code", body);
}

/** In the place of the code, if no secret of the server opens the second factor. */
export function unreadableFactorPage(ctx: Context, email: string): Html {
  const body = html`<p>This server can't read the second factor of <bdi>${email}</bdi>, because the secret of the server
has changed. No code can be right. Give the operator of the server this choice:</p>
<ul>
<li>The former secret is known: add it to <code>BILLOW_SECRET_PREVIOUS</code>, and start Billow again. Your app then
works as before.</li>
<li>The former secret is lost: ${guideLink(ctx, PASSWORDS, "make a link for a new password")},
without a second factor. You can add a second factor again afterwards.</li>
</ul>
<p class="aside"><a href="${basePath(ctx)}/dashboard/forgotten-password">Get a new password by e-mail</a></p>`;
  return panelPage(ctx, "Your second factor can't be read", body);
}

/** `isConnected`: the person has an account at the OpenID provider. */
type Confirmed = { next: string; isConnected: boolean; fault?: string };

/** Asks a signed-in person for the password again, here or at the OpenID provider. */
export function confirmPage(ctx: Context, request: UserRequest, { next, isConnected, fault }: Confirmed): Html {
  const { base, token, user } = request;
  const host = isConnected ? openIdHost(ctx) : null;
  const there = openIdPath(ctx, "/confirm", { next });
  const intro = html`<p>This step is protected. You are signed in as <bdi>${user.email}</bdi>.</p>`;
  const back = html`<p class="aside"><a href="${base}">Back to the dashboard</a></p>`;
  if (user.passwordHash === null) {
    const way =
      host === null
        ? html`<p>You have no password here, and this server has no OpenID provider any more.
The operator of this server can ${guideLink(ctx, PASSWORDS, "make a link for a password")}.</p>`
        : html`<p>Enter your password at <bdi>${host}</bdi> once more. You come back to this step then.</p>
<p><a class="button" href="${there}">Continue at <bdi>${host}</bdi></a></p>`;
    return panelPage(ctx, "Sign in once more", html`${intro}${way}${back}`);
  }
  const body = html`${intro}
<form method="post" action="${base}/confirm" data-once>
${tokenField(token)}
${nextField(next)}
${passwordField(fault)}
<button class="button" type="submit">Continue</button>
</form>
${host === null ? "" : openIdLink(ctx, "Continue", there)}
${back}`;
  return panelPage(ctx, "Enter your password again", body);
}
