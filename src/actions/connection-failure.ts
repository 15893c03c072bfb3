import { nameOf, type DatabaseAddress } from "../database-address.ts";
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
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is signed by itself, and sslrootcert does not name it",
  SELF_SIGNED_CERT_IN_CHAIN: "the authority of the server's certificate is not the one of sslrootcert",
  UNABLE_TO_GET_ISSUER_CERT: "the authority of the server's certificate is not the one of sslrootcert",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the authority of the server's certificate is not the one of sslrootcert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the authority of the server's certificate is not the one of sslrootcert",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
};
/** The driver has no codes for these. */
const SENTENCES: readonly [RegExp, string][] = [
  [/does not support SSL connections/, "the server offers no TLS, which sslmode wants"],
  [/error establishing an SSL connection/, "the server answers the request for TLS with an error"],
  [/client password must be a string/, "the server wants a password, and the address has none"],
];

/** Several addresses of one host fail together. */
function causeOf(cause: unknown): string {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  const { code, message } = (first ?? {}) as Partial<NodeJS.ErrnoException>;
  const sentence = SENTENCES.find(([pattern]) => pattern.test(message ?? ""))?.[1];
  return WORDS[code ?? ""] ?? sentence ?? reasonOf(cause);
}

/**
 * Which database does not answer and why, without an article and a full stop. `address`: that of DATABASE_URL; null:
 * the embedded database.
 */
export function whyUnreachable(address: DatabaseAddress | null, cause: unknown): string {
  const database = address === null ? "embedded database" : `database ${nameOf(address)}`;
  return `${database} can't be reached: ${causeOf(cause)}`;
}

/** As `whyUnreachable`, as one line with the remedy. */
export function unreachable(address: DatabaseAddress | null, cause: unknown): string {
  return `The ${whyUnreachable(address, cause)}.${address === null ? "" : " Check DATABASE_URL."}`;
}
