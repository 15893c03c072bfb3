/**
 * A variable of the environment as the page for operators shows it, in Markdown. `fallback`: the value without the
 * variable; null: there is none.
 */
type SettingText = { group: string; fallback: string | null; says: string };

/** Every variable that Billow reads, but for the keys of payment providers (`BILLOW_PAYMENTS_…`). */
export const SETTINGS = {
  PORT: { group: "Addresses", fallback: "`4000`", says: "0: any free port" },
  HOST: { group: "Addresses", fallback: "`127.0.0.1`", says: "the address to listen on" },
  PUBLIC_ORIGIN: {
    group: "Addresses",
    fallback: "`http://HOST:PORT`",
    says:
      "the address of the pages for browsers; every link begins with this address and never " +
      "follows the `Host` header. For a `HOST` of `0.0.0.0` or `::`, the default is " +
      "`http://localhost:PORT`",
  },
  PUBLIC_BASE_PATHS: {
    group: "Addresses",
    fallback: "`/public/v2`",
    says: "paths of the public API: each ends in `/public/v2`, separated by commas",
  },
  TRUSTED_PROXIES: {
    group: "Addresses",
    fallback: null,
    says: "addresses or CIDRs of [proxies](proxy.md), separated by commas: Billow believes their `X-Forwarded-For`",
  },
  WEBHOOK_ALLOWED_CIDRS: {
    group: "Addresses",
    fallback: null,
    says:
      "non-public addresses or CIDRs that [webhooks](webhooks.md) may call, separated by " +
      "commas. If `PUBLIC_ORIGIN` is loopback, sandboxes may call loopback without this " +
      "variable",
  },
  DATABASE_URL: { group: "Data", fallback: "the embedded one", says: "PostgreSQL 15 or newer" },
  DATABASE_READ_URL: {
    group: "Data",
    fallback: null,
    says: "a replica for [reads that may be a few seconds old](read-replica.md)",
  },
  DATABASE_POOL_MODE: {
    group: "Data",
    fallback: "`transaction`",
    says: "how a [pooler](database.md#poolers) before PostgreSQL uses its sessions: `transaction` or `session`",
  },
  DATABASE_CONNECTIONS: {
    group: "Data",
    fallback: "44, [by the process](database.md#connections)",
    says: "the most connections to PostgreSQL of one process",
  },
  BILLOW_DATA_DIR: { group: "Data", fallback: "`.billow`", says: "embedded database, secret, files to download" },
  RETENTION_EVENTS_DAYS: {
    group: "Data",
    fallback: "for ever",
    says: "days for which events are [kept](growth.md#retention), 90 or more",
  },
  RETENTION_DELIVERIES_DAYS: {
    group: "Data",
    fallback: "`30`",
    says: "days for which deliveries of webhooks are kept, 7 or more",
  },
  RETENTION_EMAILS_DAYS: { group: "Data", fallback: "`30`", says: "days for which e-mails are kept, 21 or more" },
  RETENTION_REQUESTS_DAYS: {
    group: "Data",
    fallback: "`7`",
    says: "days for which the log of API requests is kept, 1 or more",
  },
  BILLOW_SECRET: {
    group: "Secrets and people",
    fallback: "made in the data directory",
    says: "signs links and encrypts stored keys, at least 32 characters; required with `DATABASE_URL`",
  },
  BILLOW_SECRET_PREVIOUS: {
    group: "Secrets and people",
    fallback: null,
    says:
      "earlier values of `BILLOW_SECRET`, separated by commas: these still open links and " +
      "decrypt ([secrets](secrets.md))",
  },
  OIDC_ISSUER: {
    group: "Secrets and people",
    fallback: null,
    says:
      "the OpenID provider through which people may sign in to the " +
      "[dashboard](team.md#sign-in-through-an-openid-provider)",
  },
  OIDC_CLIENT_ID: { group: "Secrets and people", fallback: null, says: "the id of Billow at this provider" },
  OIDC_CLIENT_SECRET: { group: "Secrets and people", fallback: null, says: "the secret of Billow at this provider" },
  SMTP_URL: {
    group: "E-mail",
    fallback: null,
    says:
      "the server for e-mails, `smtp://user:password@host:587` or `smtps://…`; without this " +
      "server, e-mails are kept [in the data directory](e-mail.md)",
  },
  EMAIL_FROM: { group: "E-mail", fallback: "`billing@` the host of `PUBLIC_ORIGIN`", says: "the sender of e-mails" },
  RATE_LIMIT: {
    group: "Operation",
    fallback: "`500`",
    says:
      "requests a second and key, with bursts of twice as many; 0: no limit. On the license " +
      "API, the limit also counts each client address",
  },
  WEB_CONCURRENCY: { group: "Operation", fallback: "`1`", says: "HTTP processes of `start`" },
  LOG_LEVEL: { group: "Operation", fallback: "`info`", says: "`fatal` `error` `warn` `info` `debug` `trace` `silent`" },
  METRICS_TOKEN: {
    group: "Operation",
    fallback: null,
    says: "bearer token of `/metrics`, at least 16 characters; without a token, only this machine may read `/metrics`",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: "Operation",
    fallback: null,
    says: "the receiver of [traces](monitoring.md#traces) by OTLP over HTTP",
  },
  OTEL_EXPORTER_OTLP_HEADERS: { group: "Operation", fallback: null, says: "headers for this receiver" },
  OTEL_SERVICE_NAME: { group: "Operation", fallback: "`billow`", says: "`service.name` of the traces" },
  OTEL_TRACES_SAMPLER_ARG: {
    group: "Operation",
    fallback: "`1`",
    says: "the share of traces that are sent, from 0 to 1",
  },
  OTEL_SDK_DISABLED: { group: "Operation", fallback: "`false`", says: "`true`: no traces, in spite of a receiver" },
  BILLOW_WEBHOOK_SECRET: {
    group: "Commands",
    fallback: null,
    says: "the secret that the command `exam` signs with, unless `--secret` is given",
  },
} as const satisfies Record<string, SettingText>;
export type Setting = keyof typeof SETTINGS;
