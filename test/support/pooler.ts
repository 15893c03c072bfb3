import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort, unprivileged, type InstalledServer } from "./installed-server.ts";
import { findProgram, installPackage, isExecutable } from "./programs.ts";
import { until } from "./until.ts";

const HOW =
  "These tests need PgBouncer: on Debian and Ubuntu run `apt-get install pgbouncer`, " +
  "on macOS `brew install pgbouncer`.";

// Debian keeps PgBouncer in a folder that is not on the PATH of every user.
const find = () => findProgram(["pgbouncer"]) ?? ["/usr/sbin/pgbouncer"].find(isExecutable);

export type Pooler = { connection: pg.ClientConfig & { host: string; port: number }; stop(): Promise<void> };

/** PgBouncer with its defaults before a server, but for `settings`. @throws Error that says how to get it */
export async function startPooler(server: InstalledServer, settings: Record<string, string> = {}): Promise<Pooler> {
  if (!find()) installPackage("pgbouncer");
  const program = find();
  if (!program) throw new Error(HOW);
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), "billow-pooler-"));
  const [config, users] = [join(directory, "pgbouncer.ini"), join(directory, "users.txt")];
  const port = await freePort();
  const all = { listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "", auth_file: users, ...settings };
  const lines = Object.entries({ auth_type: "trust", ...all }).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    config,
    `[databases]\n* = host=${server.directory} port=${server.port}\n[pgbouncer]\n${lines.join("\n")}\n`,
  );
  if (user) for (const path of [directory, config, users]) chownSync(path, user.uid, user.gid);
  const child = spawn(program, [config], { cwd: "/", stdio: "ignore", ...user });
  const ended = once(child, "exit");
  const connection = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  const answers = async () => {
    const client = new pg.Client(connection);
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
      return true;
    } catch {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
      return false;
    } finally {
      await client.end();
    }
  };
  await until(answers);
  return {
    connection,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}
