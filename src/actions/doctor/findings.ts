import { counted } from "../../domain/words.ts";
import { fault, ok, warning, type Check } from "./check.ts";
import type { MigrationState } from "../../store/migrate.ts";
import type { DatabaseSize } from "../../store/server-state.ts";

const SECOND = 1_000;
/** From this difference on, logs of two machines can't be compared, and links to downloads end early or late. */
const CLOCK_WARNING = 5 * SECOND;
/** Receivers of webhooks refuse signatures that are five minutes old. A clock this wrong goes on drifting. */
const CLOCK_FAULT = 60 * SECOND;

/**
 * The database's clock against the clock of this machine. `ahead`: the database's lead in milliseconds, negative if the
 * database is behind. `uncertain`: the part of the lead that the way of the answer may explain.
 */
export function judgeClock(ahead: number, uncertain: number): Check {
  const sure = Math.max(0, Math.abs(ahead) - uncertain);
  if (sure <= CLOCK_WARNING) return ok("clock", "the clocks of the database and of this machine agree");
  const side = ahead > 0 ? "ahead of" : "behind";
  const says = `the clock of the database is ${Math.round(sure / SECOND)} s ${side} this machine`;
  const advice = "Let both machines synchronize their clocks (NTP).";
  return sure <= CLOCK_FAULT ? warning("clock", says, advice) : fault("clock", says, advice);
}

const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * MEGABYTE;

function sizeInWords(bytes: number): string {
  return bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}

/** The free bytes of the disk that holds the data directory: a warning below 1 GB, a fault below 100 MB. */
export function judgeSpace(directory: string, free: number): Check {
  const says = `${sizeInWords(free)} free for ${directory}`;
  const advice = "Free space on this disk, or move BILLOW_DATA_DIR to a larger one.";
  if (free >= GIGABYTE) return ok("disk", says);
  return free >= 100 * MEGABYTE ? warning("disk", says, advice) : fault("disk", says, advice);
}

/** From this number of events on, the page about growth names steps that pay (decision 0106). */
const MANY_EVENTS = 100_000_000;

/** The size of the database. `eventDays`: for how many days events are kept; null: for ever. */
export function judgeSize({ bytes, events }: DatabaseSize, eventDays: number | null): Check {
  const size = `the database has ${sizeInWords(bytes)}`;
  if (events === null) return ok("size", size);
  const number = events < 1_000_000 ? `${events}` : `${(events / 1_000_000).toFixed(1)} million`;
  const kept = eventDays === null ? "for ever" : `for ${eventDays} days`;
  const says = `${size}, with about ${number} events, which are kept ${kept}`;
  if (events < MANY_EVENTS) return ok("size", says);
  const set = eventDays === null ? "Set RETENTION_EVENTS_DAYS" : "Set RETENTION_EVENTS_DAYS to fewer days";
  return warning("size", says, `${set}, or take another step of docs/operating/growth.md.`);
}

/** The server on the data directory of this machine. A machine may have no server, or a stopped one. */
export function judgeServer(server: { address: string; version: string } | null): Check {
  return ok(
    "server",
    server === null ? "no server runs on this data directory" : `Billow ${server.version} answers at ${server.address}`,
  );
}

/** The address of the pages. `live`: whether a live Organization is there, so that buyers have to reach the pages. */
export function judgeOrigin(origin: string, { live, isLoopback }: { live: boolean; isLoopback: boolean }): Check {
  if (!live) return ok("public_origin", `links begin with ${origin}`);
  if (isLoopback)
    return fault(
      "public_origin",
      `${origin} leads each buyer to the buyer's own machine`,
      "Set PUBLIC_ORIGIN to the https address of your proxy.",
    );
  return origin.startsWith("https:")
    ? ok("public_origin", origin)
    : fault(
        "public_origin",
        `${origin} is not https, and a live Organization sells on these pages`,
        "Put a proxy with TLS in front of Billow, and set PUBLIC_ORIGIN to its https address.",
      );
}

export function judgeMigrations({ missing, edited, unknown }: MigrationState): Check {
  const [first, ...others] = missing;
  const more = others.length > 0 ? ` and ${counted(others.length, "other")}` : "";
  if (first !== undefined)
    return fault(
      "migrations",
      `${first}${more} ${others.length > 0 ? "are" : "is"} not applied`,
      "Run node bin/billow.mjs migrate. Stop the processes of an older version before.",
    );
  if (edited.length > 0)
    return fault(
      "migrations",
      `${edited[0]} was edited after it was applied`,
      "Restore the file of the release. A migration file is never edited.",
    );
  if (unknown.length > 0)
    return warning(
      "migrations",
      `${unknown.at(-1)} was applied by another version of Billow`,
      "Run the version that migrated this database.",
    );
  return ok("migrations", "all migrations are applied");
}

/** The number of stored secret values by the secret that opens them. */
export type SecretCounts = { current: number; previous: number; unknown_key: number; damaged: number };

const CONNECT = "connect the accounts again";
const NEW_PASSWORD =
  "give each person with such a second factor a new password: node bin/billow.mjs team password EMAIL";

/** `values`: keys and webhook secrets of connected accounts. `factors`: second factors of people. */
export function judgeSecrets({ values: keys, factors }: { values: SecretCounts; factors: SecretCounts }): Check {
  const sum = (state: keyof SecretCounts) => keys[state] + factors[state];
  const [current, previous, unknown, damaged] = [sum("current"), sum("previous"), sum("unknown_key"), sum("damaged")];
  /** The remedies of values that stay unreadable. */
  const otherwise = (state: keyof SecretCounts) =>
    [...(keys[state] > 0 ? [CONNECT] : []), ...(factors[state] > 0 ? [NEW_PASSWORD] : [])].join(", and ");
  const values = (count: number, verb = "") =>
    `${counted(count, "stored value")}${verb && ` ${count === 1 ? verb : verb.replace("is", "are")}`}`;
  if (unknown > 0)
    return fault(
      "secrets",
      `${values(unknown, "is")} under a secret that is not given`,
      "Add that secret to BILLOW_SECRET_PREVIOUS and run node bin/billow.mjs secret rotate. " +
        `Or ${otherwise("unknown_key")}.`,
    );
  if (damaged > 0)
    return fault(
      "secrets",
      `${values(damaged, "is")} damaged`,
      `See node bin/billow.mjs secret rotate, and ${otherwise("damaged")}.`,
    );
  if (previous > 0)
    return warning(
      "secrets",
      `${values(previous, "is")} under a previous secret`,
      "Run node bin/billow.mjs secret rotate.",
    );
  return ok("secrets", `${values(current, "is")} under BILLOW_SECRET`);
}

/** `failed`: the number of stored tax ids that fail their check (rule X3). */
export function judgeTaxIds(failed: number): Check {
  return failed === 0
    ? ok("tax_ids", "no stored tax id fails its check")
    : warning(
        "tax_ids",
        `${counted(failed, "stored tax id")} ${failed === 1 ? "fails its" : "fail their"} check`,
        "node bin/billow.mjs tax-ids lists the owners, who are charged tax. Ask them for the right number.",
      );
}

/** The most pairs and users that a line names. */
const MOST_NAMED = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${counted(more, "other")}` : "");
}

/**
 * Customers and users of the dashboard that were two before the forms of an international domain were taken as one.
 * `pairs`: the ids of two Customers with one mailbox. `users`: users that can't sign in, because another one has the
 * mailbox.
 */
export function judgeMailboxes({
  pairs,
  users,
}: {
  pairs: readonly [string, string][];
  users: readonly string[];
}): Check {
  const customers = pairs.map(([id, other]) => `${id} and ${other}`);
  const says = [
    ...(pairs.length > 0
      ? [`${counted(pairs.length, "pair")} of Customers with one mailbox: ${listed(customers)}`]
      : []),
    ...(users.length > 0
      ? [`${counted(users.length, "user")} with the mailbox of another user: ${listed(users)}`]
      : []),
  ];
  if (says.length === 0) return ok("mailboxes", "no two Customers have one mailbox");
  const advice = [
    "Both forms of an international domain are one address.",
    ...(pairs.length > 0
      ? ["Cancel a plan that was bought twice, and give one of the two Customers an externalId."]
      : []),
    ...(users.length > 0 ? ["Invite the user that can sign in to the Organizations of the other one."] : []),
  ];
  return warning("mailboxes", says.join("; "), advice.join(" "));
}
