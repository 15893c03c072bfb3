import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { describeSchema } from "../../scripts/schema.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { sql } from "../../src/store/driver/db.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { blocksOf, readDocument } from "../support/guide.ts";
import { ROOT } from "../support/source.ts";
import { until } from "../support/until.ts";

const tablesStatement = sql(
  "test.backup_tables",
  "SELECT count(*) AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace",
);

const writingStatement = sql(
  "test.backup_writing",
  `SELECT count(*) > 0 AS writing FROM pg_stat_activity
   WHERE datname = current_database() AND backend_xid IS NOT NULL AND state = 'idle in transaction'`,
);

const waitingStatement = sql(
  "test.backup_waiting",
  `SELECT count(*) > 0 AS waiting FROM pg_locks
   WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);

const SECRET = "s".repeat(32);
const OTHER_SECRET = "o".repeat(32);
const DOWNLOADED = "downloads/org_a/large.bin";
const NAME = "Nadelöhr & Söhne";

let directory: string;
let workspace: Workspace;
let source: TestDatabase;
let empty: TestDatabase;
let file: string;
const environment = ({ url }: TestDatabase) => ({
  DATABASE_URL: url,
  BILLOW_SECRET: SECRET,
  BILLOW_DATA_DIR: join(directory, "data"),
});
const restore = (path: string, ...options: string[]) =>
  workspace.run(["restore", path, ...options], environment(empty));
const numberOfTables = async () => (await empty.db.read.query<{ tables: number }>(tablesStatement))[0]!.tables;

/** The backup with other bytes in its tar file. */
async function altered(name: string, change: (tar: Buffer) => void): Promise<string> {
  const tar = zstdDecompressSync(await readFile(file));
  change(tar);
  const path = join(directory, name);
  await writeFile(path, zstdCompressSync(tar));
  return path;
}

function replaceIn(tar: Buffer, from: string, to: string): void {
  const at = tar.indexOf(from);
  expect(at, from).toBeGreaterThan(0);
  tar.write(to, at);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Gives the entry of the file to download another path, with the checksum of the changed header. */
function moveFile(tar: Buffer, path: string): void {
  const header = tar.subarray(tar.indexOf(DOWNLOADED)).subarray(0, 512);
  header.fill(0, 0, 100).write(path);
  header.fill(" ", 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "billow-backup-"));
  workspace = await createWorkspace();
  [source, empty] = [await createTestDatabase(), await createEmptyDatabase()];
  const wanted = { name: NAME, mode: "sandbox" } as const;
  await source.db.tx((tx) => createOrganizationWithKeys(tx, wanted));
  await mkdir(join(directory, "data/downloads/org_a"), { recursive: true });
  await writeFile(join(directory, "data/downloads/org_a/large.bin"), randomBytes(3_000_000));
  file = join(directory, "billow.backup");
  const made = await workspace.run(["backup", file], environment(source));
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(
    /^Backed up the state of 20.*Z: \d+ rows of \d+ tables, 1 file to download, 30\d\d kB\.\nA restore needs the secret with/,
  );
});
afterAll(async () => {
  for (const each of [source, empty]) await each.drop();
  await workspace.clear();
  await rm(directory, { recursive: true });
});

describe("billow backup", () => {
  test("writes no file over another one, and leaves no part of a file that failed", async () => {
    expect(await workspace.run(["backup", file], environment(source))).toEqual({
      code: 1,
      stdout: "",
      stderr: `billow: ${file} exists already: give another name.\n`,
    });
    const dangling = join(directory, "dangling.backup");
    await symlink(join(directory, "gone"), dangling);
    expect(await workspace.run(["backup", dangling], environment(source))).toMatchObject({
      code: 1,
      stderr: `billow: ${dangling} exists already: give another name.\n`,
    });
    await rm(dangling);
    for (const command of ["backup", "restore"])
      expect(await workspace.run([command, ""], environment(source))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^billow: FILE is empty\. Usage: /),
      });
    const nowhere = join(directory, "nowhere", "billow.backup");
    expect(await workspace.run(["backup", nowhere], environment(source))).toMatchObject({
      code: 1,
      stderr: `billow: ${nowhere}: there is no such file or directory (ENOENT).\n`,
    });
    const failing = join(directory, "failing.backup");
    expect(await workspace.run(["backup", failing], environment(empty))).toMatchObject({
      code: 1,
      stderr: "billow: The database is empty: there is no table to back up.\n",
    });
    expect((await readdir(directory)).sort()).toEqual(["billow.backup", "data"]);
  });

  test("holds neither the secret nor a table of others, and names such tables", async () => {
    await source.db.script("CREATE TABLE own_notes (text text)", `INSERT INTO own_notes VALUES ('a note')`);
    const path = join(directory, "with-notes.backup");
    const made = await workspace.run(["backup", path], environment(source));
    await source.db.script("DROP TABLE own_notes");
    expect(made.stdout).toContain("\nNot in the backup, because not Billow's: own_notes.");
    const tar = zstdDecompressSync(await readFile(path));
    expect([tar.includes(SECRET), tar.includes("a note"), tar.includes(NAME)]).toEqual([false, false, true]);
  });

  test("stops at a signal while it waits for a lock, and leaves no file", async () => {
    const path = join(directory, "stopped.backup");
    await source.db.bulk(async (bulk) => {
      await bulk.begin("BEGIN", "LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE");
      const waiting = workspace.begin(["backup", path], environment(source));
      await until(async () => (await source.db.read.query<{ waiting: boolean }>(waitingStatement))[0]!.waiting);
      waiting.signal("SIGTERM");
      expect(await waiting.finished).toEqual({ code: 1, stdout: "", stderr: "billow: Stopped.\n" });
    });
    expect((await readdir(directory)).filter((each) => each.startsWith("stopped"))).toEqual([]);
  });

  test("names the files that Benefits offer and that are missing, as a restore does", async () => {
    await source.db.script(`INSERT INTO benefits (organization_id, id, type, name, properties, metadata, version,
        created_at, updated_at)
      SELECT id, 'ben_lost', 'download', 'Guide', '{"files":[{"path":"guide.pdf","name":"Guide"}]}', '{}', 1,
        created_at, created_at FROM organizations`);
    onTestFinished(() => source.db.script("DELETE FROM benefits"));
    const path = join(directory, "without-files.backup");
    const made = await workspace.run(["backup", path], environment(source));
    expect(made.code).toBe(3);
    expect(made.stdout).toMatch(/\nBenefits offer 1 file not in the directory .*:\norg_\w+\/guide\.pdf\n$/);
    const tested = await workspace.run(["restore", path, "--test", "--json"], environment(source));
    expect(tested.code).toBe(3);
    expect(JSON.parse(tested.stdout)).toMatchObject({ missingFiles: [expect.stringMatching(/^org_\w+\/guide\.pdf$/)] });
  });

  test("goes through a pipe into a restore, and ends with 1 if the reader ends", async () => {
    const billow = `"${process.execPath}" "${join(ROOT, "bin/billow.mjs")}"`;
    const run = (script: string) =>
      promisify(execFile)("sh", ["-c", script], {
        cwd: directory,
        env: { PATH: process.env["PATH"], LOG_LEVEL: "warn", ...environment(source) },
      });
    const { stdout, stderr } = await run(`${billow} backup - | ${billow} restore - --test`);
    expect(stderr).toMatch(/^Backed up the state of /);
    expect(stdout).toMatch(/^The backup can be restored: /);
    const broken = await run(`{ ${billow} backup - || echo "ended with $?" >&2; } | head -c 100 > beginning`);
    expect(broken.stderr).toBe("billow: stdout: the reader of the output has ended (EPIPE).\nended with 1\n");
  });

  test("removes old backups each night after a successful one alone, and prints only failures", async () => {
    const backups = join(directory, "backups");
    await mkdir(backups);
    const cron = blocksOf(await readDocument("docs/guides/going-live.md")).find(({ mark }) => mark === "example: cron");
    const command = /(?<= billow )cd .* backup .*/
      .exec(cron!.code)![0]
      .replace("/srv/billow/app", ROOT)
      .replace("/usr/local/bin/node", process.execPath)
      .replaceAll("/var/backups/billow", backups)
      .replaceAll("\\%", "%");
    const night = (database: TestDatabase) =>
      promisify(execFile)("sh", ["-c", command], {
        env: { PATH: process.env["PATH"], LOG_LEVEL: "warn", ...environment(database) },
      });
    const days = { "old.backup": 32, "old.backup.7.partial": 3, "last.backup": 29, "new.backup.8.partial": 0 };
    for (const [name, age] of Object.entries(days)) {
      await writeFile(join(backups, name), "");
      const at = Date.now() / 1000 - age * 86_400;
      await utimes(join(backups, name), at, at);
    }
    const failed = await night(empty);
    expect(failed.stdout).toBe("billow: The database is empty: there is no table to back up.\n");
    expect((await readdir(backups)).sort()).toEqual(Object.keys(days).sort());
    expect(await night(source)).toEqual({ stdout: "", stderr: "" });
    const made = expect.stringMatching(/^\d{4}-\d\d-\d\d\.backup$/);
    expect((await readdir(backups)).sort()).toEqual([made, "last.backup", "new.backup.8.partial"]);
  });
});

describe("billow restore", () => {
  const DAMAGED = /^billow: The backup is damaged: /;
  const CUT = /^billow: The backup ends too early: the file was cut, or its writer was stopped\.\n$/;

  async function refuses(path: string, message: RegExp): Promise<void> {
    const refused = await restore(path);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(await numberOfTables()).toBe(0);
    expect((await readdir(join(directory, "data"))).sort()).toEqual(["downloads"]);
  }

  test("refuses a file that was cut, and leaves the database empty", async () => {
    const whole = await readFile(file);
    for (const length of [0, 1_000, whole.length - 5_000, whole.length - 1]) {
      const path = join(directory, "cut.backup");
      await writeFile(path, whole.subarray(0, length));
      await refuses(path, CUT);
    }
  });

  test("refuses a file that was changed, and leaves the database empty", async () => {
    const whole = await readFile(file);
    whole[whole.length - 3_000]! ^= 1;
    const flipped = join(directory, "flipped.backup");
    await writeFile(flipped, whole);
    await refuses(flipped, DAMAGED);
    await refuses(
      await altered("renamed.backup", (tar) => replaceIn(tar, NAME, NAME.replace("N", "M"))),
      /^billow: The backup is damaged: the rows of the table organizations are not those that were written\.\n$/,
    );
    await refuses(
      await altered("unreadable.backup", (tar) => replaceIn(tar, "\tsandbox\t", "\tcasino!\t")),
      /^billow: The backup is damaged: PostgreSQL refuses the rows of the table organizations: /,
    );
    await refuses(
      await altered("file.backup", (tar) => void (tar[tar.indexOf("large.bin") + 2_000]! ^= 1)),
      /^billow: .*large\.bin has other contents than in the backup: move the file away, and repeat\.\n$/,
    );
  });

  test("refuses a file that is no backup, that is missing, or that names a path outside", async () => {
    await refuses(join(ROOT, "package.json"), /^billow: This file is no backup of Billow\.\n$/);
    await refuses(join(directory, "none"), /^billow: .*none: there is no such file or directory \(ENOENT\)\.\n$/);
    const outside = await altered("outside.backup", (tar) => moveFile(tar, "downloads/org_a/../../large.bin"));
    await refuses(
      outside,
      /^billow: The backup is damaged: "org_a\/\.\.\/\.\.\/large\.bin" is no path of a file to download\.\n$/,
    );
    const later = await altered("later.backup", (tar) => replaceIn(tar, '"formatVersion": 1', '"formatVersion": 9'));
    await refuses(later, /^billow: This release of Billow does not know the format 9 of this backup/);
    const newer = await altered("newer.backup", (tar) => replaceIn(tar, "0103-parts", "9103-parts"));
    await refuses(newer, /^billow: The backup was made by Billow .*, and this release lacks its migration 9103-parts/);
  });

  test("leaves the database empty if the process is killed in the middle", async () => {
    const env = { PATH: process.env["PATH"], ...environment(empty), BILLOW_DATA_DIR: join(directory, "killed") };
    const args = [join(ROOT, "bin/billow.mjs"), "restore", "-"];
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ["pipe", "ignore", "ignore"] });
    const ended = once(child, "exit");
    child.stdin.on("error", () => undefined).write((await readFile(file)).subarray(0, 1_000_000));
    await until(async () => (await empty.db.read.query<{ writing: boolean }>(writingStatement))[0]!.writing);
    child.kill("SIGKILL");
    await ended;
    await until(async () => !(await empty.db.read.query<{ writing: boolean }>(writingStatement))[0]!.writing);
    expect(await numberOfTables()).toBe(0);
  });

  test("stops at a signal while it waits for the rest of its input", async () => {
    const env = { PATH: process.env["PATH"], ...environment(empty), BILLOW_DATA_DIR: join(directory, "stopped") };
    const args = [join(ROOT, "bin/billow.mjs"), "restore", "-"];
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ["pipe", "ignore", "ignore"] });
    const ended = once(child, "exit");
    child.stdin.on("error", () => undefined).write((await readFile(file)).subarray(0, 1_000_000));
    await until(async () => (await empty.db.read.query<{ writing: boolean }>(writingStatement))[0]!.writing);
    child.kill("SIGTERM");
    expect(await ended).toEqual([1, null]);
    expect(await numberOfTables()).toBe(0);
  });

  test("leaves a column out that others have added, and names the column", async () => {
    await source.db.script("ALTER TABLE organizations ADD COLUMN own_number integer NOT NULL DEFAULT 7");
    onTestFinished(() => source.db.script("ALTER TABLE organizations DROP COLUMN own_number"));
    const path = join(directory, "with-column.backup");
    expect(await workspace.run(["backup", path], environment(source))).toMatchObject({ code: 0, stderr: "" });
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const restored = await workspace.run(["restore", path], environment(database));
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toContain("\nLeft out, because not Billow's: the columns organizations.own_number.\n");
    expect(await describeSchema(database.db, [])).not.toContain("own_number");
  });

  test("ends with 4 if the rows are restored and the migration fails afterwards", async () => {
    const edited = await altered("edited.backup", (tar) => {
      const at = tar.indexOf("tables/schema_migrations/00000001");
      const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
      const rows = tar.subarray(at + 512, at + 512 + size);
      const before = sha256(rows);
      const checksum = rows.indexOf("\t") + 1;
      rows.fill("0", checksum, checksum + 64);
      replaceIn(tar, before, sha256(rows));
    });
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    expect(await workspace.run(["restore", edited], environment(database))).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /^billow: The rows are restored, but the migration failed: The migration 0001-.* Run node bin\/billow\.mjs migrate, then/,
      ),
    });
    expect(await workspace.run(["restore", edited, "--test"], environment(empty))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^billow: The rows are restored, but .*The test database was removed\.\n$/),
    });
  });

  // Linux keeps this directory in memory, so a file can't be renamed into it.
  test.runIf(existsSync("/dev/shm"))("puts the files into a directory on another file system", async () => {
    const [outside, database] = [await mkdtemp("/dev/shm/billow-"), await createEmptyDatabase()];
    onTestFinished(async () => {
      await database.drop();
      await rm(outside, { recursive: true });
    });
    const data = join(directory, "linked");
    await mkdir(data);
    await symlink(outside, join(data, "downloads"));
    const to = { ...environment(database), BILLOW_DATA_DIR: data };
    expect(await workspace.run(["restore", file], to)).toMatchObject({ code: 0, stderr: "" });
    expect(await readdir(join(outside, "org_a"))).toEqual(["large.bin"]);
    expect(await readdir(data)).toEqual(["downloads"]);
  });

  test("says in one line that a file stands in the place of the directory downloads", async () => {
    const data = join(directory, "blocked");
    await mkdir(data);
    await writeFile(join(data, "downloads"), "");
    const refused = await workspace.run(["restore", file], { ...environment(empty), BILLOW_DATA_DIR: data });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^billow: .*downloads.*: a part of the path is no directory \(ENOTDIR\)\.\n$/),
    });
    expect(await numberOfTables()).toBe(0);
  });

  test("refuses another secret, unless --other-secret is given", async () => {
    const other = { ...environment(empty), BILLOW_SECRET: OTHER_SECRET };
    const refused = await workspace.run(["restore", file], other);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^billow: The backup needs the secret with the fingerprint [0-9a-f]{16}, and the fingerprint of the given one is [0-9a-f]{16}: set/,
    );
    expect(await numberOfTables()).toBe(0);
    const rotated = { ...other, BILLOW_SECRET_PREVIOUS: SECRET };
    expect(await workspace.run(["restore", file, "--test"], rotated)).toMatchObject({ code: 0 });
    // An empty data directory has no secret yet.
    const bare = { BILLOW_DATA_DIR: join(directory, "bare") };
    const without = await workspace.run(["restore", file], bare);
    expect(without.stderr).toContain("and " + bare.BILLOW_DATA_DIR + " has none: set BILLOW_SECRET");
    await expect(readdir(bare.BILLOW_DATA_DIR)).rejects.toThrow("ENOENT");
    expect(await workspace.run(["restore", file, "--other-secret"], other)).toMatchObject({ code: 0, stderr: "" });
    expect(await numberOfTables()).toBeGreaterThan(60);
  });
});
