import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import type { Logger } from "pino";
import type { Answers } from "./actions/views.ts";
import { ConfigError, type Config } from "./config.ts";
import { settledAnswers } from "./http/settled-answers.ts";
import { createKeyring, type Keyring } from "./keyring.ts";
import { createLogger } from "./log.ts";
import type { Resolve } from "./outbound/post.ts";
import { openMailer, type Mailer } from "./outbound/smtp.ts";
import type { Connectable } from "./payments/connectable-provider.ts";
import { createStripeConnectable } from "./payments/stripe/connection.ts";
import { limited, Limiter, openLimiters } from "./payments/limiter.ts";
import { rowOfInstallation } from "./actions/installation-row.ts";
import { openConnected } from "./actions/payment/connected-provider.ts";
import type { Connected } from "./payments/provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./payments/sandbox.ts";
import { joinEmbeddedDatabase } from "./embedded-database.ts";
import { Notifier } from "./store/driver/notifier.ts";
import { openDatabase, type Database } from "./store/driver/db.ts";
import type { Recognition } from "./store/installation.ts";
import { Replica } from "./store/replica.ts";
import { divide, fewestConnections, type Duty } from "./store/driver/limits.ts";
import { routeOf, type Route } from "./store/driver/route.ts";

/**
 * The actions' access to the outside world. `command-line.ts` makes one Context per process; tests make theirs with
 * overrides.
 */
export type Context = {
  config: Config;
  db: Database;
  /** The replica of `DATABASE_READ_URL`; null: there is none, or this process answers no requests. */
  replica: Replica | null;
  /** Only for `/readyz` and `/metrics`: a call is answered within a second, or it fails. */
  probes: Database;
  log: Logger;
  /** Whether this database is a copy. All Contexts of a process share this memory; `isCopy` reads and writes it. */
  installation: Recognition;
  /** The keys that sign links and encrypt stored secrets, the same in every process. */
  keyring: Keyring;
  /** The built-in provider of sandboxes, and the providers that operators have connected. */
  payments: {
    sandbox: SandboxProvider;
    connected: Connected;
    /** The providers that an operator can connect, by name. */
    connectables: ReadonlyMap<string, Connectable>;
  };
  /** Keeps the answers of requests with charges that are settled. */
  answers: Answers;
  /** Hands e-mails to the SMTP server; null: e-mails are only kept. */
  mailer: Mailer | null;
  /**
   * Limits of webhook requests in milliseconds: the longest time until an answer, and the time from which an answer
   * is slow. `resolve` replaces the system's look-up of host names.
   */
  webhooks: { timeoutMilliseconds: number; slowMilliseconds: number; resolve?: Resolve };
};

/**
 * A Context with open connections, and perhaps with the embedded PostgreSQL, until it is closed. Commands and the
 * worker use it directly. `requests` is for the server, `deliveries` for webhooks and e-mail. Both are the same Context
 * over connections of their own, so that the three can't starve each other.
 */
export type OpenContext = Context & {
  requests: Context;
  deliveries: Context;
  /** Whether another process had opened the embedded PostgreSQL before. */
  joined: boolean;
  close(): Promise<void>;
};

type Handles = { db: Database; requests: Database; deliveries: Database; probes: Database };

/**
 * The secret of this data directory. The first process creates the secret. The hard link publishes the file as a whole
 * or not at all.
 */
function secretOf(dataDir: string): string {
  const path = join(dataDir, "secret");
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < 32)
    throw new ConfigError(
      `${path} is damaged: restore it, or remove it (links to pages and downloads then end, and stored keys are lost).`,
    );
  return secret;
}

/** @throws ConfigError for fewer connections than the process needs */
function requireEnough({ databaseConnections: most }: Config, duty: Duty): void {
  const fewest = fewestConnections(duty);
  if (most !== null && most < fewest)
    throw new ConfigError(
      `DATABASE_CONNECTIONS is ${most}, but this command needs ${fewest} connections or more. ` +
        "See docs/operating/database.md.",
    );
}

/** The handles of a process. A part that the process does not do shares the connections of another part. */
function openHandles(connection: ClientConfig | Route, { databaseConnections }: Config, duty: Duty): Handles {
  const notifier = new Notifier();
  const limits = divide(duty, databaseConnections);
  const opened = new Map([...limits].map(([part, each]) => [part, openDatabase(connection, each, notifier)]));
  const [first] = opened.values() as Iterable<Database> as [Database];
  const [requests, deliveries, probes] = (["requests", "deliveries", "probes"] as const).map(
    (part) => opened.get(part) ?? first,
  ) as [Database, Database, Database];
  return { db: opened.get("work") ?? first, requests, deliveries, probes };
}

/** Opens the replica for a process that answers requests. Its failures are logged once, and the primary answers. */
function openReplica(config: Config, primary: Database, log: Logger, duty: Duty): Replica | null {
  if (config.readDatabase === null || (duty !== "all" && duty !== "serve")) return null;
  return new Replica(routeOf(config.readDatabase, config.databasePoolMode, true), primary.read, (unused) => {
    if (unused === null) log.info("the replica of DATABASE_READ_URL is read");
    else log.warn({ reason: unused.reason, err: unused.error }, "the replica of DATABASE_READ_URL is not read");
  });
}

async function closeHandles(handles: Handles): Promise<void> {
  await Promise.all([...new Set(Object.values(handles))].map((each) => each.end()));
}

/**
 * Opens the configured database, or joins the embedded one.
 * @throws PostgresUnusable
 */
async function open(
  config: Config,
  log: Logger,
  duty: Duty,
): Promise<Handles & { joined: boolean; leave(): Promise<void> }> {
  if (config.database) {
    const handles = openHandles(routeOf(config.database, config.databasePoolMode), config, duty);
    return { ...handles, joined: false, leave: () => closeHandles(handles) };
  }
  const postgres = await joinEmbeddedDatabase({
    dataDir: config.dataDir,
    log: (line, isFault) => (isFault ? log.error(line) : log.debug(line)),
  });
  const handles = openHandles(postgres.connection, config, duty);
  return {
    ...handles,
    joined: postgres.joined,
    async leave() {
      await closeHandles(handles);
      await postgres.leave();
    },
  };
}

/**
 * Parts in `overrides` are neither opened nor closed here. A given `db` serves for all handles.
 * @throws PostgresUnusable, ConfigError for fewer connections than `duty` needs
 */
export async function createContext(
  config: Config,
  overrides: Partial<Context> = {},
  duty: Duty = "all",
): Promise<OpenContext> {
  requireEnough(config, duty);
  const log = overrides.log ?? createLogger(config.logLevel);
  const { db: given } = overrides;
  const handles = given
    ? { db: given, requests: given, deliveries: given, probes: given, joined: false, leave: async () => undefined }
    : await open(config, log, duty);
  const replica = openReplica(config, handles.requests, log, duty);
  const mailer = config.smtpUrl === null ? null : openMailer(config.smtpUrl);
  const keyring = createKeyring(config.secret ?? secretOf(config.dataDir), config.previousSecrets);
  // Requests and the worker charge the same accounts, so their calls count together.
  const limiterOf = openLimiters();
  const paymentsOver = (db: Database): Context["payments"] => {
    const stripe = createStripeConnectable({
      db,
      installation: async () => (await rowOfInstallation(db)).installation.id,
      warn: (message, details) => log.warn(details, message),
    });
    const connectables = new Map([[stripe.name, stripe]]);
    const sandbox = createSandboxProvider({ db, publicOrigin: config.publicOrigin });
    const connected = openConnected({ db, keyring, config, connectables, limiterOf });
    return { sandbox: limited(sandbox, new Limiter(sandbox.limits)), connected, connectables };
  };
  const installation: Recognition = { isCopy: null, lookedAt: 0 };
  const over = (db: Database): Context => ({
    config,
    db,
    replica,
    probes: handles.probes,
    log,
    installation,
    keyring,
    payments: paymentsOver(db),
    answers: settledAnswers,
    mailer,
    webhooks: { timeoutMilliseconds: 15_000, slowMilliseconds: 2_000 },
    ...overrides,
  });
  const own = over(handles.db);
  return {
    ...own,
    requests: given ? own : over(handles.requests),
    deliveries: given ? own : over(handles.deliveries),
    joined: handles.joined,
    async close() {
      mailer?.close();
      await replica?.end();
      await handles.leave();
    },
  };
}
