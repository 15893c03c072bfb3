import type { Context } from "hono";

/**
 * The server's additions to a page's request. `client`: the caller's key in the counts of the limits. `stopping`:
 * aborted when the server is to stop, so that no page waits any longer.
 */
export type PageEnvironment = { Bindings: { requestId: string; client: string; stopping: AbortSignal } };
export type PageContext = Context<PageEnvironment>;
