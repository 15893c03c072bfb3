import os from "node:os";
import type { Command } from "./command.ts";
import { requireMigrated } from "./database.ts";
import { listenForStop, run } from "./running.ts";

/**
 * Requests come first if a worker shares a machine with a server. With a worker of the same priority, reads took six
 * times as long while renewals were due; with this priority they took two to three times as long. Due work is as fast
 * as before.
 */
function giveWay(): void {
  const { PRIORITY_BELOW_NORMAL } = os.constants.priority;
  // A higher number is a lower priority. A process that was started with a lower priority can't raise it.
  if (os.getPriority() < PRIORITY_BELOW_NORMAL) os.setPriority(PRIORITY_BELOW_NORMAL);
}

export const worker: Command = {
  usage: "worker",
  summary: "due work (renewals, retries, expiries) alone, for a database that is migrated",
  options: {},
  async run(wiring) {
    const stop = listenForStop();
    const ctx = await wiring.openContext(wiring.readConfig());
    await run(ctx, stop, async () => {
      await requireMigrated(ctx);
      // Not earlier: an embedded PostgreSQL that this process starts would inherit the lower priority, and servers
      // use it too.
      giveWay();
      wiring.print({ text: "Billow carries out due work.", json: {} });
      return [await wiring.startWorker(ctx)];
    });
  },
};
