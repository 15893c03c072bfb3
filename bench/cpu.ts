import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import type { Role } from "./installation.ts";

/** The length of a kernel tick, the unit of the times in /proc. */
const MILLISECONDS = 10;

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * Processor time in milliseconds: `own` of the process, `reaped` of its ended children. Null without such a process.
 */
function timesOf(pid: number): { own: number; reaped: number } | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name of the process, in parentheses, may hold spaces.
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  return { own: (user! + system!) * MILLISECONDS, reaped: (childUser! + childSystem!) * MILLISECONDS };
}

/** The processor time of a process in milliseconds; 0 if the process does not exist. */
export const cpuOf = (pid: number) => timesOf(pid)?.own ?? 0;

function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.flatMap((task) =>
    (read(`/proc/${pid}/task/${task}/children`) ?? "").split(" ").filter(Boolean).map(Number),
  );
}

/**
 * The processor time of a PostgreSQL in milliseconds: of its first process `pid`, of the sessions, and of the sessions
 * that ended, which the kernel adds to the first process.
 */
export function serverCpuOf(pid: number): number {
  const living = childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0);
  const { own, reaped } = timesOf(pid)!;
  return own + reaped + living;
}

/** The peak resident memory of a process and its proportional share now (PSS), both in MB. */
export function memoryOf(pid: number): { peak: number; share: number } {
  const megabytes = (path: string, name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(read(path) ?? "")?.[1] ?? 0) / 1024;
  return { peak: megabytes(`/proc/${pid}/status`, "VmHWM"), share: megabytes(`/proc/${pid}/smaps_rollup`, "Pss") };
}

/**
 * The processor time of PostgreSQL, without the sessions of the server and of the bench. The kernel adds the time of
 * ended sessions to PostgreSQL's first process.
 */
export class PostgresCpu {
  readonly #pid: number;
  readonly #client: pg.Client;
  readonly #others = new Map<number, number>();

  constructor(pid: number, client: pg.Client) {
    this.#pid = pid;
    this.#client = client;
  }

  /** Milliseconds since PostgreSQL was started. */
  async read(): Promise<number> {
    const others: readonly Role[] = ["server", "bench"];
    const { rows } = await this.#client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE usename = ANY ($1)",
      [others],
    );
    for (const { pid } of rows) this.#others.set(pid, Math.max(cpuOf(pid), this.#others.get(pid) ?? 0));
    return serverCpuOf(this.#pid) - [...this.#others.values()].reduce((sum, each) => sum + each, 0);
  }
}
