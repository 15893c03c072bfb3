import { advanceClock } from "../../../actions/sandbox/advance-clock.ts";
import { stopAdvance } from "../../../actions/sandbox/advance-stop.ts";
import type { Begun } from "../../../actions/sandbox/advance-begin.ts";
import type { ClockTarget } from "../../../actions/sandbox/clock-target.ts";
import { fillSandbox, stopFilling } from "../../../actions/scenario/company/begin.ts";
import { beginOfDay, parseDate } from "../../../domain/calendar.ts";
import type { Fill } from "../../../store/sandbox-fills.ts";
import { formPages, together, type Pages } from "../form-action.ts";
import { originOf, refusedField, typed, type Sent } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { afterAdvance } from "./advance-notice.ts";
import { livePart, sandboxPage } from "./page.ts";
import { payPages } from "./pay.ts";
import { isFilling, readPageData, type SandboxPageData } from "./page-data.ts";
import { triggerPages } from "./trigger.ts";

const PATH = `${ROOT}/sandbox`;
/** An answer waits for a short advance. A worker continues a longer one, and the page shows the progress. */
const WAIT_MILLISECONDS = 1_000;

/** @throws AppError 422 for a step that is no step, and a text that is no date */
function targetOf(sent: Sent): ClockTarget {
  const step = typed(sent, "step");
  if (step === "next") return { toNextDue: true };
  if (step === "P1D" || step === "P1M") return { by: step };
  const date = parseDate(typed(sent, "to"));
  if (date === null) throw refusedField("to", "invalid_format", "Choose a day, such as 2026-12-31.");
  return { to: beginOfDay(date, sent.request.organization.timeZone) };
}

/** The fields of the management API, for the audit log. */
function bodyOf(sent: Sent): object {
  const target = targetOf(sent);
  return "to" in target ? { to: typed(sent, "to") } : target;
}

const shared = {
  permission: "sandbox",
  load: readPageData,
  page: sandboxPage,
  after: (_: SandboxPageData, { self }: DashboardRequest) => `${self}/sandbox`,
} as const;

const clockForm = formPages<SandboxPageData>({
  ...shared,
  path: PATH,
  async act({ request: { ctx, organization, self }, now }, _, sent) {
    const origin = originOf<Begun>(sent, { operation: "advanceSandboxClock", body: bodyOf(sent) });
    await advanceClock(ctx, organization.id, targetOf(sent), WAIT_MILLISECONDS, origin);
    return afterAdvance(self, now);
  },
});

const stopForm = formPages<SandboxPageData>({
  ...shared,
  path: `${PATH}/stop`,
  async act(pageData, _, sent) {
    const { ctx, organization, self } = pageData.request;
    const operation = isFilling(pageData) ? "stopSandboxFill" : "stopSandboxClock";
    const origin = originOf<void>(sent, { operation });
    await (isFilling(pageData) ? stopFilling(ctx, origin) : stopAdvance(ctx, organization.id, origin));
    return `${self}/sandbox?done=stopped`;
  },
});

const fillForm = formPages<SandboxPageData>({
  ...shared,
  path: `${PATH}/fill`,
  async act({ request: { ctx, self } }, _, sent) {
    await fillSandbox(ctx, originOf<Fill>(sent, { operation: "fillSandbox" }));
    return `${self}/sandbox?done=filling`;
  },
});

const progress: Pages = (_, app, guard) => {
  app.get(
    `${PATH}/progress`,
    guard.signedIn("sandbox", async (c, request) => c.html(livePart(await readPageData(c, request)))),
  );
};

/**
 * `/dashboard/{organizationId}/sandbox`: the clock as a time line, its steps, and the filling with a company. The forms
 * make the changes of `/manage/v1/sandbox/clock`. A live Organization has no such page.
 */
export const sandboxPages = together(clockForm, stopForm, fillForm, progress, triggerPages, payPages);
