import { html } from "hono/html";
import type { Visitor } from "../../actions/customer/portal-sessions.ts";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { LINK_MINUTES } from "../../domain/model/portal-session.ts";
import { portalStylesPath } from "../assets.ts";
import { field } from "../components/field.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import { sandboxMail } from "../components/sandbox-mail.ts";
import type { PageContext } from "../environment.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { requestOf } from "./account.ts";
import type { Portal } from "./request.ts";

/** A typed text that is no e-mail address, and its fault. */
type RejectedEmail = { typed: string; fault: string };
/** `notice`: the reason why the page is shown in place of another one. */
type SignInFormState = { rejected?: RejectedEmail; notice?: Html };

/** A person without a password proves to be the owner of an e-mail address. */
export function signInPage(
  ctx: Context,
  { organization, self, words }: Portal,
  { rejected, notice }: SignInFormState = {},
): Html {
  const { signIn, checkout, frame } = words;
  const email = field({
    name: "email",
    label: checkout.email,
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    required: true,
    maxlength: 320,
    value: rejected?.typed ?? "",
    fault: rejected?.fault,
  });
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${signIn.title}</h1>
${notice ?? ""}
<p>${signIn.intro}</p>
<form method="post" action="${self}" novalidate data-once>
${email}
<button class="button" type="submit">${signIn.send}</button>
</form>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  const title = rejected ? frame.errorTitle({ title: signIn.title }) : signIn.title;
  return layout(ctx, { words, organization, title, head, body });
}

/** The notice in place of a link that is used, expired or unknown. `returnUrl`: the merchant's page behind the link. */
export function goneLink({ organization, words }: Portal, returnUrl: string | null): Html {
  const { signIn, frame } = words;
  const back = safeUrl(returnUrl);
  return html`<div class="notice" role="alert">
<h2>${signIn.goneTitle}</h2>
<p>${signIn.gone}</p>
${back ? html`<p>${linkTo(back, frame.back, displayName(organization), "plain")}</p>` : ""}
</div>`;
}

/**
 * The answer is the same for every e-mail address, so strangers can't learn which e-mail addresses belong to Customers.
 */
export function sentPage(ctx: Context, c: PageContext, { organization, self, words }: Portal): Html {
  const { signIn } = words;
  const another = html`<a href="${self}">${signIn.another}</a>`;
  return messagePage(ctx, {
    words,
    organization,
    icon: "done",
    title: signIn.sentTitle,
    text: signIn.sent.markup({ seller: html`<bdi>${displayName(organization)}</bdi>`, minutes: LINK_MINUTES }),
    more: html`<p class="aside">${signIn.missing.markup({ another })}</p>
${sandboxMail(ctx, c, words, organization)}`,
  });
}

/** Names the account, because a stranger may have led the browser here. `signedIn`: the Customer that is signed in. */
export function confirmPage(
  ctx: Context,
  { organization, self, words }: Portal,
  { customer }: Visitor,
  signedIn: Visitor | null,
): Html {
  const { signIn } = words;
  const person = html`<bdi>${requestOf(words, customer)}</bdi>`;
  const now = signedIn && html`<bdi>${requestOf(words, signedIn.customer)}</bdi>`;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${signIn.title}</h1>
${now ? html`<p>${signIn.signedInAs.markup({ person: now })}</p>` : ""}
<p>${(now ? signIn.insteadAs : signIn.as).markup({ person })}</p>
<form method="post" data-once><button class="button" type="submit">${signIn.title}</button></form>
${now ? html`<a class="button other" href="${self}">${signIn.stay}</a>` : ""}
</div>
</main>`;
  return layout(ctx, { words, organization, title: signIn.title, head: stylesheet(portalStylesPath(ctx)), body });
}
