import {
  distribute as distributeTables,
  NotDistributable,
  planDistribution,
  type DistributionPlan,
  type PlannedTable,
} from "../actions/distribute.ts";
import { counted } from "../domain/words.ts";
import { CommandError, type Command, type Output, type Wiring } from "./command.ts";
import { openExisting } from "./database.ts";
import { table } from "./table.ts";

const PLACES = {
  organization: "divided by Organization",
  reference: "a copy on each node",
  coordinator: "on the coordinator",
  node: "each node has its own",
};

const sizeOf = (bytes: number) => counted(Math.ceil(bytes / 1_000), "kB", "kB");

function present({ tables, dropped }: DistributionPlan, isDryRun: boolean): Output {
  const waiting = tables.filter(({ isPlaced }) => !isPlaced);
  const rows = tables.map(({ name, placement, isPlaced, rows: many, bytes }) => {
    const work = placement === "node" ? "stays" : isPlaced ? "stands there" : isDryRun ? "to place" : "placed";
    return [name, PLACES[placement], String(many), sizeOf(bytes), work];
  });
  const keys = dropped.map(
    ({ name, child, parent }) => `The foreign key ${name} from ${child} to ${parent} ${isDryRun ? "goes" : "is gone"}.`,
  );
  const many = counted(waiting.length, "table");
  const total = isDryRun ? `${many} to place. This was a dry run: the database is unchanged.` : `${many} placed.`;
  return {
    text: [table(["table", "place", "rows", "size", "work"], rows, ""), ...keys, total].join("\n"),
    json: { dryRun: isDryRun, placed: isDryRun ? 0 : waiting.length, tables, droppedKeys: dropped },
  };
}

/** Runs a step, with its refusals as errors of the command. */
async function asCommand<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof NotDistributable ? new CommandError(error.message, { cause: error }) : error;
  }
}

const noteOn =
  (wiring: Wiring) =>
  ({ name, placement, rows, bytes }: PlannedTable) =>
    wiring.note(`${name}: ${PLACES[placement]}, ${counted(rows, "row")}, ${sizeOf(bytes)}`);

export const distribute: Command = {
  usage: "distribute [--dry-run]",
  summary:
    "divides the tables of a stopped installation over the nodes of PostgreSQL with " +
    "Citus, and may be repeated after a crash",
  group: "Data and imports",
  options: { "dry-run": { type: "boolean", says: "shows the work, and does none" } },
  example: "distribute --dry-run",
  async run(wiring, values) {
    const isDryRun = values["dry-run"] === true;
    const ctx = await openExisting(wiring);
    try {
      const plan = await asCommand(planDistribution(ctx));
      if (!isDryRun) await distributeTables(ctx, plan, noteOn(wiring));
      wiring.print(present(plan, isDryRun));
    } finally {
      await ctx.close();
    }
  },
};
