import { ConnectionError, errorFor } from "./errors.ts";
import type { BillowError } from "./errors.ts";

export type ApiKey = string | (() => string | Promise<string>);

export interface TransportOptions {
  /** Attempts a call may take, the first one included. Default 4. */
  maxAttempts?: number | undefined;
  /** The limit of one attempt, its body included. Default 30 000. */
  timeoutMs?: number | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The option that has the key, and the scope that the key needs. */
export interface KeyOption {
  name: "apiKey" | "manageKey";
  scope: "public" | "manage";
}

export interface CallOptions {
  /** Ends the call at once, at any stage. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * For a POST or PATCH: 1–255 printable ASCII characters. By default, each call gets a new key. All attempts of a
   * call send the same key. Reads send no key.
   */
  idempotencyKey?: string | undefined;
}

export interface Call extends Pick<CallOptions, "signal"> {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** Reads the value of a success. */
  read(response: Response): Promise<unknown>;
  /** Added to the message of a 403. */
  advice?: string | undefined;
}

/** `retryAfterMs` is present if another attempt may help. It is the shortest wait that the server asks for. */
type Outcome = { value: unknown } | { error: BillowError; retryAfterMs?: number };

/** Full jitter: each wait is a random part of a ceiling that doubles. */
const FIRST_CEILING_MS = 250;
const LAST_CEILING_MS = 8_000;
/** The longest wait, even if the server asks for an hour: no caller expects to hang for longer than a minute. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** With a longer delay, `setTimeout` fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Sends calls, repeats them after transient failures, and stops after a refused key. */
export class Transport {
  readonly #keyOption: KeyOption;
  readonly #maxAttempts: number;
  readonly #timeoutMs: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  #apiKey: ApiKey = "";
  /** The key that was last set or returned. If the server refuses this key, the client stops. */
  #currentKey: string | undefined;
  /** The refusals by key. A refused key is never sent again. */
  readonly #refusals = new Map<string, BillowError>();
  /** Ends the back-off of each call that waits for its next attempt. */
  readonly #waiting = new Set<(refusal: BillowError) => void>();

  constructor(
    apiKey: ApiKey | undefined,
    keyOption: KeyOption,
    { maxAttempts = 4, timeoutMs = 30_000, fetch }: TransportOptions,
  ) {
    if (!Number.isInteger(maxAttempts) || maxAttempts < 1)
      throw new RangeError("maxAttempts must be a whole number from 1");
    if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS))
      throw new RangeError(`timeoutMs must be in 1..${LONGEST_TIMEOUT_MS}`);
    this.#keyOption = keyOption;
    this.#maxAttempts = maxAttempts;
    this.#timeoutMs = timeoutMs;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    // A missing key is refused at the first call.
    if (apiKey) this.setApiKey(apiKey);
  }

  setApiKey(apiKey: ApiKey): void {
    this.#currentKey = typeof apiKey === "function" ? undefined : checkedKey(apiKey, this.#keyOption);
    this.#apiKey = apiKey;
  }

  async send(call: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const key = await untilAborted(this.#readKey(), call.signal);
      const refusal = this.#refusals.get(key);
      if (refusal) throw refusal;
      const outcome = await this.#attempt(call, key);
      if ("value" in outcome) return outcome.value;
      // The answer to the earlier attempt was lost, and that attempt deleted the resource.
      if (call.method === "DELETE" && attempt > 1 && outcome.error.status === 404) return undefined;
      if (outcome.retryAfterMs === undefined || attempt === this.#maxAttempts) throw outcome.error;
      await this.#backOff(attempt, outcome.retryAfterMs, call.signal);
    }
  }

  async #readKey(): Promise<string> {
    const apiKey = this.#apiKey;
    if (typeof apiKey !== "function") return checkedKey(apiKey, this.#keyOption);
    const key = checkedKey(await apiKey(), this.#keyOption);
    if (apiKey === this.#apiKey) this.#currentKey = key;
    return key;
  }

  /** One attempt, which ends at its time-out or at the caller's signal. */
  async #attempt(call: Call, key: string): Promise<Outcome> {
    call.signal?.throwIfAborted();
    const end = new AbortController();
    const abort = () => end.abort(call.signal?.reason);
    const timer = setTimeout(() => end.abort(new Error(`no answer within ${this.#timeoutMs} ms`)), this.#timeoutMs);
    call.signal?.addEventListener("abort", abort);
    try {
      return await this.#exchange(call, key, end.signal);
    } catch (cause) {
      call.signal?.throwIfAborted();
      return {
        error: new ConnectionError(`${call.method} ${call.url}: ${reasonOf(cause, call.url)}`, { cause }),
        retryAfterMs: 0,
      };
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", abort);
    }
  }

  async #exchange(call: Call, key: string, signal: AbortSignal): Promise<Outcome> {
    const { method, url, body, advice } = call;
    const headers = { ...call.headers, Authorization: `Bearer ${key}` };
    const send = this.#fetch;
    const response = await untilAborted(send(url, { method, headers, body, redirect: "manual", signal }), signal);
    if (response.ok) return { value: await untilAborted(call.read(response), signal) };

    // The body of an error may never come, so a 401 takes effect before it.
    if (response.status === 401) this.#refuse(key, errorFor(response, url));
    const text = await untilAborted(response.text(), signal).catch(() => {
      call.signal?.throwIfAborted();
      return "";
    });
    const error = errorFor(response, url, text, advice);
    if (response.status === 401) this.#refuse(key, error);
    return isTransient(error) ? { error, retryAfterMs: retryAfterMs(response.headers) } : { error };
  }

  /** Refusing an older key ends only the calls that sent it, since the current key was not refused. */
  #refuse(key: string, refusal: BillowError): void {
    this.#refusals.set(key, refusal);
    if (key === this.#currentKey) for (const abandon of this.#waiting) abandon(refusal);
  }

  async #backOff(attempt: number, leastMs: number, signal: AbortSignal | undefined): Promise<void> {
    const refusal = this.#currentKey !== undefined && this.#refusals.get(this.#currentKey);
    if (refusal) throw refusal;
    const jitterMs = Math.random() * Math.min(FIRST_CEILING_MS * 2 ** (attempt - 1), LAST_CEILING_MS);
    let end = () => {};
    const wait = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, leastMs + jitterMs);
      this.#waiting.add(reject);
      end = () => {
        clearTimeout(timer);
        this.#waiting.delete(reject);
      };
    });
    await untilAborted(wait, signal).finally(end);
  }
}

/** Codes of Node for a server that is not there. */
const NOT_THERE = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;

/** The innermost reason, since `fetch` says only "fetch failed". If several addresses fail, the first one is named. */
function reasonOf(cause: unknown, url: string): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0], url);
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return reasonOf(cause.cause, url);
  const isAbsent = "code" in cause && NOT_THERE.test(String(cause.code));
  return isAbsent
    ? `${cause.message}. Is Billow running at ${new URL(url).origin}, the address of baseUrl?`
    : cause.message;
}

/** Refuses a key that can't be sent. `fetch` would report a network failure with the key in its message. */
function checkedKey(key: string | undefined, { name, scope }: KeyOption): string {
  if (!key)
    throw new TypeError(
      `${name} is missing. If ${name} comes from a variable of the environment, set the variable. ` +
        `Make a key in Billow's folder: node bin/billow.mjs keys create --scope ${scope}`,
    );
  if (typeof key !== "string") throw new TypeError(`${name} must be a text, not a value of the type ${typeof key}`);
  const strange = /[^\x21-\x7e]/u.exec(key);
  if (strange)
    throw new TypeError(
      `${name} has the character ${JSON.stringify(strange[0])}, which no key has. ` +
        "Copy the whole key, as `npm start` or `node bin/billow.mjs keys create` printed it",
    );
  return key;
}

function isTransient({ status = 0, code }: BillowError): boolean {
  return status >= 500 || status === 429 || (status === 409 && code === "idempotency_in_progress");
}

/** `Retry-After` is seconds or a date. A date is compared with the server's own clock. */
function retryAfterMs(headers: Headers): number {
  const value = headers.get("retry-after") ?? "";
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Math.min(Math.max(ms || 0, 0), LONGEST_RETRY_AFTER_MS);
}

/** Settles as `work` does. Rejects with the signal's reason once the signal is aborted, even if `work` ignores it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
