import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import type { Context } from "../../../context.ts";
import { formatInstant, parseInstant, type Instant } from "../../../domain/calendar.ts";
import type { EventType } from "../../../domain/event.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { counted } from "../../../domain/words.ts";
import { ListEmailsQuery } from "../../../resources/email.ts";
import { listEmails } from "../../../store/emails.ts";
import { pathOf } from "../../components/link.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { notice } from "../components/notice.ts";
import { happenedSince, MOST_COUNTED } from "./days.ts";

/** The most e-mails that the sentence counts. */
const MOST_EMAILS = 100;

/** The page after an advance. `before`: where the clock stood. */
export const afterAdvance = (self: string, before: Instant): string =>
  `${self}/sandbox?${new URLSearchParams({ done: "advanced", since: formatInstant(before) })}`;

type Moved = {
  self: string;
  organization: Organization;
  now: Instant;
  /** Newest first, at most `MOST_COUNTED`. */
  recent: readonly { type: EventType; createdAt: Instant }[];
};

/** The line about an advance that has arrived: its events and e-mails in numbers, with links to them. */
export async function advancedNotice(ctx: Context, c: PageContext, moved: Moved): Promise<Html | ""> {
  const { self, organization, now, recent } = moved;
  const since = parseInstant(c.req.query("since") ?? "");
  if (c.req.query("done") !== "advanced" || since === null || organization.clockTarget !== null) return "";
  const query = ListEmailsQuery.parse({ limit: MOST_EMAILS, skipped: "false" });
  const found = await listEmails(ctx.db.read, organization.id, query);
  const count = found.slice(0, MOST_EMAILS).filter(({ createdAt }) => createdAt > since).length;
  const emails = count === MOST_EMAILS ? `${MOST_EMAILS} or more e-mails` : counted(count, "e-mail");
  const most = recent.length === MOST_COUNTED && recent.at(-1)!.createdAt > since ? "At least " : "";
  return notice(
    "done",
    html`The clock was advanced to ${time(now, organization.timeZone)}. ${most}${happenedSince(recent, since)},
<a href="${pathOf(emailsUrl(ctx, organization.id))}">${emails}</a>. <a href="${self}/invoices">Invoices</a>,
<a href="${self}/developers/events">events</a>.`,
  );
}
