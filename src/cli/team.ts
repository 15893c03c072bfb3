import { firstRunUrl } from "../actions/team/set-up.ts";
import { CommandError, type Command } from "./command.ts";
import { withDatabase } from "./database.ts";

export const teamSetUp: Command = {
  usage: "team set-up",
  summary: "print a link, good for an hour, with which the first user sets up the dashboard",
  options: {},
  async run(wiring) {
    await withDatabase(wiring, async (ctx) => {
      const url = await firstRunUrl(ctx);
      if (url === null) throw new CommandError("The dashboard has a user already.");
      wiring.print({ text: url, json: { url } });
    });
  },
};
