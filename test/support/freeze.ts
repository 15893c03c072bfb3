import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

export async function childrenOf(pid: number): Promise<number[]> {
  const list =
    process.platform === "linux"
      ? await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
      : (await promisify(execFile)("pgrep", ["-P", String(pid)]).catch(() => ({ stdout: "" }))).stdout;
  return (list.match(/\d+/g) ?? []).map(Number);
}

/** False if there is no such process (any more). With the name 0, no signal is sent. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Kills every process of a PostgreSQL. PostgreSQL is stopped first, so that it starts no more sessions meanwhile. */
export async function killPostgres(pid: number): Promise<void> {
  signal(pid, "SIGSTOP");
  for (const each of [...(await childrenOf(pid)), pid]) signal(each, "SIGKILL");
}

/**
 * Freezes a PostgreSQL and all of its sessions. The server process is frozen first, so that it starts no further
 * session. Returns the function that resumes all of them.
 */
export async function freeze(pid: number): Promise<() => void> {
  signal(pid, "SIGSTOP");
  const frozen = [...(await childrenOf(pid)), pid];
  for (const each of frozen) signal(each, "SIGSTOP");
  return () => {
    for (const each of frozen) signal(each, "SIGCONT");
  };
}
