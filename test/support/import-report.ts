import { instant } from "../../src/domain/calendar.ts";
import type { AssessedImport } from "../../src/domain/import/import.ts";
import { beginRun, finishRun } from "../../src/store/import-runs.ts";
import { upsertAssessed } from "../../src/store/imports.ts";
import type { TestApp } from "./app.ts";

/** The instant of each reading. */
export const READ_AT = instant(Date.UTC(2026, 10, 30, 9));
let runs = 0;

/** A subscription of 20.00 US dollars a month in an assessment. */
export const assessed = (ref: string, more: Partial<AssessedImport> = {}): AssessedImport => ({
  ref,
  customerRef: `cus_of_${ref}`,
  reasons: [],
  currency: "usd",
  monthly: 2000,
  nextChargeAt: instant(Date.UTC(2026, 11, 24, 8)),
  ...more,
});

/** Stores a finished assessment of an account at Stripe. */
export async function storeAssessment(
  { ctx, organization }: TestApp,
  account: string,
  rows: readonly AssessedImport[],
): Promise<void> {
  const key = { organizationId: organization.id, source: "stripe", account } as const;
  const run = {
    ...key,
    id: `imr_${String((runs += 1)).padStart(8, "0")}`,
    step: "assess",
    startedAt: READ_AT,
  } as const;
  await ctx.db.tx(async (tx) => {
    await beginRun(tx, run);
    await upsertAssessed(tx, key, rows, READ_AT);
    await finishRun(tx, run, {}, READ_AT);
  });
}
