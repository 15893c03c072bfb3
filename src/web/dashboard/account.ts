import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { MOST_PASSWORD_CHARACTERS } from "../../domain/team/user.ts";
import { field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { notice } from "./components/notice.ts";
import { panelPage } from "./frame.ts";
import { codeField, passwordField } from "./sign-in.ts";
import { tokenField } from "./token-field.ts";
import type { Person } from "./visit.ts";

const back = ({ base }: Person) => html`<p class="aside"><a href="${base}/account">Back to your account</a></p>`;

/** The person's own page. `done`: the change that was just made. */
export function accountPage(ctx: Context, person: Person, done: string | null): Html {
  const { user, base } = person;
  const path = `${base}/account`;
  const factor = user.totpSealed === null ? "Off" : "On: an authenticator app";
  const body = html`${done === null ? "" : notice("done", done)}
<dl class="facts">
<div><dt>Name</dt><dd><bdi>${user.name}</bdi></dd></div>
<div><dt>E-mail</dt><dd><bdi>${user.email}</bdi></dd></div>
<div><dt>Second factor</dt><dd>${factor}</dd></div>
</dl>
<ul class="choice">
<li><a href="${path}/password">Change the password</a></li>
<li><a href="${path}/second-factor">${user.totpSealed === null ? "Add a" : "Remove the"} second factor</a></li>
</ul>
<p class="aside"><a href="${base}">Back to the dashboard</a></p>`;
  return panelPage(ctx, "Your account", body);
}

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

export type PasswordFaults = { password?: string; newPassword?: string };

export function passwordPage(ctx: Context, person: Person, faults: PasswordFaults = {}): Html {
  const body = html`<p>Changing the password signs you out everywhere else.</p>
<form method="post" data-once novalidate>
${tokenField(person.token)}
${passwordField(faults.password)}
${newPasswordField(faults.newPassword)}
<button class="button" type="submit">Change the password</button>
</form>
${back(person)}`;
  return panelPage(ctx, "Change the password", body);
}

/** The page of a link for a new password. */
export function resetPage(ctx: Context, email: string, fault?: string): Html {
  const body = html`<p>Choose a new password for <bdi>${email}</bdi>. Setting the password also removes the
second factor, and signs you out everywhere else.</p>
<form method="post" data-once novalidate>
${newPasswordField(fault)}
<button class="button" type="submit">Set the password</button>
</form>`;
  return panelPage(ctx, "Set a new password", body);
}

/** The key in groups of four letters, which are easier to type. */
const grouped = (key: string) => key.match(/.{1,4}/g)!.join(" ");

/** Adds a second factor. `key`: the key of the app, in base32. */
export function addFactorPage(ctx: Context, person: Person, key: string, fault?: string): Html {
  const label = encodeURIComponent(`Billow:${person.user.email}`);
  const address = `otpauth://totp/${label}?${new URLSearchParams({ secret: key, issuer: "Billow" })}`;
  const body = html`<p>Add this key to an authenticator app, and enter the code that the app shows. From then on, each
sign-in asks for a code.</p>
<p><code class="factor-key">${grouped(key)}</code></p>
<p><a href="${address}">Open the authenticator app on this device</a></p>
<form method="post" data-once novalidate>
${tokenField(person.token)}
<input type="hidden" name="key" value="${key}">
${codeField(fault)}
<button class="button" type="submit">Turn on</button>
</form>
${back(person)}`;
  return panelPage(ctx, "Add a second factor", body);
}

export function removeFactorPage(ctx: Context, person: Person): Html {
  const body = html`<p>Without the second factor, your password alone opens the dashboard.</p>
<form method="post" data-once>
${tokenField(person.token)}
<button class="button" type="submit">Remove the second factor</button>
</form>
${back(person)}`;
  return panelPage(ctx, "Remove the second factor?", body);
}
