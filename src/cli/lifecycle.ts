import cluster from "node:cluster";
import { atMost } from "../clock.ts";
import { addressOf, type Config } from "../config.ts";
import type { OpenContext } from "../context.ts";
import { reservePort, type ReservedPort } from "../port.ts";
import { closeTracer } from "../tracing/tracing.ts";
import { CommandError, type Stop } from "./command.ts";

/** A part of the process that runs until `stop` is called. `stop` waits for work that has begun. */
export type Part = { stop(): Promise<void> };

/**
 * The milliseconds that the parts (`DRAIN`) may take to finish, and afterwards the database together with the last
 * traces (`CLOSE`). Unfinished work is left to the next start, as after a crash. With a second for the process itself,
 * these make 10 seconds, after which containers are killed by default.
 */
export const DRAIN = 6_000;
const CLOSE = 3_000;
/**
 * Under npm, one Ctrl-C arrives twice: from the terminal, and again from npm. A further signal within this many
 * milliseconds of the first is therefore ignored.
 */
const SAME_SIGNAL = 1_000;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Listens for the signals, from now on. The children of a cluster ignore the signals and wait for a message from their
 * primary: a terminal's Ctrl-C reaches the children too, but earlier than they should stop.
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

/**
 * Runs the parts that `begin` starts until the first signal. Afterwards stops the parts, closes the database and sends
 * the last traces.
 */
export async function run(ctx: OpenContext, stop: Stop, begin: () => Promise<Part[]>): Promise<void> {
  try {
    const parts = await begin();
    await stop.once;
    const drained = Promise.all(parts.map((part) => part.stop()));
    await atMost(DRAIN, Promise.race([drained, stop.again]));
  } finally {
    await atMost(CLOSE, Promise.all([ctx.close(), closeTracer()]));
  }
}

/** A server as a `Part`. */
export function partOf(server: { close(): Promise<void> }): Part {
  return { stop: () => server.close() };
}

/** How long another server on the port may take to answer, in milliseconds. */
const INTRODUCTION = 1_000;

/** The version of the Billow that answers at this address; null: another program, or no answer. */
export async function versionAt(url: string, deadline = INTRODUCTION): Promise<string | null> {
  const signal = AbortSignal.timeout(deadline);
  const answer = await fetch(`${url}/healthz`, { signal, redirect: "manual" }).catch(() => null);
  return answer?.headers.get("Billow-Version") ?? null;
}

async function portInUse({ host, port }: Config): Promise<CommandError> {
  const url = addressOf(host, port);
  const version = await versionAt(url);
  return version === null
    ? new CommandError(`Port ${port} of ${host} is in use: set PORT to another one.`)
    : new CommandError(`Billow ${version} already runs at ${url}. For a second server, set PORT to another port.`);
}

/** Reserves the port. @throws CommandError that names the setting to change. */
export async function reserve(config: Config): Promise<ReservedPort> {
  const { host, port } = config;
  try {
    return await reservePort(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw await portInUse(config);
    if (code === "EACCES") throw new CommandError(`Port ${port} is for privileged users: set PORT to 1024 or more.`);
    throw new CommandError(`HOST is ${JSON.stringify(host)}, where no server can listen (${message}).`);
  }
}
