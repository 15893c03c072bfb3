import { reasonOf } from "../errors.ts";

/** Node's codes of a connection that failed, in words. PostgreSQL's own refusals are sentences already. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server listens there",
  ECONNRESET: "the connection was broken off",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name can't be looked up at the moment",
  EHOSTUNREACH: "no route leads to the host",
  ENETUNREACH: "no route leads to the network",
  ETIMEDOUT: "no answer came in time",
  ENOENT: "the socket does not exist",
};

/** Several addresses of one host fail together. */
function causeOf(cause: unknown): string {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return WORDS[(first as NodeJS.ErrnoException | undefined)?.code ?? ""] ?? reasonOf(cause);
}

/** Host, port and name of a database, without user and password. */
function nameOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get("host") ?? (url.hostname || "localhost");
  const name = decodeURIComponent(url.pathname.slice(1)) || url.username;
  // A host that is a path is the directory of a unix socket.
  return `${name} at ${host.startsWith("/") ? host : `${host}:${url.port || 5432}`}`;
}

/**
 * Which database does not answer and why, without an article and a full stop. `databaseUrl`: the setting; null: the
 * embedded database.
 */
export function whyUnreachable(databaseUrl: string | null, cause: unknown): string {
  const database = databaseUrl === null ? "embedded database" : `database ${nameOf(databaseUrl)}`;
  return `${database} can't be reached: ${causeOf(cause)}`;
}

/** As `whyUnreachable`, as one line with the remedy. */
export function unreachable(databaseUrl: string | null, cause: unknown): string {
  return `The ${whyUnreachable(databaseUrl, cause)}.${databaseUrl === null ? "" : " Check DATABASE_URL."}`;
}
