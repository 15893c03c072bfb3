import { migrate as migrateDatabase } from "../store/migrate.ts";
import type { Command } from "./command.ts";

export const migrate: Command = {
  usage: "migrate",
  summary: "brings the database up to this version of Billow",
  group: "Run",
  options: {},
  example: "migrate",
  async run(wiring) {
    const ctx = await wiring.openContext(wiring.readConfig(), "command");
    try {
      const applied = await migrateDatabase(ctx.db);
      wiring.print({
        text: applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.",
        json: { applied },
      });
    } finally {
      await ctx.close();
    }
  },
};
