import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import { formatInstant, parseInstant, type Instant } from "../../../domain/calendar.ts";
import type { EventType } from "../../../domain/event.ts";
import type { ListedEmail } from "../../../domain/model/email.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { counted } from "../../../domain/words.ts";
import { pathOf } from "../../components/link.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { notice } from "../components/notice.ts";
import type { DashboardRequest } from "../request.ts";
import { happenedSince, MOST_COUNTED } from "./days.ts";

/** The most e-mails that the sentence counts. */
export const MOST_EMAILS = 100;

/** The page after an advance. `before`: where the clock stood. */
export const afterAdvance = (self: string, before: Instant): string =>
  `${self}/sandbox?${new URLSearchParams({ done: "advanced", since: formatInstant(before) })}`;

/** The instant before the advance that has led to this page; null: no advance has led to the page. */
export const advancedSince = (c: PageContext): Instant | null =>
  c.req.query("done") === "advanced" ? parseInstant(c.req.query("since") ?? "") : null;

export type Moved = {
  organization: Organization;
  now: Instant;
  since: Instant;
  /** Newest first, at most `MOST_COUNTED`. */
  recent: readonly { type: EventType; createdAt: Instant }[];
  /** Newest first, at most `MOST_EMAILS`. */
  emails: readonly ListedEmail[];
};

/** The line about an advance that has arrived: its events and e-mails in numbers, with links to them. */
export function advancedNotice({ ctx, self }: DashboardRequest, moved: Moved): Html {
  const { organization, now, since, recent } = moved;
  const count = moved.emails.filter(({ createdAt }) => createdAt > since).length;
  const emails = count === MOST_EMAILS ? `${MOST_EMAILS} or more e-mails` : counted(count, "e-mail");
  const most = recent.length === MOST_COUNTED && recent.at(-1)!.createdAt > since ? "At least " : "";
  return notice(
    "done",
    html`The clock was advanced to ${time(now, organization.timeZone)}. ${most}${happenedSince(recent, since)},
<a href="${pathOf(emailsUrl(ctx, organization.id))}">${emails}</a>. <a href="${self}/invoices">Invoices</a>,
<a href="${self}/developers/events">events</a>.`,
  );
}
