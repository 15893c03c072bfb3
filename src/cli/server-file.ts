import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, type Config } from "../config.ts";
import { versionAt, type Part } from "./lifecycle.ts";

/** A server as its data directory notes it: the address on this machine, and the address of the pages. */
type Noted = { pid: number; address: string; publicOrigin: string };

/** A server of this data directory that answers now. */
export type FoundServer = { address: string; publicOrigin: string; version: string };

/** The milliseconds that a noted server may take to answer. A server that has died refuses the connection at once. */
const ANSWER_MILLISECONDS = 5_000;

const fileOf = ({ dataDir }: Pick<Config, "dataDir">) => join(dataDir, "server.json");

async function read(config: Pick<Config, "dataDir">): Promise<Noted | null> {
  try {
    return JSON.parse(await readFile(fileOf(config), "utf8")) as Noted;
  } catch {
    return null;
  }
}

/**
 * Notes the address of this server in the data directory, so that commands find a server that was started with another
 * PORT. The note is a help only: a directory that can't be written to has none. The part removes the note.
 */
export async function noteServer(config: Config): Promise<Part> {
  const { host, port, publicOrigin } = config;
  const noted: Noted = { pid: process.pid, address: addressOf(host, port), publicOrigin };
  await writeFile(fileOf(config), JSON.stringify(noted), { mode: 0o600 }).catch(() => undefined);
  const stop = async () => {
    if ((await read(config))?.pid === process.pid) await rm(fileOf(config), { force: true });
  };
  return { stop };
}

/** The server that runs on this data directory; null: no server was noted, or the noted one does not answer. */
export async function findServer(config: Pick<Config, "dataDir">): Promise<FoundServer | null> {
  const noted = await read(config);
  const version = noted && (await versionAt(noted.address, ANSWER_MILLISECONDS));
  return version === null ? null : { address: noted!.address, publicOrigin: noted!.publicOrigin, version };
}
