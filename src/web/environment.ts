import type { Context } from "hono";

/**
 * What the server hands to a page beside the request. `clientAddress`: of the client, behind the trusted proxies; `stopping`: aborted when
 * the server is to stop, so that nothing is waited for any more.
 */
export type PageEnvironment = { Bindings: { requestId: string; clientAddress: string; stopping: AbortSignal } };
export type PageContext = Context<PageEnvironment>;
