import { warningsAtStart } from "../actions/doctor/start-checks.ts";
import { isCopy } from "../actions/installation.ts";
import { noteTimeIfPossible } from "../actions/organization/catch-up.ts";
import type { OrganizationWithKeys } from "../actions/organization/create-organization.ts";
import { DEMO_PRODUCT } from "../actions/sandbox/seed-catalogue.ts";
import { firstRunUrl } from "../actions/team/set-up.ts";
import { seedDemo } from "../actions/sandbox/seed.ts";
import { listSandboxes, type TrySandbox } from "../actions/sandbox/try-links.ts";
import type { Config } from "../config.ts";
import type { Context, OpenContext } from "../context.ts";
import { migrate } from "../store/migrate.ts";
import { forkServers } from "./children.ts";
import type { Command, Output } from "./command.ts";
import { describeSandbox, introduce } from "./org.ts";
import { noteServer } from "./server-file.ts";
import { partOf, reserve, run } from "./lifecycle.ts";

function addresses({ publicOrigin, publicBasePaths }: Config) {
  const publicApi = publicOrigin + publicBasePaths[0]!;
  const [manageApi, docs, dashboard] = ["/manage/v1", "/docs", "/dashboard"].map((path) => publicOrigin + path);
  return { url: publicOrigin, publicApi, manageApi: manageApi!, docs: docs!, dashboard: dashboard! };
}

const presentSandbox = ({ organization: { id, name }, links }: TrySandbox) => ({ id, name, ...links });

function invite(ctx: Context, demo: OrganizationWithKeys): Output {
  const made = introduce(ctx, demo);
  const { publicApi } = addresses(ctx.config);
  const text = `
Pay with card 4242 4242 4242 4242.

${made.text}

This command makes a Checkout, too:

  curl ${publicApi}/checkouts \\
    -H 'Authorization: Bearer ${demo.keys.public}' \\
    -H 'Content-Type: application/json' \\
    -d '{"productKey": "${DEMO_PRODUCT}"}'
`;
  return { text, json: made.json };
}

/** The way to the first user; empty if there is a user. The output of a server with a `DATABASE_URL` goes to a log. */
function describeSetUp({ databaseUrl }: Config, link: string | null): string {
  if (link === null) return "";
  if (databaseUrl !== null)
    return "\nThe dashboard has no user yet: `node bin/billow.mjs team set-up` prints a link for the first one.\n";
  return `\nSet up the dashboard with this link. It works once, within an hour:\n\n  ${link}\n`;
}

async function greeting(ctx: OpenContext, demo: OrganizationWithKeys | null): Promise<Output> {
  const { url, publicApi, manageApi, docs, dashboard } = addresses(ctx.config);
  const setUp = await firstRunUrl(ctx);
  const sandboxes = await listSandboxes(ctx);
  const text = `Billow is ready at ${url}

  Public API      ${publicApi}
  Management API  ${manageApi}
  Documentation   ${docs}
  Dashboard       ${dashboard}
${describeSetUp(ctx.config, setUp)}${sandboxes.map(describeSandbox).join("")}${
    ctx.joined ? `\nThis server joined another Billow process on the database in ${ctx.config.dataDir}.\n` : ""
  }`;
  const json = {
    ...addresses(ctx.config),
    setUp: ctx.config.databaseUrl === null ? setUp : null,
    sandboxes: sandboxes.map(presentSandbox),
    joined: ctx.joined,
  };
  if (!demo) return { text, json };
  const invitation = invite(ctx, demo);
  return { text: text + invitation.text, json: { ...json, ...invitation.json } };
}

export const start: Command = {
  usage: "start",
  summary: "runs API, pages and worker in one process, on an embedded database unless DATABASE_URL names one",
  group: "Run",
  options: {},
  example: "start",
  async run(wiring) {
    const stop = wiring.listenForStop();
    const reserved = await reserve(wiring.readConfig());
    // With PORT=0, the URLs of the pages need the port that was reserved.
    const config = wiring.readConfig({ PORT: String(reserved.port) });
    const ctx = await wiring.openContext(config, config.webConcurrency > 1 ? "work" : "all");
    await run(ctx, stop, async () => {
      await migrate(ctx.db);
      await noteTimeIfPossible(ctx);
      await isCopy(ctx);
      for (const { says, advice } of await warningsAtStart(ctx)) wiring.note(`Warning: ${says}. ${advice}`);
      const demo = config.databaseUrl ? null : await seedDemo(ctx);
      const startServer = await wiring.loadServer();
      await reserved.release();
      const server = config.webConcurrency > 1 ? await forkServers(config) : partOf(await startServer(ctx));
      const noted = await noteServer(config);
      wiring.print(await greeting(ctx, demo));
      return [server, noted, await wiring.startWorker(ctx)];
    });
  },
};
