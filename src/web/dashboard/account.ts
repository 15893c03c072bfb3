import { html } from "hono/html";
import { openIdHost } from "../../actions/team/open-id.ts";
import type { Context } from "../../context.ts";
import type { ConnectedIdentity } from "../../store/user-identities.ts";
import { qrCode } from "../components/qr-code.ts";
import type { Html } from "../layout.ts";
import { copyButton } from "./components/copyable.ts";
import { panelPage } from "./frame.ts";
import { identityFacts } from "./open-id.ts";
import { newPasswordField } from "./new-password.ts";
import { codeField, passwordField } from "./sign-in.ts";
import { tokenField } from "./token-field.ts";
import type { UserRequest } from "./request.ts";

const back = ({ base }: UserRequest) => html`<p class="aside"><a href="${base}/account">Back to your account</a></p>`;

/** The person's own page. `done`: the change that was just made. `identity`: the account at the OpenID provider. */
export function accountPage(
  ctx: Context,
  request: UserRequest,
  { done, identity }: { done: Html | ""; identity: ConnectedIdentity | null },
): Html {
  const { user, base } = request;
  const path = `${base}/account`;
  const factor = user.totpSealed === null ? "Off" : "On: an authenticator app";
  const host = openIdHost(ctx);
  const signIn = [
    ...(user.passwordHash === null ? [] : ["E-mail and password"]),
    ...(identity === null ? [] : [new URL(identity.issuer).host]),
  ];
  const connect =
    host === null || identity !== null ? "" : html`<li><a href="${path}/open-id">Connect <bdi>${host}</bdi></a></li>`;
  const connected =
    identity === null
      ? ""
      : html`<div><dt>OpenID account</dt><dd>${identityFacts(identity)}<br>
<a class="button small other" href="${path}/open-id">Disconnect</a></dd></div>`;
  const body = html`${done}
<dl class="facts">
<div><dt>Name</dt><dd><bdi>${user.name}</bdi></dd></div>
<div><dt>E-mail</dt><dd><bdi>${user.email}</bdi></dd></div>
<div><dt>Sign-in</dt><dd><bdi>${signIn.join(", or ")}</bdi></dd></div>
${connected}
<div><dt>Second factor</dt><dd>${factor}</dd></div>
</dl>
<ul class="choice">
<li><a href="${path}/password">${user.passwordHash === null ? "Set a" : "Change the"} password</a></li>
${connect}
<li><a href="${path}/second-factor">${user.totpSealed === null ? "Add a" : "Remove the"} second factor</a></li>
</ul>
<p class="aside"><a href="${base}">Back to the dashboard</a></p>`;
  return panelPage(ctx, "Your account", body);
}

export type PasswordFaults = { password?: string; newPassword?: string };

/** For a person without a password, the page sets one. */
export function passwordPage(ctx: Context, request: UserRequest, faults: PasswordFaults = {}): Html {
  const hasPassword = request.user.passwordHash !== null;
  const title = hasPassword ? "Change the password" : "Set a password";
  const body = html`<p>${hasPassword ? "Changing" : "Setting"} the password signs you out everywhere else.</p>
<form method="post" data-once novalidate>
${tokenField(request.token)}
${hasPassword ? passwordField(faults.password) : ""}
${newPasswordField(faults.newPassword)}
<button class="button" type="submit">${title}</button>
</form>
${back(request)}`;
  return panelPage(ctx, title, body);
}

/** The key in groups of four letters, which are easier to type. */
const grouped = (key: string) => key.match(/.{1,4}/g)!.join(" ");

/** Adds a second factor. `key`: the key of the app, in base32. */
export function addFactorPage(ctx: Context, request: UserRequest, key: string, fault?: string): Html {
  const label = encodeURIComponent(`Billow:${request.user.email}`);
  const address = `otpauth://totp/${label}?${new URLSearchParams({ secret: key, issuer: "Billow" })}`;
  const body = html`<p>Scan this QR code with an authenticator app, and enter the code that the app shows. From then on,
each sign-in asks for a code.</p>
${qrCode(address, "QR code of the key below, for an authenticator app")}
<p>If you can't scan the QR code, type this key into the app:</p>
<p class="copyable"><code class="factor-key">${grouped(key)}</code> ${copyButton(key, "key")}</p>
<p><a href="${address}">Open the authenticator app on this device</a></p>
<form method="post" data-once novalidate>
${tokenField(request.token)}
<input type="hidden" name="key" value="${key}">
${codeField(fault)}
<button class="button" type="submit">Turn on</button>
</form>
${back(request)}`;
  return panelPage(ctx, "Add a second factor", body);
}

export function removeFactorPage(ctx: Context, request: UserRequest): Html {
  const body = html`<p>Without the second factor, your password alone opens the dashboard.</p>
<form method="post" data-once>
${tokenField(request.token)}
<button class="button" type="submit">Remove the second factor</button>
</form>
${back(request)}`;
  return panelPage(ctx, "Remove the second factor?", body);
}
