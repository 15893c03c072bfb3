import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { isCopy } from "../../src/actions/installation.ts";
import { readConfig, type Config } from "../../src/config.ts";
import { createContext, type Context } from "../../src/context.ts";
import { startServer } from "../../src/http/server.ts";
import { openMailer } from "../../src/outbound/smtp.ts";
import { reservePort } from "../../src/port.ts";
import { createWebApp } from "../../src/web/app.ts";
import { createTestDatabase } from "./database.ts";
import { openEraser } from "./eraser.ts";
import { takeProvider } from "./provider.ts";

/** A running server with a database and a data directory of its own, without an Organization. */
export type Installation = {
  ctx: Context;
  /** The origin, without a slash at the end. */
  url: string;
  /** Hands the e-mails to this server from now on; null: e-mails are only kept. */
  mailOver(smtpUrl: string | null): void;
  /** Deletes the rows and undoes the changes of the Context. False if no other test can use the installation. */
  clear(): Promise<boolean>;
  close(): Promise<void>;
};

/** @param overrides replace settings, but not the port and the database. */
export async function install(overrides: Partial<Config>): Promise<Installation> {
  const database = await createTestDatabase();
  const eraser = await openEraser(database.connection);
  const reserved = await reservePort("127.0.0.1", 0);
  const dataDir = await mkdtemp(join(inject("directory"), "app-"));
  const environment = {
    DATABASE_URL: database.url,
    BILLOW_DATA_DIR: dataDir,
    BILLOW_SECRET: "s".repeat(32),
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
  };
  const config = { ...readConfig({ ...environment, PORT: String(reserved.port) }), ...overrides };
  const ctx = await createContext(config, { db: database.db });
  // As at a start: later only a copy asks again.
  await isCopy(ctx);
  const { payments, webhooks } = ctx;
  const leaveProvider = takeProvider(ctx);
  const [ownPayments, ownWebhooks] = [{ ...payments }, { ...webhooks }];
  await reserved.release();
  // The pages count the requests of an address, so each test has pages of its own.
  let pages = createWebApp(ctx);
  const server = await startServer(ctx, { web: { fetch: (...request) => pages.fetch(...request) } });
  const mailOver = (smtpUrl: string | null) => {
    ctx.mailer?.close();
    const mailer = smtpUrl === null ? null : openMailer(smtpUrl);
    for (const each of [ctx, ctx.requests, ctx.deliveries]) each.mailer = mailer;
    config.smtpUrl = smtpUrl;
  };
  return {
    ctx,
    url: `http://127.0.0.1:${reserved.port}`,
    mailOver,
    async clear() {
      mailOver(null);
      Object.assign(payments, ownPayments);
      Object.assign(webhooks, ownWebhooks);
      pages = createWebApp(ctx);
      await leaveProvider();
      for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true });
      return eraser.erase();
    },
    async close() {
      await server.close();
      await leaveProvider();
      ctx.mailer?.close();
      await ctx.close();
      await eraser.end();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

type Unused = { settings: string; installation: Installation };

/**
 * The most unused installations that are kept. Some settings serve one file of tests only, so more unused installations
 * would use up the connections of PostgreSQL.
 */
const MOST_UNUSED = 4;
/** The installations of this process that no test uses. The files of a process use them one after the other. */
const unused: Unused[] = [];

/**
 * The settings that tell installations apart. A test with a mail server has that on a port of its own, so an
 * installation can change its mail server.
 */
const settingsOf = (overrides: Partial<Config>): Partial<Config> => ({ ...overrides, smtpUrl: null });

/** An installation without rows. Another test may have used it before. */
export async function borrow(overrides: Partial<Config>): Promise<Installation> {
  const settings = settingsOf(overrides);
  const at = unused.findIndex((each) => each.settings === JSON.stringify(settings));
  const installation = at === -1 ? await install(settings) : unused.splice(at, 1)[0]!.installation;
  installation.mailOver(overrides.smtpUrl ?? null);
  return installation;
}

/** Keeps an installation for the next test with the same settings, or closes it. */
export async function giveBack(overrides: Partial<Config>, installation: Installation): Promise<void> {
  if (!(await installation.clear())) return installation.close();
  unused.push({ settings: JSON.stringify(settingsOf(overrides)), installation });
  if (unused.length > MOST_UNUSED) await unused.shift()!.installation.close();
}
