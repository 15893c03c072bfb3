import { newPasswordUrl } from "../actions/team/new-password.ts";
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

export const teamPassword: Command = {
  usage: "team password EMAIL",
  summary: "print a link, good for an hour, with which a user sets a new password and removes the second factor",
  options: {},
  words: 1,
  async run(wiring, _, [email = ""]) {
    await withDatabase(wiring, async (ctx) => {
      const url = await newPasswordUrl(ctx, email);
      if (url === null) throw new CommandError(`No user has the e-mail address ${JSON.stringify(email)}.`);
      wiring.print({ text: url, json: { url } });
    });
  },
};
