import { isCurrent } from "../store/migrate.ts";
import { CommandError, type Command } from "./command.ts";
import { listenForStop, run } from "./running.ts";

export const worker: Command = {
  usage: "worker",
  summary: "what is due (renewals, retries, expiries) alone, for a database that is migrated",
  options: {},
  async run(wiring) {
    const stop = listenForStop();
    const ctx = await wiring.openContext(wiring.readConfig());
    await run(ctx, stop, async () => {
      if (!(await isCurrent(ctx.db))) throw new CommandError("The database is not migrated: run billow migrate.");
      wiring.print({ text: "Billow does what is due.", json: {} });
      return [wiring.startWorker(ctx)];
    });
  },
};
