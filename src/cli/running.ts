import cluster from "node:cluster";
import { atMost } from "../clock.ts";
import type { Config } from "../config.ts";
import type { OpenContext } from "../context.ts";
import { reservePort, type ReservedPort } from "../port.ts";
import { CommandError } from "./command.ts";

/** A part of the process that runs until it is stopped. It finishes the work that it has begun by then. */
export type Part = { stop(): Promise<void> };

/**
 * The milliseconds that the parts, and then the database, may take to finish. The rest is left to the next start, as
 * after a crash. With a second for the process itself that makes 10 seconds, after which containers are killed by
 * default.
 */
export const DRAIN = 6_000;
const CLOSE = 3_000;
/** Ctrl-C reaches npm and us, and npm passes it on. A second signal within this many milliseconds is the same one. */
const SAME_SIGNAL = 1_000;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * After the first signal, begun work is finished. After the second, only PostgreSQL is left in order. A third ends
 * the process.
 */
export type Stop = { once: Promise<void>; again: Promise<void> };

/**
 * Listens for the signals, from now on. The children of a cluster are told by their primary instead: a terminal's
 * Ctrl-C reaches the children too, and earlier than they should stop.
 */
export function listenForStop(): Stop {
  const [once, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  if (cluster.isWorker) process.on("message", (message) => message === "stop" && once.resolve());
  let first: number | undefined;
  const onSignal = () => {
    if (cluster.isWorker) return;
    once.resolve();
    first ??= performance.now();
    if (performance.now() - first < SAME_SIGNAL) return;
    again.resolve();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { once: once.promise, again: again.promise };
}

/** Runs the parts that `begin` starts until the stop; then stops them and leaves the database. */
export async function run(ctx: OpenContext, stop: Stop, begin: () => Promise<Part[]>): Promise<void> {
  try {
    const parts = await begin();
    await stop.once;
    const drained = Promise.all(parts.map((part) => part.stop()));
    await atMost(DRAIN, Promise.race([drained, stop.again]));
  } finally {
    await atMost(CLOSE, ctx.close());
  }
}

/** A server as a part that stops. */
export function partOf(server: { close(): Promise<void> }): Part {
  return { stop: () => server.close() };
}

/** @throws CommandError that names the setting to change. */
export async function reserve({ host, port }: Config): Promise<ReservedPort> {
  try {
    return await reservePort(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new CommandError(`Port ${port} of ${host} is in use: set PORT to another one.`);
    if (code === "EACCES") throw new CommandError(`Port ${port} is for privileged users: set PORT to 1024 or more.`);
    throw new CommandError(`HOST is ${JSON.stringify(host)}, where no server can listen (${message}).`);
  }
}
