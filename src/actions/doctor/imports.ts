import type { Context } from "../../context.ts";
import { realNow } from "../../clock.ts";
import { DAY, instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { counted } from "../../domain/words.ts";
import { alarmsOf } from "../../store/import-cut-overs.ts";
import { uncheckedAccounts } from "../../store/imports.ts";
import { lateStop } from "../import/alarm.ts";
import { fault, ok, warning, type Check } from "./check.ts";

/** The check of both sides is daily. After this time a person looks why it fails. */
const LATE_CHECK = 2 * DAY;

/** Subscriptions of imports that both systems charge, or neither, and accounts that no check has read for two days. */
export async function checkImports(
  { db }: Pick<Context, "db">,
  organizations: readonly Organization[],
): Promise<Check> {
  const alarms: string[] = [];
  for (const { id, name } of organizations) {
    const { stopping, problems } = await alarmsOf(db.read, id, lateStop());
    if (stopping + problems > 0) alarms.push(`${name} (${id}): ${counted(stopping + problems, "subscription")}`);
  }
  if (alarms.length > 0)
    return fault(
      "imports",
      `both systems charge these imported subscriptions, or neither: ${alarms.join("; ")}`,
      "Look at the page Imports of the dashboard, and repeat node bin/billow.mjs import stripe cut-over, or undo.",
    );
  const late = (await uncheckedAccounts(db.read, instant(realNow() - LATE_CHECK))).filter(isAtStripe);
  if (late.length === 0) return ok("imports", "no subscription of an import has an alarm");
  const accounts = late.map(({ account }) => account).join(", ");
  return warning(
    "imports",
    `the daily check of both sides has not read ${accounts} for two days`,
    "Connect the account, with a key that has the permission Subscriptions: read, and see the log of the worker.",
  );
}

const isAtStripe = ({ source }: { source: string }) => source === "stripe";
