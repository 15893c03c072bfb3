import type { Context } from "hono";

/**
 * The server's additions to a page's request. `client`: the key by which rate limits count the caller. `stopping`:
 * aborted when the server is to stop, so that no page waits any longer.
 */
export type PageEnvironment = { Bindings: { requestId: string; client: string; stopping: AbortSignal } };
export type PageContext = Context<PageEnvironment>;
