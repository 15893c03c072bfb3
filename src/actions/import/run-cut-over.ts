import type { Context } from "../../context.ts";
import type { CutOverGoal } from "../../domain/import/cut-over.ts";
import type { ImportKey, ImportState } from "../../domain/import/import.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import type { AccountWriter } from "../../payments/account-writer.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { refsIn } from "../../store/import-cut-overs.ts";
import { findImport } from "../../store/imports.ts";
import { cutOver, type CutOverOutcome } from "./cut-over.ts";
import { refresh } from "./refresh.ts";
import { beginReport } from "./report-run.ts";

/**
 * `refs`: the subscriptions; none stands for all that the goal is about. `limit`: the most that are moved; null: all.
 * `isAccepting`: subscriptions whose next totals differ are moved, too.
 */
export type CutOverRun = {
  ctx: Context;
  organization: Organization;
  account: string;
  reader: AccountReader;
  writer: AccountWriter;
  connectable: Connectable;
  goal: CutOverGoal;
  refs: readonly string[];
  limit: number | null;
  isAccepting: boolean;
  sleep(milliseconds: number): Promise<unknown>;
};

const SOURCE = "stripe";
const PAGE = 100;

/** Those on their way come first: neither side charges them. */
const STATES: Record<CutOverGoal, readonly ImportState[]> = {
  cut_over: ["stopping", "imported"],
  finish: ["moved"],
  undo: [],
};

async function* refsOf({ ctx, organization, account, goal, refs }: CutOverRun): AsyncGenerator<string> {
  if (refs.length > 0) return yield* refs;
  for (const state of STATES[goal]) {
    for (let after = "", isFull = true; isFull;) {
      const of = { organizationId: organization.id, source: SOURCE, account } as const;
      const page = await refsIn(ctx.db.read, of, [state], after, PAGE);
      yield* page;
      isFull = page.length === PAGE;
      after = page.at(-1) ?? after;
    }
  }
}

async function outcomeOf(run: CutOverRun, ref: string): Promise<CutOverOutcome> {
  const { ctx, organization, account, goal, writer, sleep } = run;
  const key: ImportKey = { organizationId: organization.id, source: SOURCE, account, ref };
  const row = await findImport(ctx.db.read, key);
  if (row === null || row.subscriptionId === null) return { ref, result: { name: "not_imported" }, invoiceThere: null };
  return cutOver({ ctx, writer, sleep, refresh: (read) => refresh(run, read) }, key, goal);
}

/**
 * Takes the steps of one subscription after the other, and gives each outcome away. Ends early if the provider gives no
 * answer for minutes, and returns its words; null: all were taken.
 * @throws ReadError; WriteRefused if the provider refuses the key
 */
export async function runCutOver(
  run: CutOverRun,
  each: (outcome: CutOverOutcome) => Promise<void>,
): Promise<string | null> {
  const { ctx, organization, account, limit } = run;
  const results: Record<string, number> = {};
  const report = await beginReport(ctx, { organizationId: organization.id, source: SOURCE, account }, "cut_over");
  let says: string | null = null;
  for await (const ref of refsOf(run)) {
    const outcome = await outcomeOf(run, ref);
    const { name } = outcome.result;
    results[name] = (results[name] ?? 0) + 1;
    await each(outcome);
    if (outcome.result.name === "unanswered") says = outcome.result.says;
    if (says !== null || (limit !== null && (results["moved"] ?? 0) >= limit)) break;
  }
  await report.finish({ goal: run.goal, results }, false);
  return says;
}
