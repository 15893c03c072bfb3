import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { CONFIRM_HOURS, UNDO_DAYS, type EmailChange } from "../../domain/model/email-change.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { portalStylesPath } from "../assets.ts";
import { field } from "../components/field.ts";
import type { IconName } from "../components/icon.ts";
import { messagePage } from "../components/message.ts";
import { formNotice } from "../components/notice.ts";
import { sandboxMail } from "../components/sandbox-mail.ts";
import type { PageContext } from "../environment.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Account } from "./account.ts";
import type { Portal, PortalRequest } from "./request.ts";

const bold = (email: string) => html`<strong><bdi>${email}</bdi></strong>`;

/** The new address that waits for its confirmation, and the button that withdraws the request (rule I11i). */
function waiting({ self, words }: PortalRequest, newEmail: string): Html {
  const { confirmAwaited, withdraw } = words.portalEmail;
  return html`<form class="waits" method="post" action="${self}/email/withdraw" data-once>
<p>${confirmAwaited.markup({ email: bold(newEmail) })}</p>
<button class="button other" type="submit">${withdraw}</button>
</form>`;
}

/** The part of the home page with the way to another e-mail address; empty if the seller does not allow it. */
export function emailSection(request: PortalRequest, { newEmail }: Account): Html | "" {
  const { organization, visitor, self, words } = request;
  const { section, change } = words.portalEmail;
  if (!portalAllows(organization, "changeEmail")) return "";
  return html`<section class="paper" aria-labelledby="email">
<h2 id="email">${section}</h2>
<p><bdi>${visitor.customer.email}</bdi></p>
${newEmail === null ? "" : waiting(request, newEmail)}
<p class="aside"><a href="${self}/email">${change}</a></p>
</section>`;
}

export type PanelPage = { title: string; fault?: boolean; content: Html };

/** A page with one panel: the seller, a heading and the content. */
export function panelPage(
  ctx: Context,
  { organization, words }: Portal,
  { title, fault = false, content }: PanelPage,
): Html {
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${title}</h1>
${content}
</div>
</main>`;
  const shown = fault ? words.frame.errorTitle({ title }) : title;
  return layout(ctx, { words, organization, title: shown, head: stylesheet(portalStylesPath(ctx)), body });
}

const sellerOf = ({ organization }: Portal) => html`<bdi>${displayName(organization)}</bdi>`;

/** A typed text that was refused, and its fault. */
export type RejectedEmail = { typed: string; fault: string };

/** Asks for the new address. */
export function emailPage(ctx: Context, request: PortalRequest, rejected: RejectedEmail | null = null): Html {
  const { words, visitor, self } = request;
  const { title, current, label, send } = words.portalEmail;
  const input = field({
    name: "email",
    label,
    type: "email",
    inputmode: "email",
    autocomplete: "email",
    required: true,
    maxlength: 320,
    value: rejected?.typed ?? "",
    fault: rejected?.fault,
  });
  const faults = rejected ? { email: rejected.fault } : {};
  const content = html`<p>${current.markup({ email: bold(visitor.customer.email) })}</p>
<form method="post" novalidate data-once>
${formNotice(words, ["email"], { faults, problem: null })}
${input}
<button class="button" type="submit">${send}</button>
</form>
<a class="button other" href="${self}">${words.portal.toAccount}</a>`;
  return panelPage(ctx, request, { title, fault: rejected !== null, content });
}

function message(ctx: Context, portal: Portal, icon: IconName, title: string, text: Html | string, more: Html): Html {
  const { words, organization } = portal;
  return messagePage(ctx, { words, organization, icon, title, text, more });
}

const link = (href: string, label: string) => html`<a class="button" href="${href}">${label}</a>`;
const signInLink = ({ self, words }: Portal) => link(self, words.portalEmail.signIn);

/** The answer is the same for every address, so the page reveals no address of another Customer. */
export function emailSentPage(ctx: Context, c: PageContext, request: PortalRequest, email: string): Html {
  const { self, words } = request;
  const { sentTitle, sent, noMail, again } = words.portalEmail;
  const text = sent.markup({ email: bold(email), hours: CONFIRM_HOURS });
  const retry = html`<a href="${self}/email">${again}</a>`;
  const more = html`<p class="aside">${noMail.markup({ again: retry })}</p>
${sandboxMail(ctx, c, words, request.organization)}
${link(self, words.portal.toAccount)}`;
  return message(ctx, request, "done", sentTitle, text, more);
}

export function tooManyPage(ctx: Context, request: PortalRequest): Html {
  const { portal, portalEmail } = request.words;
  const { tooManyTitle, tooMany } = portalEmail;
  return message(ctx, request, "late", tooManyTitle, tooMany, link(request.self, portal.toAccount));
}

/** A program that scans e-mails may open the link, so only the button confirms the address. */
export function confirmEmailPage(ctx: Context, portal: Portal, { newEmail }: EmailChange): Html {
  const { confirmTitle: title, confirm, confirmSubmit } = portal.words.portalEmail;
  const content = html`<p>${confirm.markup({ seller: sellerOf(portal), email: bold(newEmail) })}</p>
<form method="post" data-once><button class="button" type="submit">${confirmSubmit}</button></form>`;
  return panelPage(ctx, portal, { title, content });
}

export function emailChangedPage(ctx: Context, portal: Portal): Html {
  const { changedTitle, changed } = portal.words.portalEmail;
  return message(ctx, portal, "done", changedTitle, changed, signInLink(portal));
}

/** The address identifies another Customer. The page does not say so, because the visitor may be a third person. */
export function emailTakenPage(ctx: Context, portal: Portal): Html {
  const { takenTitle, taken } = portal.words.portalEmail;
  return message(ctx, portal, "stopped", takenTitle, taken, signInLink(portal));
}

export function confirmGonePage(ctx: Context, portal: Portal): Html {
  const { goneTitle, gone } = portal.words.portalEmail;
  return message(ctx, portal, "late", goneTitle, gone({ hours: CONFIRM_HOURS }), signInLink(portal));
}

/** Like `confirmEmailPage`, only the button undoes the change. */
export function undoEmailPage(ctx: Context, portal: Portal, { oldEmail }: EmailChange): Html {
  const { undoTitle: title, undo, undoSubmit } = portal.words.portalEmail;
  const content = html`<p>${undo.markup({ seller: sellerOf(portal), email: bold(oldEmail) })}</p>
<form method="post" data-once><button class="button" type="submit">${undoSubmit}</button></form>`;
  return panelPage(ctx, portal, { title, content });
}

export function emailUndonePage(ctx: Context, portal: Portal): Html {
  const { undoneTitle, undone } = portal.words.portalEmail;
  return message(ctx, portal, "done", undoneTitle, undone, signInLink(portal));
}

export function undoGonePage(ctx: Context, portal: Portal): Html {
  const { goneTitle, undoGone } = portal.words.portalEmail;
  const text = undoGone.markup({ days: UNDO_DAYS, seller: sellerOf(portal) });
  return message(ctx, portal, "late", goneTitle, text, signInLink(portal));
}
