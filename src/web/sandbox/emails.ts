import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { emailsUrl, invoiceUrl, openEmailsUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Email, ListedEmail } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { counted, valueInWords } from "../../domain/words.ts";
import { isId } from "../../ids.ts";
import { ListEmailsQuery } from "../../resources/email.ts";
import { presentPage } from "../../resources/page.ts";
import { emails, listEmails } from "../../store/emails.ts";
import { organizations } from "../../store/organizations.ts";
import { ENGLISH } from "../../texts/words.ts";
import { emailStylesPath } from "../assets.ts";
import { fact } from "../components/fact.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { layout, stylesheet, type Html } from "../layout.ts";
import { allowFrame, messageAnswer, messageFrame } from "../message-frame.ts";

const PER_PAGE = "25";
/** @throws HTTPException 404 for anything but the whole link of a sandbox */
async function open(ctx: Context, c: PageContext): Promise<Organization> {
  const id = openEmailsUrl(ctx, c.req.param("secret") ?? "");
  const organization = id === null ? null : await organizations.find(ctx.db.read, id);
  if (organization?.mode !== "sandbox") throw new HTTPException(404);
  return organization;
}

async function openOne(ctx: Context, c: PageContext): Promise<{ organization: Organization; email: Email }> {
  const organization = await open(ctx, c);
  const id = c.req.param("id") ?? "";
  const email = isId("eml", id) ? await emails.find(ctx.db.read, organization.id, id) : null;
  if (!email) throw new HTTPException(404);
  return { organization, email };
}

const TIME = { dateStyle: "long", timeStyle: "short" } as const;
/** The minute of an instant in a time zone: `1 March 2026 at 09:30`. */
const timeOf = (at: Instant, timeZone: string) => new Intl.DateTimeFormat("en-GB", { ...TIME, timeZone }).format(at);

const subjectOf = ({ subject, kind }: ListedEmail) => subject ?? `No message: ${valueInWords(kind)}`;
const stateOf = ({ status, reason }: ListedEmail) => {
  const state = status === "kept" ? "kept, not sent" : status;
  return reason === null ? state : `${state}: ${valueInWords(reason)}`;
};

function entry(ctx: Context, { timeZone }: Organization, email: ListedEmail): Html {
  const time = timeOf(email.createdAt, timeZone);
  return html`<li>
<a href="${pathOf(emailsUrl(ctx, email.organizationId, email.id))}"><bdi>${subjectOf(email)}</bdi></a>
<p><bdi>${email.recipient ?? "no recipient"}</bdi> · <span>${time}</span> · ${stateOf(email)}</p>
</li>`;
}

function page(ctx: Context, organization: Organization, title: string, body: Html): Html {
  const head = stylesheet(emailStylesPath(ctx));
  return layout(ctx, {
    words: ENGLISH,
    organization,
    title,
    head,
    isSellers: false,
    body: html`<main class="emails"><div class="panel">${body}</div></main>`,
  });
}

/** A page of the list. `hidesSkipped`: the reader has chosen to see no skipped e-mails. */
type Listed = {
  organization: Organization;
  emails: readonly ListedEmail[];
  nextCursor: string | null;
  hidesSkipped: boolean;
  anySkipped: boolean;
};

/** A link that hides the skipped e-mails, or shows them again; empty if no e-mail was skipped. */
function skippedLink({ hidesSkipped, anySkipped }: Listed): Html | "" {
  if (hidesSkipped) return html`<p class="back"><a href="?">Show skipped e-mails too</a></p>`;
  return anySkipped ? html`<p class="back"><a href="?skipped=false">Hide skipped e-mails</a></p>` : "";
}

function listPage(ctx: Context, listed: Listed): Html {
  const { organization, emails: shown, nextCursor, hidesSkipped } = listed;
  const next = `?${hidesSkipped ? "skipped=false&" : ""}cursor=${nextCursor}`;
  const older = nextCursor === null ? "" : html`<p><a href="${next}">Older e-mails</a></p>`;
  const all =
    shown.length === 0
      ? html`<p>There are no e-mails here. E-mails are kept for ${counted(ctx.config.retention.emails, "day")}.</p>`
      : html`<ul>${shown.map((email) => entry(ctx, organization, email))}</ul>${older}`;
  return page(ctx, organization, "E-mails", html`<h1>E-mails</h1>${skippedLink(listed)}${all}`);
}

async function readList(ctx: Context, c: PageContext): Promise<Listed> {
  const organization = await open(ctx, c);
  const hidesSkipped = c.req.query("skipped") === "false";
  const query = ListEmailsQuery.safeParse({
    limit: PER_PAGE,
    cursor: c.req.query("cursor"),
    ...(hidesSkipped && { skipped: "false" }),
  });
  if (!query.success) throw new HTTPException(404);
  const [rows, skipped] = await Promise.all([
    listEmails(ctx.db.read, organization.id, query.data),
    hidesSkipped ? [] : listEmails(ctx.db.read, organization.id, { status: "skipped", limit: 1 }),
  ]);
  const { data, nextCursor } = presentPage(rows, query.data.limit, (email) => email);
  return { organization, emails: data, nextCursor, hidesSkipped, anySkipped: skipped.length > 0 };
}

function message(ctx: Context, { timeZone }: Organization, email: Email): Html {
  const { organizationId, id, invoiceId, kind, recipient, text } = email;
  const self = pathOf(emailsUrl(ctx, organizationId, id));
  const pdf = kind === "receipt" ? `${pathOf(invoiceUrl(ctx, { organizationId, id: invoiceId! }))}/pdf` : null;
  const bodies = html`<h2>As HTML</h2>
${messageFrame(`${self}/html`)}
<h2>As plain text</h2>
<pre tabindex="0">${text}</pre>`;
  return html`<p class="back"><a href="${pathOf(emailsUrl(ctx, organizationId))}">All e-mails</a></p>
<h1><bdi>${subjectOf(email)}</bdi></h1>
<dl>
${fact("To", recipient ?? "no recipient")}
${fact("Date", timeOf(email.createdAt, timeZone))}
${fact("State", stateOf(email))}
</dl>
${pdf === null ? "" : html`<p>Attached: <a href="${pdf}">the invoice as a PDF</a></p>`}
${text === null ? "" : bodies}`;
}

/** `/sandbox/emails/{secret}`: the e-mails of a sandbox to its buyers, for the holder of the link. */
export function emailPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const path = "/sandbox/emails/:secret";
  app.get(path, async (c) => c.html(listPage(ctx, await readList(ctx, c))));
  app.get(`${path}/:id`, async (c) => {
    const { organization, email } = await openOne(ctx, c);
    allowFrame(c);
    return c.html(page(ctx, organization, subjectOf(email), message(ctx, organization, email)));
  });
  app.get(`${path}/:id/html`, async (c) => {
    const { email } = await openOne(ctx, c);
    if (email.html === null) throw new HTTPException(404);
    return messageAnswer(c, email.html);
  });
}
