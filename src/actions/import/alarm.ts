import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import { LATE_STOP, type ImportProblem } from "../../domain/import/both-sides.ts";
import { newId } from "../../ids.ts";
import { formatEmail } from "../../mail/email-content.ts";
import { importAlarm, type AlarmFacts } from "../../mail/import-alarm.ts";
import { queueWritten } from "../../store/email-queue.ts";
import { takeAlarms, type ImportAlarm } from "../../store/import-cut-overs.ts";
import { readOrganization } from "../../store/organizations.ts";
import { problemMeaning } from "../../resources/import-meanings.ts";

/** Stops that began before this instant are late, by real time. */
export const lateStop = (): Instant => instant(realNow() - LATE_STOP);

const factsOf = ({ ref, customerRef, problem }: ImportAlarm): AlarmFacts => ({
  ref,
  customerRef,
  meaning: problemMeaning(problem as ImportProblem | null),
});

/**
 * Queues one e-mail to the seller's own address about all new alarms of an Organization. Returns the number of alarms.
 * Without an address the alarms are in the dashboard, in the metrics and in `doctor` alone.
 */
export function announceAlarms(ctx: Context, organizationId: string): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const { organization } = await readOrganization(tx, organizationId);
    const alarms = await takeAlarms(tx, organizationId, lateStop());
    const { contactEmail: recipient } = organization;
    if (alarms.length === 0 || recipient === null) return alarms.length;
    const message = formatEmail(importAlarm(alarms.map(factsOf)), organization, "seller");
    queueWritten(tx, { organizationId, id: newId("eml"), kind: "import_alarm", recipient, ...message });
    return alarms.length;
  });
}
