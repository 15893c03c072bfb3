import type { IncomingMessage } from "node:http";
import { digestOf } from "../actions/secret.ts";
import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import { isSecret, refusalOf } from "../domain/organization/api-key.ts";
import { formatInstant, instant } from "../domain/calendar.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { touchKey, viewKey, type KeyView } from "../store/api-keys.ts";
import { countHeader } from "./headers.ts";

/** The API key of a request. `clock`: the value of `Billow-Clock`, null if the Organization has no own clock. */
export type Key = KeyView & { clock: string | null };

type Entry = { key: Key | null; at: number };

/**
 * The result of a look-up is remembered for this time. A revocation must take effect within one second, and the
 * remaining 100 ms are for the look-up itself.
 */
const MILLISECONDS_KEPT = 900;
const MOST_ENTRIES = 10_000;
const MILLISECONDS_BETWEEN_TOUCHES = 60_000;
/** A longer header can't hold a key. It is refused and not remembered. */
const LONGEST_HEADER = 256;
const BEARER = /^Bearer +(\S+)$/i;

/** 401 with the challenge of RFC 6750. The challenge names an error only if a key was sent. */
function refused(code: Extract<ErrorCode, `api_key_${string}`>): AppError {
  const challenge = code === "api_key_missing" ? "" : ', error="invalid_token"';
  return new AppError(code, { headers: { "WWW-Authenticate": `Bearer realm="billow"${challenge}` } });
}

/**
 * Requests with several Authorization headers are refused: a proxy may have checked a different one than this server.
 */
const isRepeated = (request: IncomingMessage) => countHeader(request, "authorization") > 1;

/**
 * Finds the API key of a request by the Authorization header. Known and unknown keys are remembered for less than a
 * second, counted from the start of the look-up. So every server refuses a revoked key within a second. Times are
 * milliseconds of `performance.now()`.
 */
export class Authenticator {
  readonly #ctx: Pick<Context, "db" | "log">;
  /**
   * Look-up results by the whole Authorization header, so that a fresh entry needs no parsing and no hash. Expired
   * entries stay, since `mustAsk` reads them. If there are too many entries, all are dropped.
   */
  readonly #entries = new Map<string, Entry>();
  readonly #lookUps = new Map<string, Promise<Key | null>>();
  /**
   * Counts the calls of `forget`. A look-up that began before such a call may have read old data, so its result is not
   * remembered.
   */
  #generation = 0;

  constructor(ctx: Pick<Context, "db" | "log">) {
    this.#ctx = ctx;
  }

  /** The key if it is known without a look-up, else undefined. @throws AppError 401 */
  known(request: IncomingMessage, now: number): Key | undefined {
    const header = request.headers.authorization;
    if (header === undefined) throw refused("api_key_missing");
    const entry = this.#entries.get(header);
    if (!entry || now - entry.at > MILLISECONDS_KEPT) return undefined;
    if (isRepeated(request)) throw refused("api_key_invalid");
    return this.#accept(entry.key);
  }

  /**
   * True for a well-formed key that was not good before. A malformed key is refused without the database, and a key
   * that was good before is probably still good.
   */
  mustAsk({ headers: { authorization = "" } }: IncomingMessage): boolean {
    return isSecret(BEARER.exec(authorization)?.[1] ?? "") && !this.#entries.get(authorization)?.key;
  }

  /** @throws AppError 401 if the key is certainly refused, `unavailable` if the database can't be asked. */
  async lookUp(request: IncomingMessage, now: number): Promise<Key> {
    if (isRepeated(request)) throw refused("api_key_invalid");
    const header = request.headers.authorization ?? "";
    const secret = header.length > LONGEST_HEADER ? undefined : BEARER.exec(header)?.[1];
    if (secret === undefined) throw refused(/^Bearer +\S/i.test(header) ? "api_key_invalid" : "api_key_missing");
    if (!isSecret(secret)) throw refused("api_key_invalid");
    let lookUp = this.#lookUps.get(header);
    if (!lookUp) {
      lookUp = this.#ask(header, secret, now).finally(() => this.#lookUps.delete(header));
      this.#lookUps.set(header, lookUp);
    }
    return this.#accept(await lookUp);
  }

  /** Forgets the keys of an Organization, so that the next request reads them and the Organization's data anew. */
  forget(organizationId: string): void {
    this.#generation += 1;
    this.#lookUps.clear();
    for (const [header, { key }] of this.#entries) {
      if (key?.organization.id === organizationId) this.#entries.delete(header);
    }
  }

  #accept(key: Key | null): Key {
    if (!key) throw refused("api_key_invalid");
    if (key.expiresAt === null && key.revokedAt === null) return key;
    const refusal = refusalOf(key, realNow());
    if (refusal) throw refused(refusal);
    return key;
  }

  async #ask(header: string, secret: string, now: number): Promise<Key | null> {
    const generation = this.#generation;
    const view = await viewKey(this.#ctx.db.read, digestOf(secret));
    const clockAt = view?.organization.clockAt ?? null;
    const key = view && { ...view, clock: clockAt === null ? null : formatInstant(clockAt) };
    if (this.#entries.size >= MOST_ENTRIES) this.#entries.clear();
    if (generation === this.#generation) this.#entries.set(header, { key, at: now });
    if (view && !refusalOf(view, realNow())) this.#touch(view);
    return key;
  }

  /** Writes `lastUsedAt` in the background. If the write is lost, a later look-up writes again. */
  #touch({ keyId, lastUsedAt }: KeyView): void {
    const now = realNow();
    if (lastUsedAt !== null && now - lastUsedAt < MILLISECONDS_BETWEEN_TOUCHES) return;
    const { db, log } = this.#ctx;
    db.tx((tx) => touchKey(tx, keyId, instant(now))).catch((err: unknown) =>
      log.debug({ err }, "lastUsedAt was not written"),
    );
  }
}
