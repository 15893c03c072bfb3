import { html } from "hono/html";
import type { Visitor } from "../../actions/customer/portal-sessions.ts";
import type { Context } from "../../context.ts";
import { displayName, type Organization } from "../../domain/organization/organization.ts";
import { LINK_MINUTES } from "../../domain/customer/portal.ts";
import { ENGLISH } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { field } from "../components/field.ts";
import { messagePage } from "../components/message.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { personOf } from "./account.ts";

/** A typed text that is no e-mail address, and its fault. */
type RejectedEmail = { typed: string; fault: string };

/** Asks a visitor without a session for their e-mail address. */
export function signInPage(ctx: Context, organization: Organization, rejected: RejectedEmail | null = null): Html {
  const email = field({
    name: "email",
    label: "E-mail",
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
<h1>Sign in</h1>
<p>See your subscriptions and invoices. We send you a link, so you need no password.</p>
<form method="post" novalidate data-once>
${email}
<button class="button" type="submit">Send me a link</button>
</form>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words: ENGLISH, organization, title: rejected ? "Error: Sign in" : "Sign in", head, body });
}

/**
 * The answer is the same for every e-mail address, so strangers can't learn which e-mail addresses belong to Customers.
 */
export function sentPage(ctx: Context, organization: Organization, self: string): Html {
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    icon: "done",
    title: "Check your mailbox",
    text: html`If <bdi>${displayName(organization)}</bdi> knows that address, a message with a link is on its way.
The link is good for ${LINK_MINUTES} minutes.`,
    more: html`<p class="aside">No message after a few minutes? Look in your spam folder, or
<a href="${self}">try another address</a>.</p>`,
  });
}

/** A program that scans e-mails may open the link, so only the button signs in. */
export function confirmPage(ctx: Context, organization: Organization, { customer }: Visitor): Html {
  const body = html`<main class="message">
<div class="panel">
${merchantName(organization)}
<h1>Sign in</h1>
<p>You sign in as <bdi>${personOf(customer)}</bdi>.</p>
<form method="post" data-once><button class="button" type="submit">Sign in</button></form>
</div>
</main>`;
  return layout(ctx, { words: ENGLISH, organization, title: "Sign in", body });
}

export function usedPage(ctx: Context, organization: Organization, self: string): Html {
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    icon: "late",
    title: "This link is no longer good",
    text: `A link signs in once, within ${LINK_MINUTES} minutes.`,
    more: html`<a class="button" href="${self}">Get a new link</a>`,
  });
}
