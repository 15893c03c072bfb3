import os from "node:os";
import { isCopy, watchTimeline } from "../actions/installation.ts";
import type { Command } from "./command.ts";
import { requireReady, warnOfServers } from "./database.ts";
import { run } from "./lifecycle.ts";

/**
 * Lowers the worker's priority, so that requests come first if the worker shares a machine with a server. With a worker
 * of the same priority as the server, reads took six times as long while renewals were due; with the lower priority,
 * reads took two to three times as long. Due work was done as fast as before.
 */
function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL } = os.constants.priority;
  // A higher number is a lower priority. A process that was started with a lower priority keeps that priority, since a
  // process can't raise its own.
  if (os.getPriority() < PRIORITY_BELOW_NORMAL) os.setPriority(PRIORITY_BELOW_NORMAL);
}

export const worker: Command = {
  usage: "worker",
  summary: "does the due work (renewals, retries, expiries) alone, on a database that is migrated",
  group: "Run",
  options: {},
  example: "worker",
  async run(wiring) {
    const stop = wiring.listenForStop();
    const ctx = await wiring.openContext(wiring.readConfig(), "work");
    await run(ctx, stop, async () => {
      await requireReady(ctx);
      if (!(await isCopy(ctx))) await watchTimeline(ctx);
      await warnOfServers(wiring, ctx, "work");
      // The priority is lowered only after the database is open: an embedded PostgreSQL that this process starts would
      // inherit the lower priority, and servers use that PostgreSQL too.
      giveWay();
      wiring.print({ text: "Billow carries out due work.", json: {} });
      return [await wiring.startWorker(ctx)];
    });
  },
};
