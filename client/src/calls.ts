import { ApiError } from "./errors.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";

export interface Page<Item> {
  data: Item[];
  /** Null: there is no further page. */
  nextCursor: string | null;
}

/** `await` the list for one page, or `for await` over the items of all pages. */
export type List<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

/** Reads take no Idempotency-Key. */
export type ReadOptions = Pick<CallOptions, "signal">;

/** The calls of one API. */
export class Calls {
  readonly #transport: Transport;
  readonly #baseUrl: () => string;
  readonly #advice: string | undefined;

  /** `baseUrl`: throws if the address is missing. `advice`: added to the message of a 403. */
  constructor(transport: Transport, baseUrl: () => string, advice?: string) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
    this.#advice = advice;
  }

  read<T>(path: string, options: ReadOptions = {}): Promise<T> {
    return this.#send<T>({ method: "GET", path, options });
  }

  /** As `read`, with a query. */
  find<T>(path: string, params: object, options?: ReadOptions): Promise<T> {
    return this.read<T>(path + query(params), options);
  }

  async file(path: string, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    const read = async (response: Response) => new Uint8Array(await response.arrayBuffer());
    const call = { method: "GET", url: this.#baseUrl() + path, headers: {}, body: null, signal } as const;
    return this.#transport.send({ ...call, read, advice: this.#advice }) as Promise<Uint8Array>;
  }

  list<Item>(path: string, params: object & { cursor?: string }, options?: ReadOptions): List<Item> {
    const page = (cursor = params.cursor) => this.read<Page<Item>>(`${path}${query({ ...params, cursor })}`, options);
    const first = page();
    return Object.assign(first, {
      async *[Symbol.asyncIterator]() {
        for (let current = await first; ; current = await page(current.nextCursor ?? undefined)) {
          yield* current.data;
          if (!current.nextCursor) return;
        }
      },
    });
  }

  /** The item of a list with this key. @throws ApiError `not_found`, as for an unknown id. */
  async byKey<Item>(path: string, key: string, options?: ReadOptions): Promise<Item> {
    const { data } = await this.list<Item>(path, { key } as object, options);
    if (data[0] !== undefined) return data[0];
    throw new ApiError(`not_found: ${path} has no key ${JSON.stringify(key)}`, { status: 404, code: "not_found" });
  }

  async write<T>(method: "POST" | "PATCH", path: string, params: object | null, options: CallOptions = {}): Promise<T> {
    const { idempotencyKey = randomKey() } = options;
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
      throw new TypeError("idempotencyKey must be 1 to 255 printable ASCII characters");
    return this.#send<T>({ method, path, params, options, headers: { "Idempotency-Key": idempotencyKey } });
  }

  replace<T>(path: string, params: object, options: ReadOptions = {}): Promise<T> {
    return this.#send<T>({ method: "PUT", path, params, options });
  }

  /** Answers `undefined` if the answer has no body. */
  remove<T>(path: string, params: object, options: ReadOptions = {}): Promise<T> {
    return this.#send<T>({ method: "DELETE", path: `${path}${query(params)}`, options });
  }

  async #send<T>({ method, path, params = null, options, headers = {} }: Sent): Promise<T> {
    return this.#transport.send({
      method,
      url: this.#baseUrl() + path,
      headers: { Accept: "application/json", ...(params && { "Content-Type": "application/json" }), ...headers },
      body: params && JSON.stringify(params),
      signal: options.signal,
      read: readJson,
      advice: this.#advice,
    }) as Promise<T>;
  }
}

interface Sent {
  method: Call["method"];
  path: string;
  params?: object | null;
  options: ReadOptions;
  headers?: Record<string, string>;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.status === 204 ? undefined : JSON.parse(text);
}

/** A path with its ids encoded. @throws TypeError if an id is not a text with characters */
export function at(parts: TemplateStringsArray, ...ids: string[]): string {
  const wrong = ids.findIndex((id) => typeof id !== "string" || id === "");
  if (wrong >= 0) {
    const [, resource = ""] = parts[wrong]!.split("/");
    const id: unknown = ids[wrong];
    const given = typeof id === "object" && id !== null ? "an object: pass its id" : id === "" ? "empty" : String(id);
    throw new TypeError(`${String.raw({ raw: parts }, ...ids.map(() => "{id}"))}: the id of ${resource} is ${given}`);
  }
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}

function query(params: object): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The key must be unique but not secret. Node 18 has no global `crypto`. */
function randomKey(): string {
  return globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}-${Math.random()}`;
}
