import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { obstacleOf } from "../../../actions/scenario/company/begin.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { hasCheckouts } from "../../../store/checkouts.ts";
import { readComing, recentEvents } from "../../../store/upcoming-items.ts";
import { readOrganization } from "../../../store/organizations.ts";
import { findFill, type Fill } from "../../../store/sandbox-fills.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import type { Visit } from "../request.ts";
import { advancedNotice } from "./advance-notice.ts";
import { dueOf, MOST_DUE, type Due } from "./due-items.ts";
import { daysOf, MOST_COUNTED, type Day } from "./days.ts";
import { happened } from "./recent-activity.ts";

/** The state of a sandbox, as its page shows it. `obstacle`: the reason why the sandbox can't be filled. */
export type SandboxPageData = {
  visit: Visit;
  organization: Organization;
  now: Instant;
  fill: Fill | null;
  obstacle: string | null;
  /** Whether a filling sets the clock back, so that the purchases come before the present time of the clock. */
  goesBack: boolean;
  due: Due[];
  days: Day[];
  happened: Html;
  done: Html | "";
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
export function requireSandbox({ organization }: Visit): void {
  if (organization.mode !== "sandbox") throw new HTTPException(404);
}

/** @throws HTTPException 404 for a live Organization */
export async function readPageData(c: PageContext, visit: Visit): Promise<SandboxPageData> {
  requireSandbox(visit);
  const { ctx } = visit;
  const { read } = ctx.db;
  const { id, timeZone } = visit.organization;
  const [{ organization, now }, fill, anyCheckout, coming, recent, happenedNow] = await Promise.all([
    readOrganization(read, id),
    findFill(read, id),
    hasCheckouts(read, id),
    readComing(read, id, MOST_DUE),
    recentEvents(read, id, MOST_COUNTED),
    happened(ctx, visit),
  ]);
  const moved = { self: visit.self, organization, now, recent };
  const advanced = await advancedNotice(ctx, c, moved);
  return {
    visit,
    organization,
    now,
    fill,
    obstacle: await obstacleOf(read, organization),
    goesBack: !anyCheckout,
    due: dueOf(coming),
    days: daysOf(recent, timeZone),
    happened: happenedNow,
    done: html`${doneNotice(c, DONE)}${advanced}`,
  };
}
