import type { CallOptions, Transport } from "./transport.ts";
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
export declare class Calls {
    #private;
    /** `baseUrl`: throws if the address is missing. `advice`: added to the message of a 403. */
    constructor(transport: Transport, baseUrl: () => string, advice?: string);
    read<T>(path: string, options?: ReadOptions): Promise<T>;
    /** As `read`, with a query. */
    find<T>(path: string, params: object, options?: ReadOptions): Promise<T>;
    file(path: string, { signal }?: ReadOptions): Promise<Uint8Array>;
    list<Item>(path: string, params: object & {
        cursor?: string;
    }, options?: ReadOptions): List<Item>;
    /** The item of a list with this key. @throws ApiError `not_found`, as for an unknown id. */
    byKey<Item>(path: string, key: string, options?: ReadOptions): Promise<Item>;
    write<T>(method: "POST" | "PATCH", path: string, params: object | null, options?: CallOptions): Promise<T>;
    replace<T>(path: string, params: object, options?: ReadOptions): Promise<T>;
    /** Answers `undefined` if the answer has no body. */
    remove<T>(path: string, params: object, options?: ReadOptions): Promise<T>;
}
/** A path with its ids encoded. @throws TypeError if an id is not a text with characters */
export declare function at(parts: TemplateStringsArray, ...ids: string[]): string;
