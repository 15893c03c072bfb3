import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestApp } from "./app.ts";
import { createWorkspace, type Begun, type Finished, type Workspace } from "./command-line.ts";

/** A row of a file, by the names of its columns. */
export type TestRow = Readonly<Record<string, string>>;

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
