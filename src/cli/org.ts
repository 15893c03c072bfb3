import { readProblems } from "../actions/organization/problems.ts";
import type { OrganizationWithKeys } from "../actions/organization/create-organization.ts";
import { foundOrganization, type Founded } from "../actions/organization/found-organization.ts";
import { portalUrl } from "../actions/links.ts";
import { tryLinksOf, type TrySandbox } from "../actions/sandbox/try-links.ts";
import type { Context } from "../context.ts";
import { parseInstant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { COMMAND } from "../domain/team/audit.ts";
import { presentOrganization, type OrganizationResource, type Problems } from "../resources/organization.ts";
import { oneOf, optional, required, UsageError, type Command, type Output, type Values } from "./command.ts";
import { listOrganizations } from "../store/organizations.ts";
import { hasUser } from "../store/users.ts";
import { withDatabase } from "./database.ts";
import { table } from "./table.ts";

function readClock(values: Values): Instant | undefined {
  const text = optional(values, "clock");
  if (text === undefined) return undefined;
  const clock = parseInstant(text);
  if (clock === null) throw new UsageError("--clock must be an RFC 3339 date-time such as 2026-01-31T00:00:00Z.");
  return clock;
}

const NO_PROBLEMS: Problems = { givenUp: [], pauses: [], lateRefunds: [], comparison: null, taxRegions: null };

/** An Organization as the management API shows it. A new Organization has no problems. */
export function present(
  ctx: Pick<Context, "config">,
  organization: Organization,
  problems: Problems = NO_PROBLEMS,
): OrganizationResource {
  return presentOrganization(organization, portalUrl(ctx, organization.id), problems);
}

const BY = { actor: COMMAND, clientAddress: null };

/** A new Organization and its keys, which are shown only this once. */
export function introduce(ctx: Pick<Context, "config">, { organization, keys }: OrganizationWithKeys): Output {
  const { id, name } = organization;
  const text = `The keys of ${name} (${id}) are for your servers. Both are secrets, shown this once:

  public  ${keys.public}
  manage  ${keys.manage}`;
  return { text, json: { organization: present(ctx, organization), keys } };
}

/** The links of a sandbox that open without a key. */
export function describeSandbox({ organization: { id, name }, links }: TrySandbox): string {
  const checkout = links.checkout === null ? "" : `  Try a Checkout  ${links.checkout}\n`;
  return `
The sandbox ${name} (${id}), to try in a browser:

${checkout}  E-mails         ${links.emails}
  Portal          ${links.portal}
`;
}

/** The way into the dashboard of a new Organization without a team. For a dashboard that has a user. */
const teamHint = ({ id }: Organization): string => `
No one owns every live Organization of this installation, so the new one has no team yet. This command prints a link
that adds you:

  node bin/billow.mjs team invite YOUR-E-MAIL --role owner --organization ${id}
`;

/** As `introduce`, with the links of a sandbox. They open while a server runs. */
async function presentCreated(ctx: Context, made: Founded): Promise<Output> {
  const { organization, owners } = made;
  const { text: keys, json } = introduce(ctx, made);
  const isUnseen = owners.length === 0 && (await hasUser(ctx.db.read));
  const text = isUnseen ? `${keys}\n${teamHint(organization)}` : keys;
  if (organization.mode === "live") return { text, json };
  const links = await tryLinksOf(ctx, organization);
  return { text: `${text}\n${describeSandbox({ organization, links })}`, json: { ...json, links } };
}

export const orgCreate: Command = {
  usage: "org create --name N --mode sandbox|live [--time-zone Z] [--clock T]",
  summary: "makes an Organization and its two keys, and prints the links of a sandbox",
  group: "Organizations, keys and people",
  options: {
    name: { type: "string", value: "N", says: "the name of the Organization" },
    mode: {
      type: "string",
      value: "sandbox|live",
      says: "a sandbox has test cards and a clock that you move; a live Organization takes money",
    },
    "time-zone": {
      type: "string",
      value: "Z",
      says: "the time zone of its days, such as Europe/Berlin (default: UTC)",
    },
    clock: {
      type: "string",
      value: "T",
      says: "a sandbox's clock stands still at this instant, such as 2026-01-31T00:00:00Z",
    },
  },
  example: "org create --name Acme --mode sandbox --time-zone Europe/Berlin",
  async run(wiring, values) {
    const name = required(values, "name");
    const mode = oneOf("mode", required(values, "mode"), ["sandbox", "live"]);
    const timeZone = optional(values, "time-zone");
    const clock = readClock(values);
    const wanted = { name, mode, ...(timeZone !== undefined && { timeZone }), ...(clock !== undefined && { clock }) };
    await withDatabase(wiring, async (ctx) => {
      wiring.print(await presentCreated(ctx, await ctx.db.tx((tx) => foundOrganization(tx, wanted, BY))));
    });
  },
};

export const orgList: Command = {
  usage: "org list",
  summary: "lists the Organizations, with the ids that other commands take",
  group: "Organizations, keys and people",
  options: {},
  example: "org list",
  async run(wiring) {
    await withDatabase(wiring, async (ctx) => {
      const all = await listOrganizations(ctx.db.read);
      const rows = all.map(({ id, mode, name }) => [id, mode, name]);
      const text = table(["ID", "MODE", "NAME"], rows, "There is no Organization yet.");
      const problems = await Promise.all(all.map(({ id }) => readProblems(ctx.db.read, id)));
      const data = all.map((organization, n) => present(ctx, organization, problems[n]));
      wiring.print({ text, json: { data } });
    });
  },
};
