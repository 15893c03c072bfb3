import { isCopy } from "../actions/installation.ts";
import { noteTime } from "../actions/organization/catch-up.ts";
import { emailsUrl } from "../actions/links.ts";
import type { OrganizationWithKeys } from "../actions/organization/create-organization.ts";
import { seedDemo } from "../actions/sandbox/seed.ts";
import type { Config } from "../config.ts";
import type { Context, OpenContext } from "../context.ts";
import { migrate } from "../store/migrate.ts";
import { listOrganizations } from "../store/organizations.ts";
import { forkServers } from "./children.ts";
import type { Command, Output } from "./command.ts";
import { introduce } from "./org.ts";
import { listenForStop, partOf, reserve, run } from "./running.ts";

function addresses({ publicOrigin, publicBasePaths }: Config) {
  const publicApi = publicOrigin + publicBasePaths[0]!;
  return { url: publicOrigin, publicApi, manageApi: `${publicOrigin}/manage/v1`, docs: `${publicOrigin}/docs` };
}

/**
 * The page of the sandbox's e-mails, if the database is embedded and has exactly one sandbox. In all other cases the
 * page's URL has to be read over the API.
 */
async function mailboxOf(ctx: Context): Promise<{ emails?: string }> {
  if (ctx.config.databaseUrl) return {};
  const [sandbox, ...others] = (await listOrganizations(ctx.db.read)).filter(({ mode }) => mode === "sandbox");
  return sandbox && others.length === 0 ? { emails: emailsUrl(ctx, sandbox.id) } : {};
}

async function greeting(ctx: OpenContext, demo: OrganizationWithKeys | null): Promise<Output> {
  const { url, publicApi, manageApi, docs } = addresses(ctx.config);
  const mailbox = await mailboxOf(ctx);
  const text = `Billow is ready at ${url}

  Public API      ${publicApi}
  Management API  ${manageApi}
  Documentation   ${docs}
${mailbox.emails === undefined ? "" : `  Sandbox e-mail  ${mailbox.emails}\n`}${
    ctx.joined ? `\nThis server joined another Billow process on the database in ${ctx.config.dataDir}.\n` : ""
  }`;
  const json = { ...addresses(ctx.config), ...mailbox, joined: ctx.joined };
  if (!demo) return { text, json };
  const made = introduce(ctx, demo);
  const invitation = `
To try things there is the sandbox ${made.text}

Sell something: paste this, open the "url" of the answer in a browser, and pay with card 4242 4242 4242 4242.

  curl ${publicApi}/checkouts \\
    -H 'Authorization: Bearer ${demo.keys.public}' \\
    -H 'Content-Type: application/json' \\
    -d '{"productKey": "pro"}'
`;
  return { text: text + invitation, json: { ...json, ...made.json } };
}

export const start: Command = {
  usage: "start",
  summary: "API, pages and worker in one go, on an embedded database unless DATABASE_URL names one",
  options: {},
  async run(wiring) {
    const stop = listenForStop();
    const reserved = await reserve(wiring.readConfig());
    // With PORT=0, the URLs of the pages need the port that was reserved.
    const config = wiring.readConfig({ PORT: String(reserved.port) });
    const ctx = await wiring.openContext(config);
    await run(ctx, stop, async () => {
      await migrate(ctx.db);
      await noteTime(ctx);
      await isCopy(ctx);
      const demo = config.databaseUrl ? null : await seedDemo(ctx);
      const startServer = await wiring.loadServer();
      await reserved.release();
      const server = config.webConcurrency > 1 ? await forkServers(config) : partOf(await startServer(ctx));
      wiring.print(await greeting(ctx, demo));
      return [server, await wiring.startWorker(ctx)];
    });
  },
};
