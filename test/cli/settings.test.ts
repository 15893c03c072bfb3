import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { unknownSettings } from "../../src/unknown-settings.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";

let workspace: Workspace;
beforeAll(async () => void (workspace = await createWorkspace()));
afterAll(() => workspace.clear());

const SECRET = "s".repeat(32);
const MISSING =
  "BILLOW_SECRET is missing: with DATABASE_URL it must be set, the same for every process. " +
  "`openssl rand -hex 32` makes a secret. An installation that moves keeps its own: " +
  "with an embedded database, the text of the file `secret` in the data directory.";

const STRAY_PERCENT =
  "SMTP_URL has a % without two hexadecimal digits of UTF-8 after it: the character % itself is written %25.";

test.each<[Record<string, string>, string]>([
  // environment, the line on stderr
  [{ PORT: "65536" }, 'PORT is "65536", but must be a port from 0 to 65535.'],
  [{ PORT: "http" }, 'PORT is "http", but must be a port from 0 to 65535.'],
  [{ BILLOW_SECRET: "short" }, "BILLOW_SECRET must be at least 32 characters."],
  [
    { BILLOW_SECRET_PREVIOUS: `${SECRET},short` },
    "BILLOW_SECRET_PREVIOUS must be secrets of at least 32 characters each, separated by commas.",
  ],
  [
    { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "billow" },
    "OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET belong together. Missing: OIDC_CLIENT_SECRET.",
  ],
  [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN must be at least 16 characters."],
  [
    { DATABASE_URL: "mysql://root:toor@localhost/billow", BILLOW_SECRET: SECRET },
    "DATABASE_URL must be a postgres:// address.",
  ],
  [{ DATABASE_URL: "postgres://localhost/billow" }, MISSING],
  [{ SMTP_URL: "https://user:secret@mail.example.com" }, "SMTP_URL must be an smtp:// or smtps:// address."],
  [{ SMTP_URL: "smtp://" }, "SMTP_URL must be an smtp:// or smtps:// address."],
  ...["h/INBOX", "user:25/secret@h", "h#secret", "h/?requireTLS=true#secret"].map(
    (rest): [Record<string, string>, string] => [
      { SMTP_URL: `smtp://${rest}` },
      "In SMTP_URL only ?parameters may follow the host and port. In user and password, / is %2F and # is %23.",
    ],
  ),
  [{ SMTP_URL: "smtp://h:0" }, "SMTP_URL must have a port from 1 to 65535, or none."],
  [{ SMTP_URL: "smtp://user@h" }, "SMTP_URL has a user without a password."],
  [{ SMTP_URL: "smtp://user:@h" }, "SMTP_URL has a user without a password."],
  [{ SMTP_URL: "smtp://:secret@h" }, "SMTP_URL has a password without a user."],
  [{ SMTP_URL: "smtp://u:p%zz@h" }, STRAY_PERCENT],
  [{ SMTP_URL: "smtp://50%:secret@h" }, STRAY_PERCENT],
  [{ SMTP_URL: "smtp://u:%FF@h" }, STRAY_PERCENT],
  [
    { SMTP_URL: "smtp://u:secret@h?greetingTimeout=abc" },
    "greetingTimeout in SMTP_URL must be a whole number of milliseconds.",
  ],
  [{ SMTP_URL: "smtp://h?socketTimeout=0" }, "socketTimeout in SMTP_URL must be a whole number of milliseconds."],
  [
    { SMTP_URL: "smtp://h?connectionTimeout=" },
    "connectionTimeout in SMTP_URL must be a whole number of milliseconds.",
  ],
  [{ SMTP_URL: "smtp://h?requireTLS=yes" }, "requireTLS in SMTP_URL must be true or false."],
  [{ SMTP_URL: "smtp://h?tls.rejectUnauthorized=0" }, "tls.rejectUnauthorized in SMTP_URL must be true or false."],
  ...["a%20b", "[192.0.2.256]", "[2001:db8::1]", "[IPv6:192.0.2.1]"].map((name): [Record<string, string>, string] => [
    { SMTP_URL: `smtp://h?name=${name}` },
    "name in SMTP_URL must be the host name that this machine says it has, or its address as [192.0.2.1].",
  ]),
  ...["192.0.2.1", "7", "a%20b"].map((name): [Record<string, string>, string] => [
    { SMTP_URL: `smtp://h?tls.servername=${name}` },
    "tls.servername in SMTP_URL must be the host name in the server's certificate.",
  ]),
  [{ SMTP_URL: "smtp://u:secret@h?authMethod=XOAUTH2" }, "authMethod in SMTP_URL must be LOGIN, PLAIN or CRAM-MD5."],
  [{ SMTP_URL: "smtp://h?requireTLS=true&requireTLS=false" }, "SMTP_URL has requireTLS twice."],
  ...["host", "service", "pool", "toString", "requiretls"].map((name): [Record<string, string>, string] => [
    { SMTP_URL: `smtp://u:secret@h?${name}=1` },
    `SMTP_URL has "${name}", but takes requireTLS, tls.rejectUnauthorized, tls.servername, name, authMethod, ` +
      "connectionTimeout, greetingTimeout, socketTimeout only.",
  ]),
  [
    { EMAIL_FROM: "Acme <billing@example.com>" },
    'EMAIL_FROM is "Acme <billing@example.com>", but must be an e-mail address.',
  ],
  [
    { PUBLIC_BASE_PATHS: "/v2" },
    'PUBLIC_BASE_PATHS is "/v2", but must be paths that end in /public/v2, separated by commas.',
  ],
  [
    { WEBHOOK_ALLOWED_CIDRS: "10.0.0.0/8, 10.0.0.0/33" },
    'WEBHOOK_ALLOWED_CIDRS is "10.0.0.0/8, 10.0.0.0/33", but must be addresses or CIDRs separated by commas.',
  ],
  [{ DATABASE_POOL_MODE: "statement" }, 'DATABASE_POOL_MODE is "statement", but must be transaction or session.'],
  [
    { DATABASE_READ_URL: "postgres://replica/billow" },
    "DATABASE_READ_URL needs DATABASE_URL: the embedded PostgreSQL has no replica.",
  ],
  [
    { DATABASE_URL: "postgres://h", BILLOW_SECRET: "s".repeat(32), DATABASE_READ_URL: "postgres://h?sslmode=on" },
    "In DATABASE_READ_URL, sslmode must be disable, allow, prefer, require, verify-ca or verify-full.",
  ],
  [{ DATABASE_CONNECTIONS: "0" }, 'DATABASE_CONNECTIONS is "0", but must be a whole number from 1 to 10000.'],
  [
    { DATABASE_CONNECTIONS: "9" },
    "DATABASE_CONNECTIONS is 9, but this command needs 10 connections or more. See docs/operating/database.md.",
  ],
  [
    { DATABASE_CONNECTIONS: "4", WEB_CONCURRENCY: "2" },
    "DATABASE_CONNECTIONS is 4, but this command needs 5 connections or more. See docs/operating/database.md.",
  ],
  [{ WEB_CONCURRENCY: "0" }, 'WEB_CONCURRENCY is "0", but must be a whole number from 1 to 64.'],
  ...(
    [
      ["EVENTS", "89", 90],
      ["DELIVERIES", "6", 7],
      ["EMAILS", "20", 21],
      ["REQUESTS", "0", 1],
    ] as const
  ).map(([kind, value, least]): [Record<string, string>, string] => [
    { [`RETENTION_${kind}_DAYS`]: value },
    `RETENTION_${kind}_DAYS is "${value}", but must be a whole number of days from ${least} to 36500.`,
  ]),
  [
    { RETENTION_EVENTS_DAYS: "90", RETENTION_DELIVERIES_DAYS: "91" },
    'RETENTION_EVENTS_DAYS is "90", but must not be below RETENTION_DELIVERIES_DAYS, which is 91: ' +
      "a delivery needs its event.",
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" },
    "OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// address.",
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: "authorization: Bearer secret" },
    "OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas, with percent-encoded values.",
  ],
  [{ OTEL_TRACES_SAMPLER_ARG: "1.5" }, 'OTEL_TRACES_SAMPLER_ARG is "1.5", but must be a number from 0 to 1.'],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL is "loud", but must be fatal, error, warn, info, debug, trace, silent.'],
])("%j stops the start", async (environment, line) => {
  expect(await workspace.run(["start"], environment)).toEqual({ code: 1, stdout: "", stderr: `billow: ${line}\n` });
});

test.each([
  "smtp://mail.example.com",
  "smtps://user%40example.com:100%25@mail.example.com:465/",
  "smtp://[::1]:25?requireTLS=true&tls.rejectUnauthorized=false&name=billing.example.com",
  "smtp://u:p@192.0.2.25?tls.servername=mail.example.com&name=[192.0.2.1]&authMethod=CRAM-MD5",
  "smtp://h?name=[IPv6:2001:db8::1]",
  "smtp://pöst.example?connectionTimeout=1&greetingTimeout=60000&socketTimeout=60000",
])("SMTP_URL may be %s", (url) => {
  expect(readConfig({ SMTP_URL: url }).smtpUrl).toBe(url);
});

test("OIDC_ISSUER is https, or http on this machine", () => {
  const read = (issuer: string) =>
    readConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "billow", OIDC_CLIENT_SECRET: " secret " }).openId;
  for (const issuer of ["https://id.example.com/realms/one", "http://localhost:8080", "http://[::1]:9/"])
    expect(read(issuer)).toEqual({ issuer, clientId: "billow", clientSecret: "secret" });
  for (const issuer of ["http://id.example.com", "https://id.example.com?x=1", "id.example.com", "https://u@a.example"])
    expect(() => read(issuer), issuer).toThrow(
      `OIDC_ISSUER is "${issuer}", but must be an https:// address, or http:// on this machine.`,
    );
  expect(readConfig({}).openId).toBeNull();
});

test("BILLOW_SECRET_PREVIOUS may be several secrets", () => {
  const previous = ["p".repeat(32), "q".repeat(40)];
  expect(readConfig({ BILLOW_SECRET_PREVIOUS: ` ${previous.join(" , ")},` }).previousSecrets).toEqual(previous);
  expect(readConfig({}).previousSecrets).toEqual([]);
});

test.each([
  [
    "postgres://ada:hunter2@127.0.0.1:1/billow",
    "The database billow at 127.0.0.1:1 can't be reached: no server listens there. Check DATABASE_URL.",
  ],
  [
    "postgres://ada:hunter2@nowhere.invalid/books",
    "The database books at nowhere.invalid:5432 can't be reached: the host name is unknown. Check DATABASE_URL.",
  ],
  [
    "postgres:///books?host=/nowhere",
    "The database books at /nowhere can't be reached: the socket does not exist. Check DATABASE_URL.",
  ],
])("a database that does not answer stops the start: %s", async (url, line) => {
  const environment = { DATABASE_URL: url, BILLOW_SECRET: SECRET };
  expect(await workspace.run(["start"], environment)).toEqual({ code: 1, stdout: "", stderr: `billow: ${line}\n` });
});

describe("a variable that looks like a setting and is none", () => {
  const unreachable = { DATABASE_URL: "postgres://127.0.0.1:1/billow", BILLOW_SECRET: SECRET };

  test("is a warning before the command runs", async () => {
    const { code, stderr } = await workspace.run(["org", "list"], { ...unreachable, BILLOW_PORT: "4001" });
    expect([code, stderr.split("\n")[0]]).toEqual([1, "billow: BILLOW_PORT is not a setting. Did you mean `PORT`?"]);
    expect(stderr.split("\n")).toHaveLength(3);
  });

  test.each<[names: string[], warning: string | null]>([
    [["BILLOW_DATADIR"], "BILLOW_DATADIR is not a setting. Did you mean `BILLOW_DATA_DIR`?"],
    [["BILLOW_SECRETS"], "BILLOW_SECRETS is not a setting. Did you mean `BILLOW_SECRET`?"],
    [["BILLOW_DATABASE_URL"], "BILLOW_DATABASE_URL is not a setting. Did you mean `DATABASE_URL`?"],
    [
      ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"],
      "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not a setting. Did you mean `OTEL_EXPORTER_OTLP_ENDPOINT`?",
    ],
    [["OTEL_TRACES_SAMPLER"], "OTEL_TRACES_SAMPLER is not a setting. Did you mean `OTEL_TRACES_SAMPLER_ARG`?"],
    [["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_SERVICE_NAME"], null],
    [
      ["BILLOW_COLOUR", "BILLOW_HOST"],
      "BILLOW_COLOUR is not a setting. BILLOW_HOST is not a setting. Did you mean `HOST`?",
    ],
    [
      [
        "BILLOW_SECRET",
        "BILLOW_PAYMENTS_SHOP",
        "BILLOW_URL",
        "BILLOW_API_KEY",
        "BILLOW_MANAGE_KEY",
        "BILLOWS",
        "COLOUR",
      ],
      null,
    ],
  ])("%j", (names, warning) => {
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, "x"])))).toBe(warning);
  });
});

describe("the receiver of traces", () => {
  const endpointOf = (settings: Record<string, string>) => readConfig(settings).traces?.endpoint;

  test.each(["", "/", "/v1/traces", "/v1/traces/"])("is named with or without the path of OTLP: %j", (path) => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://localhost:4318/tenant${path}` };
    expect(endpointOf(settings)).toBe("http://localhost:4318/tenant/v1/traces");
  });

  test("is not used if OTEL_SDK_DISABLED is true", () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
    for (const value of ["true", "TRUE"]) expect(endpointOf({ ...settings, OTEL_SDK_DISABLED: value })).toBeUndefined();
    for (const value of ["false", ""]) expect(endpointOf({ ...settings, OTEL_SDK_DISABLED: value })).toBeDefined();
  });
});

test(".env counts, and the environment overrides it", async () => {
  const file = join(workspace.directory, ".env");
  const line = (value: string) => `billow: WEB_CONCURRENCY is "${value}", but must be a whole number from 1 to 64.\n`;
  await writeFile(file, "# how many\nWEB_CONCURRENCY=many\n");
  expect((await workspace.run(["start"])).stderr).toBe(line("many"));
  expect((await workspace.run(["start"], { WEB_CONCURRENCY: "few" })).stderr).toBe(line("few"));
  await writeFile(file, "");
});
