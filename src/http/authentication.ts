import type { IncomingMessage } from "node:http";
import { digestOf } from "../actions/secret.ts";
import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import { isSecret, refusalOf } from "../domain/organization/api-key.ts";
import { formatInstant, instant } from "../domain/calendar.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { touchKey, viewKey, type KeyView } from "../store/api-keys.ts";
import { countHeader } from "./headers.ts";

/** A key that a request came with. `clock`: what stands in `Billow-Clock`, null without a clock of its own. */
export type Key = KeyView & { clock: string | null };

type Entry = { key: Key | null; at: number };

/** Below the second in which a revocation has to be in force, with time to spare for the look-up itself. */
const MILLISECONDS_KEPT = 900;
const MOST_ENTRIES = 10_000;
const MILLISECONDS_BETWEEN_TOUCHES = 60_000;
/** Longer ones are no key, and are not remembered. */
const LONGEST_HEADER = 256;
const BEARER = /^Bearer +(\S+)$/i;

/** 401 with the challenge of RFC 6750; an error is only named to who has tried a key. */
function refused(code: Extract<ErrorCode, `api_key_${string}`>): AppError {
  const challenge = code === "api_key_missing" ? "" : ', error="invalid_token"';
  return new AppError(code, { headers: { "WWW-Authenticate": `Bearer realm="billow"${challenge}` } });
}

/** Which of several a proxy before us looked at can't be known. */
const isRepeated = (request: IncomingMessage) => countHeader(request, "authorization") > 1;

/**
 * Who calls, by the Authorization header. Known and unknown keys are remembered for less than a second, counted from the start of
 * the look-up, so that what is revoked anywhere is refused here within one. Times are milliseconds of `performance.now()`.
 */
export class Authenticator {
  readonly #ctx: Pick<Context, "db" | "log">;
  /** By the whole header, so that nothing is parsed or hashed while it is fresh. Old entries of good keys stay until there are too many. */
  readonly #entries = new Map<string, Entry>();
  readonly #lookUps = new Map<string, Promise<Key | null>>();
  /** Counts `forget`: what was looked up before may be what is to be forgotten. */
  #generation = 0;

  constructor(ctx: Pick<Context, "db" | "log">) {
    this.#ctx = ctx;
  }

  /** The key as far as it is known without a look-up; undefined: it has to be looked up. @throws AppError 401 */
  known(request: IncomingMessage, now: number): Key | undefined {
    const header = request.headers.authorization;
    if (header === undefined) throw refused("api_key_missing");
    const entry = this.#entries.get(header);
    if (!entry || now - entry.at > MILLISECONDS_KEPT) return undefined;
    if (isRepeated(request)) throw refused("api_key_invalid");
    return this.#verdict(entry.key);
  }

  /** Whether only the database can tell: what is no key is refused without it, and a key that was good once is likely so again. */
  mustAsk({ headers: { authorization = "" } }: IncomingMessage): boolean {
    return isSecret(BEARER.exec(authorization)?.[1] ?? "") && !this.#entries.get(authorization)?.key;
  }

  /** @throws AppError 401 for a certain verdict, `unavailable` when the database can't be asked. */
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
    return this.#verdict(await lookUp);
  }

  /** The keys of an Organization, and what they tell of it, are asked for anew. */
  forget(organizationId: string): void {
    this.#generation += 1;
    this.#lookUps.clear();
    for (const [header, { key }] of this.#entries) {
      if (key?.organization.id === organizationId) this.#entries.delete(header);
    }
  }

  #verdict(key: Key | null): Key {
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

  /** Off the request's way: nobody waits for it, and one that is lost is written by a later look-up. */
  #touch({ keyId, lastUsedAt }: KeyView): void {
    const now = realNow();
    if (lastUsedAt !== null && now - lastUsedAt < MILLISECONDS_BETWEEN_TOUCHES) return;
    const { db, log } = this.#ctx;
    db.tx((tx) => touchKey(tx, keyId, instant(now))).catch((err: unknown) => log.debug({ err }, "lastUsedAt was not written"));
  }
}
