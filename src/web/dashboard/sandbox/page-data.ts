import { HTTPException } from "hono/http-exception";
import type { Instant } from "../../../domain/calendar.ts";
import type { ListedEmail } from "../../../domain/model/email.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { fillObstacle } from "../../../domain/organization/fill-obstacle.ts";
import type { FillObstacle } from "../../../domain/refusal.ts";
import { ListEmailsQuery } from "../../../resources/email.ts";
import { hasCheckouts } from "../../../store/checkouts.ts";
import { readComing, recentEvents } from "../../../store/upcoming-items.ts";
import { hasCustomers } from "../../../store/customers.ts";
import { listEmails } from "../../../store/emails.ts";
import { readOrganization } from "../../../store/organizations.ts";
import { findFill, type Fill } from "../../../store/sandbox-fills.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import type { DashboardRequest } from "../request.ts";
import { advancedSince, MOST_EMAILS, type Moved } from "./advance-notice.ts";
import { dueOf, MOST_DUE, type Due } from "./due-items.ts";
import { daysOf, MOST_COUNTED, type Day } from "./days.ts";
import { MOST_ACTIVITY, readRecentActivity, type RecentActivity } from "./recent-activity.ts";

/** The state of a sandbox, as its page shows it. `obstacle`: the reason why the sandbox can't be filled. */
export type SandboxPageData = {
  request: DashboardRequest;
  organization: Organization;
  now: Instant;
  fill: Fill | null;
  obstacle: FillObstacle | null;
  /** Whether a filling sets the clock back, so that the purchases come before the present time of the clock. */
  goesBack: boolean;
  due: Due[];
  days: Day[];
  activity: RecentActivity;
  /** The e-mails that were not skipped, the newest first. */
  emails: readonly ListedEmail[];
  done: Html | "";
  /** The advance that has led to this page and has arrived; null: there is none. */
  moved: Moved | null;
};

const DONE: Record<string, string> = {
  stopped: "The clock was stopped.",
  filling: "The sandbox is being filled.",
};

/** A step is going on, or is to go on. */
export const isFilling = ({ fill }: Pick<SandboxPageData, "fill">) => fill !== null && fill.leaseUntil !== null;
export const isAdvancing = ({ organization }: Pick<SandboxPageData, "organization">) =>
  organization.clockTarget !== null;

/** @throws HTTPException 404 for a live Organization */
export function requireSandbox({ organization }: DashboardRequest): void {
  if (organization.mode !== "sandbox") throw new HTTPException(404);
}

/** @throws HTTPException 404 for a live Organization */
export async function readPageData(c: PageContext, request: DashboardRequest): Promise<SandboxPageData> {
  requireSandbox(request);
  const { ctx } = request;
  const { read } = ctx.db;
  const { id, timeZone } = request.organization;
  const since = advancedSince(c);
  const most = since === null ? MOST_ACTIVITY : MOST_EMAILS;
  const [{ organization, now }, fill, anyCustomer, anyCheckout, coming, recent, activity, found] = await Promise.all([
    readOrganization(read, id),
    findFill(read, id),
    hasCustomers(read, id),
    hasCheckouts(read, id),
    readComing(read, id, MOST_DUE),
    recentEvents(read, id, MOST_COUNTED),
    readRecentActivity(ctx, request.organization),
    listEmails(read, id, ListEmailsQuery.parse({ limit: most, skipped: "false" })),
  ]);
  const emails = found.slice(0, most);
  const hasArrived = since !== null && organization.clockTarget === null;
  return {
    request,
    organization,
    now,
    fill,
    obstacle: fillObstacle(organization, anyCustomer),
    goesBack: !anyCheckout,
    due: dueOf(coming),
    days: daysOf(recent, timeZone),
    activity,
    emails,
    done: doneNotice(c, DONE),
    moved: hasArrived ? { organization, now, since, recent, emails } : null,
  };
}
