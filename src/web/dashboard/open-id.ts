import { html } from "hono/html";
import type { OpenIdRefusal } from "../../actions/team/open-id-account.ts";
import { openIdHost } from "../../actions/team/open-id.ts";
import type { Context } from "../../context.ts";
import { basePath } from "../assets.ts";
import type { ConnectedIdentity } from "../../store/user-identities.ts";
import { ENGLISH } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { guideLink } from "./components/guide-link.ts";
import { panelPage } from "./frame.ts";
import { tokenField } from "./token-field.ts";
import type { UserRequest } from "./request.ts";

const OPEN_ID = "/dashboard/open-id";

/** The address that leads to the provider. The page behind it leads back to `next`. */
export const openIdPath = (ctx: Context, page: string, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query).toString();
  return `${basePath(ctx)}${OPEN_ID}${page}${search === "" ? "" : `?${search}`}`;
};

/** A link to the provider below a form; empty without a provider. `operation`: the words before the provider's name. */
export function openIdLink(ctx: Context, operation: string, href: string): Html | "" {
  const host = openIdHost(ctx);
  if (host === null) return "";
  return html`<p class="or"><span>or</span></p>
<p><a class="button other" href="${href}">${operation} with <bdi>${host}</bdi></a></p>`;
}

export type OpenIdProblem = OpenIdRefusal | "unreachable" | "refused" | "invalid" | "no_provider";

/** A sentence for each problem. `host`: the provider. */
const SAID: Record<OpenIdProblem, (host: string) => string> = {
  unreachable: (host) => `${host} can't be reached, or its answer is not valid. Try again in a few minutes.`,
  refused: (host) => `${host} did not sign you in. You may have cancelled there, or your account may not be allowed.`,
  invalid: () => "This sign-in has expired, or it began in another browser. Start again.",
  no_provider: () => "This server has no OpenID provider any more. Sign in with your password.",
  unknown: (host) =>
    `Your account at ${host} is not connected to an account of this dashboard. If you have a password here, sign in ` +
    "with it and connect the account on the page of your account. If not, open the link of your invitation.",
  unverified: (host) =>
    `${host} does not say that your e-mail address there is verified. Verify the address there, or choose a password ` +
    "here instead.",
  other_address: (host) =>
    `Your account at ${host} has another e-mail address than the invitation. Ask an owner for an invitation of that ` +
    "address, or choose a password here instead.",
  taken: (host) => `This account at ${host} is connected already, or you are connected with another account.`,
  gone: () => "The link or your session has expired. Start again.",
  other_account: (host) => `You signed in at ${host} with another account than the one that is connected to you.`,
  not_asked: (host) =>
    `${host} did not confirm that it asked for your password just now, so you can't open this page. The operator of ` +
    "this server can give you a link for a password.",
};

/** The page after a visit to the provider that failed. `back`: a path with its words. */
export function openIdProblemPage(ctx: Context, problem: OpenIdProblem, back: { href: string; label: string }): Html {
  const host = openIdHost(ctx) ?? "The provider";
  const guide = guideLink(ctx, "operating/team#sign-in-through-an-openid-provider", "About the password");
  const body = html`<p>${SAID[problem](host)}${problem === "not_asked" ? html` ${guide}` : ""}</p>
<p><a class="button" href="${back.href}">${back.label}</a></p>`;
  return panelPage(ctx, "This sign-in did not work", body);
}

/** The account at a provider: its host, its e-mail address and subject, and the day of the connection. */
export function identityFacts({ issuer, subject, email, createdAt }: ConnectedIdentity): Html {
  const day = ENGLISH.day(createdAt, "UTC");
  const name = email === null ? html`<bdi>${subject}</bdi>` : html`<bdi>${email}</bdi> (<bdi>${subject}</bdi>)`;
  return html`${name} at <bdi>${new URL(issuer).host}</bdi>, connected on ${day}`;
}

/** The page of a person about the connection with the provider. `identity`: the connected account; null: none. */
export function connectionPage(
  ctx: Context,
  request: UserRequest,
  identity: ConnectedIdentity | null,
  fault?: string,
): Html {
  const { base, token } = request;
  const host = openIdHost(ctx);
  const back = html`<p class="aside"><a href="${base}/account">Back to your account</a></p>`;
  if (identity === null) {
    const offer =
      host === null
        ? html`<p>This server has no OpenID provider.</p>`
        : html`<p>You can then sign in with your account at <bdi>${host}</bdi>. Your password stays.</p>
<p><a class="button" href="${openIdPath(ctx, "/connect", { token })}">Connect <bdi>${host}</bdi></a></p>`;
    return panelPage(ctx, "Connect an account", html`${offer}${back}`);
  }
  const body = html`${
    fault === undefined
      ? ""
      : html`<div class="notice" role="alert"><p>${fault}
<a href="${base}/account/password">Set a password</a></p></div>`
  }
<p>${identityFacts(identity)}.</p>
<p>Without the connection, you sign in with your password alone.</p>
<form method="post" data-once>
${tokenField(token)}
<button class="button" type="submit">Disconnect <bdi>${new URL(identity.issuer).host}</bdi></button>
</form>
${back}`;
  return panelPage(ctx, "Disconnect the account?", body);
}
