import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let directory: string;
let workspace: Workspace;
let database: TestDatabase;

const run = (...args: string[]) =>
  workspace.run(args, {
    DATABASE_URL: database.url,
    BILLOW_SECRET: "s".repeat(32),
    BILLOW_DATA_DIR: join(directory, "data"),
  });
const fileOf = (name: string) => join(directory, name);
const exportTo = (name: string) => run("export", fileOf(name));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "billow-export-draft-"));
  [workspace, database] = await Promise.all([createWorkspace(), createTestDatabase()]);
  expect(await run("org", "create", "--name", "Leaving", "--mode", "sandbox")).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await workspace.clear();
  await database.drop();
  await rm(directory, { recursive: true });
});

test("leaves a directory alone that has the name of the draft", async () => {
  const draft = `${fileOf("other.tar.gz")}.draft`;
  await mkdir(draft);
  await writeFile(join(draft, "letter.txt"), "Dear Ada");
  const message = (path: string) => `billow: ${path} is no draft of an export: give another name, or remove it.\n`;
  expect(await exportTo("other.tar.gz")).toMatchObject({ code: 1, stderr: message(draft) });
  expect(await readFile(join(draft, "letter.txt"), "utf8")).toBe("Dear Ada");
  await rm(draft, { recursive: true });
  await writeFile(draft, "no directory");
  expect(await exportTo("other.tar.gz")).toMatchObject({ code: 1, stderr: message(draft) });
  await rm(draft);
  // A run that was killed before the book had its name.
  await mkdir(draft);
  await writeFile(join(draft, "draft.json.77.partial"), "{");
  expect(await exportTo("other.tar.gz")).toMatchObject({ code: 0 });
  expect(existsSync(draft)).toBe(false);
});

test("writes no export without its entry in the audit log, and a repetition does neither", async () => {
  const setReadOnly = (value: string) =>
    database.db.script(
      `SET TRANSACTION READ WRITE;
       DO $$ BEGIN
         EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database());
       END $$`,
    );
  await setReadOnly("on");
  onTestFinished(() => setReadOnly("off"));
  for (const _run of [1, 2]) {
    const { code, stderr } = await exportTo("unaudited.tar.gz");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/read-only/)]);
    expect(existsSync(fileOf("unaudited.tar.gz"))).toBe(false);
  }
  await setReadOnly("off");
  expect(await exportTo("unaudited.tar.gz")).toMatchObject({ code: 0 });
});
