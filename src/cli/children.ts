import cluster, { type Worker } from "node:cluster";
import type { Config } from "../config.ts";
import { CommandError } from "./command.ts";
import type { Part } from "./lifecycle.ts";

/**
 * Milliseconds before a dead server process is replaced, so that a process that always dies does not use up the
 * machine.
 */
const PAUSE = 1_000;

function listening(child: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("listening", () => resolve());
    child.once("exit", () => reject(new CommandError("A server process ended before it listened.")));
  });
}

/** Starts `webConcurrency` processes that run `serve` on one port. A process that dies is replaced. */
export async function forkServers({ webConcurrency, port }: Config): Promise<Part> {
  cluster.setupPrimary({ args: ["serve"] });
  let stopping = false;
  const fork = () => {
    const child = cluster.fork({ PORT: String(port) });
    child.once("exit", () => {
      if (!stopping) setTimeout(() => stopping || fork(), PAUSE);
    });
    return child;
  };
  const stop = async () => {
    stopping = true;
    const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
    const gone = children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of children) child.send("stop");
    await Promise.all(gone);
  };
  try {
    await Promise.all(Array.from({ length: webConcurrency }, () => listening(fork())));
  } catch (error) {
    for (const child of Object.values(cluster.workers ?? {})) child?.process.kill("SIGKILL");
    stopping = true;
    throw error;
  }
  return { stop };
}
