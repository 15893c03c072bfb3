import type { Context } from "../context.ts";
import { keepVerification } from "../store/verifications.ts";
import type { Verdict } from "./verify.ts";

/** Keeps a verdict for the dashboard, without the examples. */
export async function keepVerdict({ db }: Pick<Context, "db">, verdict: Verdict): Promise<void> {
  const kept = verdict.disagreements.map(({ rule, says, count: violations }) => ({ rule, says, count: violations }));
  await db.tx((tx) => keepVerification(tx, verdict.organizationId, kept));
}
