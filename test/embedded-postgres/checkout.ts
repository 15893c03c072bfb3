import { spawn, type ChildProcess } from "node:child_process";
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { EmbeddedPostgres } from "../../src/embedded-postgres/embedded.ts";
import { signal } from "../support/freeze.ts";
import { until } from "../support/until.ts";

const require = createRequire(import.meta.url);
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
const project = join(import.meta.dirname, "../..");

const temporary: string[] = [];
const members: Member[] = [];
const dataDirs: string[] = [];

/** A directory that everybody may enter, but only the owner may write to. */
export async function temporaryDirectory(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "billow-test-")));
  await chmod(path, 0o755);
  temporary.push(path);
  return path;
}

/**
 * The part of this project that runs PostgreSQL, as `npm ci --ignore-scripts` leaves it: libraries have no links.
 * `foreign`: with programs for another C library; `empty`: without programs; `none`: without the package.
 */
export async function checkout(kind: "whole" | "foreign" | "empty" | "none" = "whole"): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  for (const path of ["src/embedded-postgres", "src/embedded-database.ts", "test/embedded-postgres/member.ts"])
    await cp(join(project, path), join(root, path), { recursive: true });
  await mkdir(join(root, "node_modules"));
  await symlink(dirname(require.resolve("pg/package.json")), join(root, "node_modules/pg"));
  if (kind === "none") return root;

  const source = dirname(dirname(require.resolve(platformPackage)));
  const target = join(root, "node_modules", platformPackage);
  const belongs = async (path: string) =>
    kind === "whole" ? !(await lstat(path)).isSymbolicLink() : !path.includes("/native");
  await cp(source, target, { recursive: true, filter: belongs });
  if (kind === "foreign") {
    await mkdir(join(target, "native/bin"), { recursive: true });
    for (const name of ["postgres", "initdb"])
      await writeFile(join(target, "native/bin", name), "#!/lib/ld-musl.so\n", { mode: 0o755 });
  }
  return root;
}

export type Joined = Pick<EmbeddedPostgres, "connection" | "created" | "pid">;
export type Member = {
  process: ChildProcess;
  /** Rejects with the line that gives the reason. */
  joined: Promise<Joined>;
  leave(): Promise<void>;
  kill(): Promise<void>;
};

/** Starts a process that joins, in a process group of its own and maybe as another user. */
export function startMember(root: string, dataDir: string, user?: { uid: number; gid: number }): Member {
  const identity = user ? [String(user.uid), String(user.gid)] : [];
  const child = spawn(process.execPath, [join(root, "test/embedded-postgres/member.ts"), dataDir, ...identity], {
    cwd: "/",
    // A member takes 0.25 s of a processor to compile its modules, and 0.07 s with the cache of an earlier one.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, "node_modules/.cache") },
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  dataDirs.push(dataDir);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const joined = new Promise<Joined>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => {
      const answer = JSON.parse(line) as Joined | { refusal: string };
      if ("refusal" in answer) reject(new Error(answer.refusal));
      else resolve(answer);
    });
    child.once("close", () => reject(new Error("the process ended without a word")));
  });
  joined.catch(() => undefined);
  const member: Member = {
    process: child,
    joined,
    leave: () => (child.stdin.end(), ended),
    kill: () => (child.kill("SIGKILL"), ended),
  };
  members.push(member);
  return member;
}

/** Ends every process and removes every file that the tests made, even after a failure half-way. */
export async function cleanUp(): Promise<void> {
  for (const member of members.splice(0)) await member.kill();
  await Promise.all(dataDirs.splice(0).map(removeDatabase));
  for (const path of temporary.splice(0)) await rm(path, { recursive: true, force: true });
}

async function removeDatabase(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, "postgres")).catch(() => undefined);
  if (home === undefined) return;
  const [pid, , , , socket] = (await readFile(join(home, "data/postmaster.pid"), "utf8").catch(() => "")).split("\n");
  if (pid && signal(Number(pid), "SIGQUIT")) await until(() => !signal(Number(pid), 0));
  if (socket?.startsWith("/tmp/billow-")) await rm(socket, { recursive: true, force: true });
  await rm(home, { recursive: true, force: true });
}
