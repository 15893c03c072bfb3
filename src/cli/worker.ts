import { isCurrent } from "../store/migrate.ts";
import { CommandError, type Command } from "./command.ts";
import { run, untilStopped } from "./running.ts";

export const worker: Command = {
  usage: "worker",
  summary: "what is due (renewals, retries, expiries) alone, for a database that is migrated",
  options: {},
  async run(wiring) {
    const stopped = untilStopped();
    const ctx = await wiring.openContext(wiring.readConfig());
    await run(ctx, stopped, async () => {
      if (!(await isCurrent(ctx.db))) throw new CommandError("The database is not migrated: run billow migrate.");
      wiring.print({ text: "Billow does what is due.", json: {} });
      return [wiring.startWorker(ctx)];
    });
  },
};
