import type { Context } from "hono";

/** What the server hands to a page beside the request. `clientAddress`: of the client, behind the trusted proxies. */
export type PageEnvironment = { Bindings: { requestId: string; clientAddress: string } };
export type PageContext = Context<PageEnvironment>;
