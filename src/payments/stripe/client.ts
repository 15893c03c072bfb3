import { requestSpan, traced, type Span } from "../../tracing/tracing.ts";
import { ProviderBusy } from "../limits.ts";
import type { Intent } from "./objects.ts";

/** The version of Stripe's API that each request names. The types in `objects.ts` are those of this version. */
export const API_VERSION = "2026-08-26.dahlia";

/** The longest duration of one call of the adapter, with all its requests, in milliseconds: a bank may take 30 s. */
export const DEADLINE_MILLISECONDS = 30_000;
/** The pause after a 429 that names no pause. */
const PAUSE_MILLISECONDS = 1_000;

/** The parameters of a request. `null` and `undefined` are left out. An empty string unsets a field at Stripe. */
export type Form = { readonly [name: string]: FormValue };
export type FormValue = string | number | boolean | null | undefined | Form | readonly (string | Form)[];

/** The `error` of a 4xx answer: Stripe did not do what was asked. `intent`: the intent as it is after the request. */
export class StripeFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
  readonly adviceCode: string | null;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly intent: Intent | null;

  constructor(status: number, requestId: string | null, error: ErrorBody) {
    super(error.message ?? `Stripe answered ${status}`);
    this.status = status;
    this.type = error.type ?? "";
    this.code = error.code ?? null;
    this.declineCode = error.decline_code ?? null;
    this.adviceCode = error.advice_code ?? null;
    this.param = error.param ?? null;
    this.requestId = requestId;
    this.intent = error.payment_intent ?? error.setup_intent ?? null;
  }
}

type ErrorBody = {
  type?: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  message?: string;
  payment_intent?: Intent;
  setup_intent?: Intent;
};

/**
 * No clear answer: the request may or may not have been carried out. `isStored`: the answer was a 5xx, which Stripe
 * repeats for the Idempotency-Key.
 */
export class Unanswered extends Error {
  readonly isStored: boolean;
  constructor(message: string, { isStored = false, cause }: { isStored?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isStored = isStored;
  }
}

/** The requests of one call of the adapter, which have one time limit together. */
export type Api = {
  /**
   * @throws StripeFault for a 4xx, ProviderBusy for a 429, Unanswered in all other cases. No request is ever repeated
   *   here: each caller knows whether a repetition is safe.
   */
  get<T>(path: string, params?: Form): Promise<T>;
  post<T>(path: string, params: Form, idempotencyKey?: string): Promise<T>;
  delete(path: string): Promise<void>;
};

export type Client = { begin(): Api };

function* pairs(value: FormValue, name: string): Generator<[string, string]> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") yield [name, String(value)];
  else for (const [inner, each] of Object.entries(value)) yield* pairs(each as FormValue, `${name}[${inner}]`);
}

/** The parameters as Stripe reads them: `a[b][0]=c`. */
export function encodeForm(form: Form): string {
  const fields = Object.entries(form).flatMap(([name, value]) => [...pairs(value, name)]);
  return new URLSearchParams(fields).toString();
}

/** A server on this machine is reached without TLS: a test's, or a proxy. */
function checkBase(baseUrl: string): URL {
  const base = new URL(baseUrl);
  const isLocal = base.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(base.hostname);
  if (base.protocol === "https:" || isLocal) return base;
  throw new Error(`requests to ${base.origin} would send the key of a payment provider without TLS`);
}

type ClientSettings = { baseUrl: string; key: string; deadline: number; now: () => number };

/**
 * A client for one key. `baseUrl`: the origin of the API; all requests go there, and no redirect is followed.
 * `deadline`: the longest duration of one call in milliseconds.
 */
export function openClient({ baseUrl, key, deadline, now }: ClientSettings): Client {
  const base = checkBase(baseUrl);
  const headers = { authorization: `Bearer ${key}`, "stripe-version": API_VERSION };

  async function exchange(signal: AbortSignal, path: string, request: RequestInit): Promise<Reply> {
    const ask = async (span: Span): Promise<Reply> => {
      const response = await fetch(new URL(path, base), { ...request, signal, redirect: "manual" });
      span.set({ "http.response.status_code": response.status });
      if (response.status >= 400) span.fail(String(response.status));
      return { response, text: await response.text() };
    };
    try {
      return await traced(() => requestSpan(request.method!, base), ask);
    } catch (cause) {
      throw new Unanswered(`no answer to ${request.method} ${path.split("?")[0]}`, { cause });
    }
  }

  return {
    begin() {
      const signal = AbortSignal.timeout(deadline);
      const until = now() + deadline;
      async function send<T>(path: string, request: RequestInit): Promise<T> {
        // A process that was frozen sends nothing when it wakes: its place was taken long ago.
        if (signal.aborted || now() > until) throw new Unanswered("the time of this call is over");
        return read<T>(await exchange(signal, path, request));
      }
      return {
        get(path, params = {}) {
          const query = encodeForm(params);
          return send(query === "" ? path : `${path}?${query}`, { method: "GET", headers });
        },
        post(path, params, idempotencyKey) {
          const named = idempotencyKey === undefined ? headers : { ...headers, "idempotency-key": idempotencyKey };
          const type = { "content-type": "application/x-www-form-urlencoded" };
          return send(path, { method: "POST", headers: { ...named, ...type }, body: encodeForm(params) });
        },
        delete: (path) => send(path, { method: "DELETE", headers }),
      };
    },
  };
}

type Reply = { response: Response; text: string };

function read<T>({ response, text }: Reply): T {
  const { status } = response;
  if (status === 429) throw new ProviderBusy(pauseOf(response));
  if (status >= 500) throw new Unanswered(`Stripe answered ${status}`, { isStored: true });
  const body = parse(text);
  if (status >= 200 && status < 300) return body as T;
  // A 409 means that another request holds the Idempotency-Key or the object: its outcome is not known yet.
  if (status === 409 || status < 400) throw new Unanswered(`Stripe answered ${status}`);
  throw new StripeFault(status, response.headers.get("request-id"), (body as { error?: ErrorBody }).error ?? {});
}

function parse(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body;
  } catch {
    // Falls through: a proxy's page instead of Stripe's JSON.
  }
  throw new Unanswered("the answer of Stripe can't be read");
}

function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : PAUSE_MILLISECONDS;
}
