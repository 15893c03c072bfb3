import { invitationUrl } from "../actions/links.ts";
import { invite, type Invited } from "../actions/team/invite.ts";
import { newPasswordUrl } from "../actions/team/new-password.ts";
import { firstRunUrl } from "../actions/team/set-up.ts";
import { isRefusal } from "../domain/refusal.ts";
import { ROLES } from "../domain/team/role.ts";
import { email as emailSchema } from "../resources/fields.ts";
import { CommandError, oneOf, ORGANIZATION, required, UsageError, type Command } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { makingOrigin } from "./command-audit.ts";

export const teamSetUp: Command = {
  usage: "team set-up",
  summary: "prints a link, good for an hour, with which the first user sets up the dashboard",
  group: "Organizations, keys and people",
  options: {},
  example: "team set-up",
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
  summary: "prints a link, good for an hour, with which a user sets a new password and removes the second factor",
  group: "Organizations, keys and people",
  options: {},
  example: "team password olga@example.com",
  words: 1,
  async run(wiring, _, [email = ""]) {
    await withDatabase(wiring, async (ctx) => {
      const url = await newPasswordUrl(ctx, email);
      if (url === null) throw new CommandError(`No user has the e-mail address ${JSON.stringify(email)}.`);
      wiring.print({ text: url, json: { url } });
    });
  },
};

export const teamInvite: Command = {
  usage: "team invite EMAIL --role ROLE [--organization ID|NAME]",
  summary: "invites a person to an Organization's dashboard, and prints the link of the invitation",
  group: "Organizations, keys and people",
  options: {
    role: {
      type: "string",
      value: "ROLE",
      says: "the role in the Organization: owner, developer, finance, support or read_only",
    },
    ...ORGANIZATION,
  },
  example: "team invite olga@example.com --role owner --organization Acme",
  words: 1,
  async run(wiring, values, [typed = ""]) {
    const role = oneOf("role", required(values, "role"), ROLES);
    const email = emailSchema.safeParse(typed);
    if (!email.success) throw new UsageError(`${JSON.stringify(typed)} is not an e-mail address.`);
    await withDatabase(wiring, async (ctx) => {
      const { id: organizationId } = await findOrganization(ctx, values);
      const wanted = { email: email.data, role };
      const origin = makingOrigin<Invited>(organizationId, "inviteMember", wanted);
      const invitation = await invite(ctx, origin, { ...wanted, invitedBy: "An operator" }).catch((error: unknown) => {
        throw isRefusal(error, "already_member") ? new CommandError(`${email.data} is already a member.`) : error;
      });
      const url = invitationUrl(ctx, invitation, "handed");
      wiring.print({ text: url, json: { url } });
    });
  },
};
