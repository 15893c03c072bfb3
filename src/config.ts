import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { hostOf, isLoopback, parseCidr } from "./cidr.ts";
import { AddressError, parseAddress, type DatabaseAddress } from "./database-address.ts";
import { address, basePaths, list, origin, whole, type Reader } from "./setting-readers.ts";
import type { Setting } from "./settings.ts";
import { isPercentEncoded, readSmtpUrl, SmtpUrlError } from "./smtp-url.ts";

/** `endpoint`: the URL that takes traces by OTLP over HTTP. `ratio`: the part of the traces that begin here. */
export type Traces = { endpoint: string; headers: Record<string, string>; serviceName: string; ratio: number };

/** For how many days of real time rows are kept. `events`: null for ever. */
export type Retention = { events: number | null; deliveries: number; emails: number; requests: number };

/** All settings from the environment. Times are in the units that their names say. */
export type Config = {
  host: string;
  port: number;
  /** PostgreSQL 15 or newer; null: the embedded PostgreSQL below `dataDir`. */
  databaseUrl: string | null;
  /** `databaseUrl` by its parts, with the files of certificates. */
  database: DatabaseAddress | null;
  /** A replica of the database, for reads that may be a few seconds old; null: there is none. */
  readDatabase: DatabaseAddress | null;
  /** How a pooler before PostgreSQL uses its sessions. Without a pooler, the setting has no effect. */
  databasePoolMode: "transaction" | "session";
  /** The most connections to PostgreSQL of one process; null: the usual figures. */
  databaseConnections: number | null;
  dataDir: string;
  /**
   * The URL of the pages in a browser, without a slash at the end. Links are built from this URL, never from a
   * request's Host header.
   */
  publicOrigin: string;
  /** The paths of the public API. Each path starts with `/` and does not end with one. */
  publicBasePaths: string[];
  /**
   * The secret of at least 32 characters from which the keys for links and for encryption are derived; null: a secret
   * in the data directory (only with the embedded PostgreSQL).
   */
  secret: string | null;
  /** Earlier values of `secret`: these still verify links and decrypt, but neither sign nor encrypt. */
  previousSecrets: string[];
  /** The variables that begin with BILLOW_PAYMENTS_: keys of payment providers, by the name of the variable. */
  paymentKeys: ReadonlyMap<string, string>;
  /** Addresses (CIDR) of trusted proxies: their X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** Addresses (CIDR) outside the public Internet that webhooks may call all the same. */
  webhookAllowedCidrs: string[];
  /**
   * The SMTP server for e-mails: smtp:// or smtps://, with user and password if the server wants them; null: e-mails
   * are only kept.
   */
  smtpUrl: string | null;
  /** The sender's address of all e-mails. */
  emailFrom: string;
  /** The OpenID provider through which people may sign in to the dashboard; null: by password only. */
  openId: { issuer: string; clientId: string; clientSecret: string } | null;
  /** Requests per second and key, with bursts of twice as many; 0: no limit. */
  rateLimit: number;
  /** Bearer token of `/metrics`; null: open to loopback only. */
  metricsToken: string | null;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** The number of HTTP processes; 1: everything runs in one process. */
  webConcurrency: number;
  retention: Retention;
  /** The receiver of traces (OpenTelemetry); null: there are no traces. */
  traces: Traces | null;
};

/** A setting is wrong. The process shows this one line and does not start. */
export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>;

/** Variables with values that no terminal and no log may show. */
const SECRET = /SECRET|TOKEN|DATABASE_(READ_)?URL|SMTP_URL|OTLP/;

/** @throws ConfigError that names the variable and the values that it takes */
function read<T>(environment: Environment, name: Setting, fallback: T, takes: string, reader: Reader<T>): T {
  const text = environment[name]?.trim();
  if (text === undefined || text === "") return fallback;
  const value = reader(text);
  const stated = SECRET.test(name) ? "" : ` is ${JSON.stringify(text)}, but`;
  if (value === undefined) throw new ConfigError(`${name}${stated} must be ${takes}.`);
  return value;
}

const isSecret = (text: string) => text.length >= 32;

/** An issuer has neither query nor fragment (OpenID Connect Discovery 1.0). The secret must not go through a network. */
const issuer: Reader<string> = (text) => {
  const url = URL.parse(text);
  if (!url || url.search !== "" || url.hash !== "" || url.username !== "") return undefined;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(hostOf(url))) ? text : undefined;
};

const OPEN_ID = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;

/** @throws ConfigError unless all three variables are set, or none of them */
function openId(environment: Environment): Config["openId"] {
  const missing = OPEN_ID.filter((name) => (environment[name] ?? "").trim() === "");
  if (missing.length === OPEN_ID.length) return null;
  if (missing.length > 0)
    throw new ConfigError(`${OPEN_ID.join(", ")} belong together. Missing: ${missing.join(", ")}.`);
  return {
    issuer: read(environment, "OIDC_ISSUER", "", "an https:// address, or http:// on this machine", issuer),
    clientId: read(environment, "OIDC_CLIENT_ID", "", "a text", (text) => text),
    clientSecret: read(environment, "OIDC_CLIENT_SECRET", "", "a text", (text) => text),
  };
}

export const OF_PAYMENTS = "BILLOW_PAYMENTS_";

/** The values that operators may name as the key of a connected payment provider. */
const paymentKeys = (environment: Environment) =>
  new Map(
    Object.entries(environment).flatMap(([name, value = ""]) =>
      name.startsWith(OF_PAYMENTS) && value.trim() !== "" ? [[name, value.trim()]] : [],
    ),
  );

/** `name=value,name=value` with percent-encoded values, as the specification of OTLP exporters has them. */
const headers: Reader<Record<string, string>> = (text) => {
  const pairs = list(text).map((pair) => /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x20-\x7e]+)$/.exec(pair));
  if (pairs.some((pair) => pair === null || !isPercentEncoded(pair[2]!))) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!)]));
};

const ratio: Reader<number> = (text) => (/^(0|1|0?\.\d{1,9}|1\.0+)$/.test(text) ? +text : undefined);
const receiver: Reader<string> = (text) => origin(text)?.replace(/(\/v1\/traces)?$/, "/v1/traces");

/** @throws ConfigError */
function traces(environment: Environment): Traces | null {
  const at = "an http:// or https:// address";
  const endpoint = read<string | null>(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", null, at, receiver);
  const names = "name=value, separated by commas, with percent-encoded values";
  const settings = {
    headers: read(environment, "OTEL_EXPORTER_OTLP_HEADERS", {}, names, headers),
    serviceName: read(environment, "OTEL_SERVICE_NAME", "billow", "a name", (text) => text),
    ratio: read(environment, "OTEL_TRACES_SAMPLER_ARG", 1, "a number from 0 to 1", ratio),
  };
  const isDisabled = read(environment, "OTEL_SDK_DISABLED", false, "true or false", (text) => /^true$/i.test(text));
  return endpoint === null || isDisabled ? null : { endpoint, ...settings };
}

const cidrs: Reader<string[]> = (text) => (list(text).every(parseCidr) ? list(text) : undefined);
const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Reads `.env` from a directory. The variables of a process take precedence. @throws ConfigError */
export function readEnvironment(directory = process.cwd(), variables: Environment = process.env): Environment {
  try {
    return { ...parseEnv(readFileSync(resolve(directory, ".env"), "utf8")), ...variables };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return variables;
    throw new ConfigError(`.env can't be read: ${(error as Error).message}`);
  }
}

/** The address of a server on this machine. A server that listens on all addresses is still reached by one name. */
export function addressOf(host: string, port: number): string {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

type AddressSetting = "DATABASE_URL" | "DATABASE_READ_URL" | "SMTP_URL";

/** @throws ConfigError in place of an error of the address */
function addressed<T>(name: AddressSetting, readAddress: () => T): T {
  try {
    return readAddress();
  } catch (error) {
    const isWrong = error instanceof AddressError || error instanceof SmtpUrlError;
    throw isWrong ? new ConfigError(error.message.replaceAll("DATABASE_URL", name)) : error;
  }
}

type DatabaseSetting = "databaseUrl" | "database" | "readDatabase" | "databasePoolMode" | "databaseConnections";
const POOL_MODES = ["transaction", "session"] as const;

function readDatabase(environment: Environment): Pick<Config, DatabaseSetting> {
  const takes = "a postgres:// address";
  const databaseUrl = read<string | null>(environment, "DATABASE_URL", null, takes, (text) => text);
  const readUrl = read<string | null>(environment, "DATABASE_READ_URL", null, takes, (text) => text);
  if (readUrl !== null && databaseUrl === null)
    throw new ConfigError("DATABASE_READ_URL needs DATABASE_URL: the embedded PostgreSQL has no replica.");
  return {
    databaseUrl,
    database:
      databaseUrl === null ? null : addressed("DATABASE_URL", () => parseAddress(databaseUrl, environment, "writes")),
    readDatabase:
      readUrl === null ? null : addressed("DATABASE_READ_URL", () => parseAddress(readUrl, environment, "replica")),
    databasePoolMode: read<Config["databasePoolMode"]>(
      environment,
      "DATABASE_POOL_MODE",
      "transaction",
      POOL_MODES.join(" or "),
      (text) => POOL_MODES.find((mode) => mode === text),
    ),
    databaseConnections: read<number | null>(
      environment,
      "DATABASE_CONNECTIONS",
      null,
      "a whole number from 1 to 10000",
      whole(1, 10_000),
    ),
  };
}

const days = (from: number) => [`a whole number of days from ${from} to 36500`, whole(from, 36_500)] as const;

/**
 * Events are kept for 90 days at least, so that receivers can catch up from the log and `verify` compares all rows that
 * still change. Deliveries are kept for longer than their last attempt can take (rule W4), and e-mails for longer than
 * they are tried.
 * @throws ConfigError
 */
function readRetention(environment: Environment): Retention {
  const retention = {
    events: read<number | null>(environment, "RETENTION_EVENTS_DAYS", null, ...days(90)),
    deliveries: read(environment, "RETENTION_DELIVERIES_DAYS", 30, ...days(7)),
    emails: read(environment, "RETENTION_EMAILS_DAYS", 30, ...days(21)),
    requests: read(environment, "RETENTION_REQUESTS_DAYS", 7, ...days(1)),
  };
  if (retention.events !== null && retention.events < retention.deliveries)
    throw new ConfigError(
      `RETENTION_EVENTS_DAYS is "${retention.events}", but must not be below RETENTION_DELIVERIES_DAYS, ` +
        `which is ${retention.deliveries}: a delivery needs its event.`,
    );
  return retention;
}

/** @throws ConfigError with one line that names the wrong variable and the reason */
export function readConfig(environment: Environment): Config {
  const host = read(environment, "HOST", "127.0.0.1", "an address to listen on", (text) => text);
  const port = read(environment, "PORT", 4000, "a port from 0 to 65535", whole(0, 65_535));
  const ofDatabase = readDatabase(environment);
  const secret = read<string | null>(environment, "BILLOW_SECRET", null, "at least 32 characters", (text) =>
    isSecret(text) ? text : undefined,
  );
  if (ofDatabase.databaseUrl && !secret)
    throw new ConfigError(
      "BILLOW_SECRET is missing: with DATABASE_URL it must be set, the same for every process. " +
        "`openssl rand -hex 32` makes a secret. An installation that moves keeps its own: " +
        "with an embedded database, the text of the file `secret` in the data directory.",
    );
  const publicOrigin = read(
    environment,
    "PUBLIC_ORIGIN",
    addressOf(host, port),
    "an address like https://billing.example.com",
    origin,
  );
  const { hostname } = new URL(publicOrigin);
  // An IP address is no domain for mail.
  const mailHost = isIP(hostname) || hostname.startsWith("[") ? "localhost" : hostname;
  return {
    host,
    port,
    ...ofDatabase,
    secret,
    previousSecrets: read(
      environment,
      "BILLOW_SECRET_PREVIOUS",
      [],
      "secrets of at least 32 characters each, separated by commas",
      (text) => (list(text).every(isSecret) ? list(text) : undefined),
    ),
    paymentKeys: paymentKeys(environment),
    dataDir: resolve(read(environment, "BILLOW_DATA_DIR", ".billow", "a directory", (text) => text)),
    publicOrigin,
    publicBasePaths: read(
      environment,
      "PUBLIC_BASE_PATHS",
      ["/public/v2"],
      "paths that end in /public/v2, separated by commas",
      basePaths,
    ),
    trustedProxies: read(environment, "TRUSTED_PROXIES", [], "addresses or CIDRs separated by commas", cidrs),
    webhookAllowedCidrs: read(
      environment,
      "WEBHOOK_ALLOWED_CIDRS",
      [],
      "addresses or CIDRs separated by commas",
      cidrs,
    ),
    smtpUrl: addressed("SMTP_URL", () =>
      read<string | null>(environment, "SMTP_URL", null, "an smtp:// or smtps:// address", readSmtpUrl),
    ),
    emailFrom: read(environment, "EMAIL_FROM", `billing@${mailHost}`, "an e-mail address", address),
    openId: openId(environment),
    rateLimit: read(environment, "RATE_LIMIT", 500, "a whole number, 0 for no limit", whole(0, 1_000_000)),
    metricsToken: read<string | null>(environment, "METRICS_TOKEN", null, "at least 16 characters", (text) =>
      text.length >= 16 ? text : undefined,
    ),
    logLevel: read<Config["logLevel"]>(environment, "LOG_LEVEL", "info", LEVELS.join(", "), (text) =>
      LEVELS.find((level) => level === text),
    ),
    webConcurrency: read(environment, "WEB_CONCURRENCY", 1, "a whole number from 1 to 64", whole(1, 64)),
    retention: readRetention(environment),
    traces: traces(environment),
  };
}

/**
 * The secret of a webhook endpoint, for the signatures of `billow exam`; null if it is not set. Only this command
 * uses it.
 */
export function readWebhookSecret(environment: Environment): string | null {
  return read<string | null>(environment, "BILLOW_WEBHOOK_SECRET", null, "whsec_ and base64", (text) => text);
}
