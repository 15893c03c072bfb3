import type { OrganizationWithKeys } from "../actions/create-organization.ts";
import { seedDemo } from "../actions/seed.ts";
import type { Config } from "../config.ts";
import { reservePort, type ReservedPort } from "../port.ts";
import { presentOrganization } from "../resources/organization.ts";
import { migrate } from "../store/migrate.ts";
import { forkServers } from "./children.ts";
import { CommandError, type Command, type Output, type Wiring } from "./command.ts";
import { run, untilStopped, type Part } from "./running.ts";

/** @throws CommandError that says what to change. */
export async function reserve({ host, port }: Config): Promise<ReservedPort> {
  try {
    return await reservePort(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new CommandError(`Port ${port} of ${host} is in use: set PORT to another one.`);
    if (code === "EACCES") throw new CommandError(`Port ${port} is for privileged users: set PORT to 1024 or more.`);
    throw new CommandError(`HOST is ${JSON.stringify(host)}, where nothing can listen (${message}).`);
  }
}

function addresses({ publicOrigin, publicBasePaths }: Config) {
  const publicApi = publicOrigin + publicBasePaths[0]!;
  return { url: publicOrigin, publicApi, manageApi: `${publicOrigin}/manage/v1`, docs: `${publicOrigin}/docs` };
}

function introduce({ organization, keys }: OrganizationWithKeys, publicApi: string): string {
  return `
The sandbox "${organization.name}" (${organization.id}) was made to try things. Its keys are shown this once:

  public  ${keys.public}
  manage  ${keys.manage}

Sell something: paste this, open the "url" of the answer in a browser, and pay with card 4242 4242 4242 4242.

  curl ${publicApi}/checkouts \\
    -H 'Authorization: Bearer ${keys.public}' \\
    -H 'Content-Type: application/json' \\
    -d '{"productKey": "pro"}'
`;
}

function greeting(config: Config, demo: OrganizationWithKeys | null): Output {
  const { url, publicApi, manageApi, docs } = addresses(config);
  const text = `Billow is ready at ${url}

  Public API      ${publicApi}
  Management API  ${manageApi}
  Documentation   ${docs}
${demo ? introduce(demo, publicApi) : ""}`;
  const json = { ...addresses(config), ...(demo && { organization: presentOrganization(demo.organization), keys: demo.keys }) };
  return { text, json };
}

async function startAll(wiring: Wiring, config: Config): Promise<void> {
  const stopped = untilStopped();
  const reserved = await reserve(config);
  // With PORT=0 the address of the pages follows the port that was found.
  const found = wiring.readConfig({ PORT: String(reserved.port) });
  const ctx = await wiring.openContext(found);
  await run(ctx, stopped, async () => {
    await migrate(ctx.db);
    const demo = found.databaseUrl ? null : await seedDemo(ctx);
    await reserved.release();
    const server = found.webConcurrency > 1 ? await forkServers(found) : partOf(await wiring.startServer(ctx));
    wiring.print(greeting(found, demo));
    return [server, wiring.startWorker(ctx)];
  });
}

/** A server as a part that stops. */
export function partOf(server: { close(): Promise<void> }): Part {
  return { stop: () => server.close() };
}

export const start: Command = {
  usage: "start",
  summary: "API, pages and worker in one go, on an embedded database unless DATABASE_URL names one",
  options: {},
  run: (wiring) => startAll(wiring, wiring.readConfig()),
};
