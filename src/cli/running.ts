import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { OpenContext } from "../context.ts";
import { reservePort, type ReservedPort } from "../port.ts";
import { CommandError } from "./command.ts";

/** What runs until it is stopped; whatever it has begun by then, it finishes. */
export type Part = { stop(): Promise<void> };

/** How long a stop may take, in milliseconds: then the rest is left to whoever starts next, as after a crash. */
const DRAIN = 10_000;
const CLOSE = 3_000;
/** Ctrl-C reaches npm and us, and npm passes it on: within this many milliseconds a second signal is the same one. */
const SAME_SIGNAL = 1_000;

/**
 * Resolves when the process is told to stop; told again, it ends at once. The children of a cluster are told by their primary, since
 * a terminal's Ctrl-C reaches them too, and before they should stop.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    if (cluster.isWorker) process.on("message", (message) => message === "stop" && resolve());
    let first: number | undefined;
    const onSignal = () => {
      if (cluster.isWorker) return;
      if (first !== undefined && performance.now() - first > SAME_SIGNAL) process.exit(1);
      first ??= performance.now();
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, onSignal);
  });
}

/** Runs the parts that `begin` starts until `stopped`, then stops them and leaves the database. */
export async function run(ctx: OpenContext, stopped: Promise<void>, begin: () => Promise<Part[]>): Promise<void> {
  try {
    const parts = await begin();
    await stopped;
    const drained = Promise.all(parts.map((part) => part.stop()));
    await Promise.race([drained, sleep(DRAIN, undefined, { ref: false })]);
  } finally {
    await Promise.race([ctx.close(), sleep(CLOSE, undefined, { ref: false })]);
  }
}

/** A server as a part that stops. */
export function partOf(server: { close(): Promise<void> }): Part {
  return { stop: () => server.close() };
}

/** @throws CommandError that says what to change. */
export async function reserve({ host, port }: Config): Promise<ReservedPort> {
  try {
    return await reservePort(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new CommandError(`Port ${port} of ${host} is in use: set PORT to another one.`);
    if (code === "EACCES") throw new CommandError(`Port ${port} is for privileged users: set PORT to 1024 or more.`);
    throw new CommandError(`HOST is ${JSON.stringify(host)}, where nothing can listen (${message}).`);
  }
}
