import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import type { AssessedSubscription } from "../../domain/import/assessment.ts";
import type { AssessedImport, ImportStep } from "../../domain/import/import.ts";
import { newId } from "../../ids.ts";
import { beginRun, finishRun } from "../../store/import-runs.ts";
import { deleteUnseen, upsertAssessed, type ImportAccount } from "../../store/imports.ts";

/** The rows of one transaction: a page of Stripe. */
const BATCH = 100;

const importOf = ({ customer, subscription, reasons, monthly }: AssessedSubscription): AssessedImport => ({
  ref: subscription.ref,
  customerRef: customer.ref,
  reasons,
  currency: subscription.currency,
  monthly,
  nextChargeAt: subscription.nextChargeAt,
});

/** The report of a step while the step runs. A run that was cut off has no end. */
export type ReportRun = {
  startedAt: Instant;
  /** Stores the reading of a subscription, a page at a time. Lowers the state of no row. */
  add(assessed: AssessedSubscription): Promise<void>;
  /** Stores the rest and the sums. `isWhole`: rows that were not read have ended there, and are deleted. */
  finish(sums: object, isWhole: boolean): Promise<void>;
};

/** Begins the report of a step, which the dashboard shows. */
export async function beginReport(ctx: Context, of: ImportAccount, step: ImportStep): Promise<ReportRun> {
  const startedAt = instant(realNow());
  const { organizationId } = of;
  const run = { ...of, id: newId("imp"), step, startedAt };
  await ctx.db.tx((tx) => beginRun(tx, run));
  let waiting: AssessedImport[] = [];
  const store = async () => {
    const rows = waiting;
    waiting = [];
    await ctx.db.tx((tx) => upsertAssessed(tx, of, rows, startedAt));
  };
  return {
    startedAt,
    async add(assessed) {
      waiting.push(importOf(assessed));
      if (waiting.length >= BATCH) await store();
    },
    async finish(sums, isWhole) {
      if (waiting.length > 0) await store();
      await ctx.db.tx(async (tx) => {
        if (isWhole) await deleteUnseen(tx, of, startedAt);
        await finishRun(tx, { organizationId, id: run.id }, sums, instant(realNow()));
      });
    },
  };
}
