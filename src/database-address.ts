import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext, getCACertificates, type ConnectionOptions } from "node:tls";
import { didYouMean, nearest } from "./suggestion.ts";

/** A server of a database: a host name, an address or the directory of a unix socket. */
export type Host = { host: string; port: number };

/** A server that takes writes, or a replica. */
export type Needed = "writes" | "replica";

/** A parsed `DATABASE_URL` or `DATABASE_READ_URL`. A part that is left out is undefined, and the driver decides. */
export type DatabaseAddress = {
  /** In the order in which the hosts are tried. */
  hosts: readonly Host[];
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  /** PostgreSQL's own options, such as `-c search_path=billing`. */
  options: string | undefined;
  applicationName: string | undefined;
  /** How a host is reached over TCP, in the order in which the ways are tried. False: without TLS. */
  tls: readonly (ConnectionOptions | false)[];
  /** Which servers are used, and which are passed over; null: each is used. */
  needs: Needed | null;
  bindsChannel: boolean;
};

/** A wrong address. The message is one line for the operator, without user and password. */
export class AddressError extends Error {}

const DEFAULT_PORT = 5432;
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];
/** The values of libpq that have a use, by the needed server. */
const TARGETS = { writes: ["any", "read-write", "primary"], replica: ["any", "standby"] } as const;

/** The parameters that have an effect here, by the variable that stands in for a missing one. */
const PARAMETERS: Readonly<Record<string, string | null>> = {
  host: "PGHOST",
  port: "PGPORT",
  user: null,
  password: null,
  dbname: null,
  options: null,
  application_name: null,
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  target_session_attrs: "PGTARGETSESSIONATTRS",
  channel_binding: null,
};
/** Addresses from providers and other tools have these. Billow has its own time limits. */
const WITHOUT_EFFECT = new Set([
  "client_encoding",
  "connect_timeout",
  "fallback_application_name",
  "gssencmode",
  "keepalives",
  "keepalives_count",
  "keepalives_idle",
  "keepalives_interval",
  "pgbouncer",
  "tcp_user_timeout",
  "uselibpqcompat",
]);

type Parameters = ReadonlyMap<string, string>;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError(
      "DATABASE_URL has a % without two hexadecimal digits of UTF-8 after it: the character % itself is written %25.",
    );
  }
}

const listed = (words: readonly string[]) => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  const question = didYouMean(nearest(text, words));
  throw new AddressError(`In DATABASE_URL, ${name} must be ${listed(words)}.${question}`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of libpq that stand in for parameters. */
function readVariables(environment: Environment): Parameters {
  const pairs = Object.entries(PARAMETERS).map(
    ([name, variable]) => [name, variable && environment[variable]] as const,
  );
  return new Map(pairs.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

function readParameters(query: string): Parameters {
  const found = new Map<string, string>();
  for (const part of query.split("&").filter(Boolean)) {
    const [name = "", ...rest] = part.split("=").map((each) => decoded(each.replaceAll("+", " ")));
    const value = rest.join("=");
    if (name === "ssl") found.set("sslmode", /^(true|1)$/.test(value) ? "require" : "disable");
    else if (Object.hasOwn(PARAMETERS, name)) found.set(name, value);
    else if (!WITHOUT_EFFECT.has(name)) {
      const question = didYouMean(nearest(name, Object.keys(PARAMETERS)));
      throw new AddressError(`DATABASE_URL has the unknown parameter ${JSON.stringify(name)}.${question}`);
    }
  }
  return found;
}

/** Splits `a:1,[::1]:2,c`. An empty text has no host. */
function readAuthority(text: string): { hosts: string[]; ports: string[] } {
  const parts = text === "" ? [] : text.split(",");
  const found = parts.map((part) => /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(part));
  if (found.includes(null))
    throw new AddressError(
      "In DATABASE_URL, a host must look like host:5432. In user and password, : is %3A, @ is %40 and / is %2F.",
    );
  return {
    hosts: found.map((match) => decoded(match![1]!).replace(/^\[(.*)\]$/, "$1")),
    ports: found.map((match) => match![2] ?? ""),
  };
}

function toPort(text: string): number {
  const port = text === "" ? DEFAULT_PORT : /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new AddressError("In DATABASE_URL, a port must be a number from 1 to 65535.");
}

/**
 * The hosts of the parameters `host` and `port`, or else of the authority, or else of the variables. All three may be
 * lists.
 */
function readHosts(authority: string, parameters: Parameters, variables: Parameters): Host[] {
  const written = readAuthority(authority);
  const choose = (name: string, ofAuthority: string[]): string[] => {
    const given = parameters.get(name);
    if (given === undefined && ofAuthority.some((each) => each !== "")) return ofAuthority;
    return (given ?? variables.get(name) ?? "").split(",").map((each) => each.trim());
  };
  const [hosts, ports] = [choose("host", written.hosts), choose("port", written.ports)];
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new AddressError(`DATABASE_URL has ${hosts.length} hosts, but ${ports.length} ports.`);
  return hosts.map((host, n) => ({
    host: host === "" ? "localhost" : host,
    port: toPort(ports.length === 1 ? ports[0]! : ports[n]!),
  }));
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new AddressError(`The file of ${name} in DATABASE_URL can't be read: ${(error as Error).message}.`);
  }
}

/** The certificates that a server's certificate is checked against; undefined: not checked, or the ones of Node. */
function readRoots(path: string | undefined): string[] | undefined {
  if (path === undefined) return undefined;
  if (path === "system") return [...getCACertificates("system"), ...getCACertificates("bundled")];
  const text = readPem("sslrootcert", path);
  try {
    const roots = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const read = roots.map((root) => new X509Certificate(root).toString());
    if (read.length > 0) return read;
  } catch {
    // A text that is no certificate is refused below.
  }
  throw new AddressError("The file of sslrootcert in DATABASE_URL holds no certificate (PEM).");
}

/** The certificate and the key of the client, if the address names them. */
function readIdentity(parameters: Parameters): Pick<ConnectionOptions, "cert" | "key"> {
  const [cert, key] = [parameters.get("sslcert"), parameters.get("sslkey")];
  if ((cert === undefined) !== (key === undefined))
    throw new AddressError("DATABASE_URL has only one of sslcert and sslkey. A client's certificate needs both.");
  if (cert === undefined || key === undefined) return {};
  const identity = { cert: readPem("sslcert", cert), key: readPem("sslkey", key) };
  try {
    createSecureContext(identity);
  } catch {
    throw new AddressError("The files of sslcert and sslkey in DATABASE_URL are no certificate and its key (PEM).");
  }
  return identity;
}

/**
 * The meaning of `sslmode` is that of libpq: `require` encrypts without a look at the certificate, unless `sslrootcert`
 * names an authority. `verify-ca` wants a certificate of this authority, `verify-full` also one for this host.
 */
function readTls(parameters: Parameters): (ConnectionOptions | false)[] {
  const rootcert = parameters.get("sslrootcert");
  const isSystem = rootcert === "system";
  const mode: Mode = oneOf("sslmode", parameters.get("sslmode") ?? (isSystem ? "verify-full" : "prefer"), MODES);
  if (mode === "disable") return [false];
  if (isSystem && mode !== "verify-full")
    throw new AddressError("In DATABASE_URL, sslrootcert=system needs sslmode=verify-full.");
  const roots = readRoots(rootcert);
  const checks = roots !== undefined || mode.startsWith("verify");
  const encrypted: ConnectionOptions = {
    ...readIdentity(parameters),
    ...(roots && { ca: roots }),
    rejectUnauthorized: checks,
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
  if (mode === "prefer") return [encrypted, false];
  return mode === "allow" ? [false, encrypted] : [encrypted];
}

/**
 * Reads an address as libpq does. `environment`: the variables of libpq that stand in for missing parameters. Reads the
 * files of certificates. `needed`: the server that is taken of several hosts.
 * @throws AddressError that calls the setting DATABASE_URL
 */
export function parseAddress(text: string, environment: Environment = {}, needed: Needed = "writes"): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new AddressError("DATABASE_URL must be a postgres:// address.");
  const match = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text);
  if (!match)
    throw new AddressError(
      "DATABASE_URL is no address of the form postgres://user:password@host:5432/database. " +
        "In user and password, / is %2F, ? is %3F, # is %23 and @ is %40.",
    );
  const [, credentials = "", authority = "", name = "", query = ""] = match;
  const [user = "", ...password] = credentials.split(":");
  const variables = readVariables(environment);
  const given = readParameters(query);
  const parameters = new Map([...variables, ...given]);
  const part = (written: string, parameter: string) => decoded(written) || parameters.get(parameter) || undefined;
  const hosts = readHosts(authority, given, variables);
  // The variable is about the server that takes the writes.
  const targets = needed === "writes" ? parameters : given;
  const target = oneOf("target_session_attrs", targets.get("target_session_attrs") ?? "any", TARGETS[needed]);
  return {
    hosts,
    user: part(user, "user"),
    password: part(password.join(":"), "password"),
    database: part(name, "dbname"),
    options: parameters.get("options"),
    applicationName: parameters.get("application_name"),
    tls: readTls(parameters),
    // Of several servers, the first that is as needed is the one that Billow can use.
    needs: target !== "any" || hosts.length > 1 ? needed : null,
    bindsChannel: parameters.get("channel_binding") === "require",
  };
}

/** The hosts and the name of a database, without user and password. */
export function nameOf({ hosts, database, user }: DatabaseAddress): string {
  const shown = hosts.map(({ host, port }) => {
    // A host that is a path is the directory of a unix socket.
    if (host.startsWith("/")) return host;
    return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  });
  const name = database ?? user;
  return `${name === undefined ? "" : `${name} at `}${shown.join(", ")}`;
}
