import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/store/driver/db.ts";
import type { TestApp } from "./app.ts";
import { createWorkspace, type Begun, type Finished, type Workspace } from "./command-line.ts";

/** A row of a file, by the names of its columns. */
export type TestRow = Readonly<Record<string, string>>;

/** A monthly Subscription of Ada in the middle of a period. */
export const ROW: TestRow = {
  id: "row-1",
  customer_id: "ada",
  email: "ada@example.com",
  product: "pro",
  started_at: "2025-06-20",
  period_end: "2026-03-20",
};
/** A row of another Customer. */
export const rowOf = (name: string, more: TestRow = {}): TestRow => ({
  ...ROW,
  id: `row-${name}`,
  customer_id: name,
  email: `${name}@example.com`,
  ...more,
});

const countStatement = sql(
  "test.csv_counts",
  `SELECT (SELECT count(*)::integer FROM customers WHERE organization_id = $1) AS customers,
     (SELECT count(*)::integer FROM subscriptions WHERE organization_id = $1) AS subscriptions,
     (SELECT count(*)::integer FROM events WHERE organization_id = $1) AS events,
     (SELECT count(*)::integer FROM imports WHERE organization_id = $1) AS imports`,
);
/** The number of rows of the Organization that an import makes. */
export const countsOf = async ({ ctx, organization }: TestApp) =>
  (await ctx.db.read.query<Record<string, number>>(countStatement, [organization.id]))[0]!;

/** The faults of a run, as `column: message`. */
export const faultsOf = ({ stderr }: { stderr: string }) =>
  stderr
    .trim()
    .split("\n")
    .map((line) => line.replace(/^line \d+( \([^)]*\))?(, |: )/, ""));

/** `billow import csv` on the database of a test app. */
export type CsvCommand = {
  /** Writes a file, and answers its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Imports these rows, or a file. */
  run(rows: readonly TestRow[] | string, ...options: string[]): Promise<Finished>;
  /** As `run`, in a process of its own. */
  begin(file: string, options?: string[], environment?: Record<string, string>): Begun;
  /** `billow import csv template`. */
  template(): Promise<Finished>;
  clear(): Promise<void>;
};

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The text of a file with these rows. The columns are those of all rows. */
export function csvOf(rows: readonly TestRow[], separator = ",", end = "\n"): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? "")))];
  return lines.map((cells) => cells.join(separator) + end).join("");
}

export async function openCsvCommand({
  ctx,
  organization,
}: Pick<TestApp, "ctx" | "organization">): Promise<CsvCommand> {
  const workspace: Workspace = await createWorkspace();
  const environment = {
    DATABASE_URL: ctx.config.databaseUrl!,
    BILLOW_SECRET: ctx.config.secret!,
    PUBLIC_ORIGIN: ctx.config.publicOrigin,
  };
  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(workspace.directory, name);
    await writeFile(file, content);
    return file;
  };
  const words = (file: string, options: readonly string[]) => [
    "import",
    "csv",
    file,
    "--organization",
    organization.id,
    ...options,
  ];
  return {
    write,
    async run(rows, ...options) {
      const file = typeof rows === "string" ? rows : await write("rows.csv", csvOf(rows));
      return workspace.run(words(file, options), environment);
    },
    begin: (file, options = [], more = {}) => workspace.begin(words(file, options), { ...environment, ...more }),
    template: () => workspace.run(["import", "csv", "template"], environment),
    clear: workspace.clear,
  };
}
