import type { Context } from "../../context.ts";
import { fault, ok, type Check } from "./check.ts";
import { judgePromotion } from "./server-findings.ts";
import { counted } from "../../domain/words.ts";
import { findInstallation } from "../../store/installation.ts";
import { heldAccounts, readTimeline } from "../../store/promotions.ts";
import { readInstallation } from "../installation.ts";

/** Whether charges wait after the promotion of a replica or a restore in place (rule D1d). */
export async function checkPromotion({ db }: Pick<Context, "db">): Promise<Check> {
  const installation = await findInstallation(db.read);
  const timeline = await readTimeline(db.read, db.isDistributed());
  const held = await heldAccounts(db.read);
  const isNoticed = timeline === null || installation?.timeline == null || installation.timeline === timeline;
  return judgePromotion(held, isNoticed);
}

/** Whether this database is a copy of another installation's database (rule D1c). Makes no row. */
export async function checkCopy(ctx: Context): Promise<Check> {
  if (!(await findInstallation(ctx.db.read))) return ok("copy", "no process has started on this database yet");
  const { id, isCopy, held } = await readInstallation(ctx);
  if (!isCopy) return ok("copy", `this is the database of the installation ${id}`);
  const waiting = [
    counted(held.charges + held.refunds, "charge or refund", "charges and refunds"),
    counted(held.emails, "e-mail"),
    counted(held.deliveries, "webhook"),
  ].join(", ");
  return fault(
    "copy",
    `this database is a copy of the installation ${id}, and holds ${waiting}`,
    "Run node bin/billow.mjs adopt if this database replaces the original. Leave it held if the original still runs.",
  );
}
