import type { Context } from "hono";

/**
 * What the server hands to a page beside the request. `client`: under which limits count whoever asks; `stopping`: aborted when the server
 * is to stop, so that nothing is waited for any more.
 */
export type PageEnvironment = { Bindings: { requestId: string; client: string; stopping: AbortSignal } };
export type PageContext = Context<PageEnvironment>;
