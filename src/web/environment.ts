import type { Context } from "hono";

/**
 * The server's additions to a page's request. `client`: the key by which rate limits count the caller, and
 * `clientAddress` its IP address. `isLocal`: whether the request comes from this machine and, as far as its headers
 * tell, through no proxy. `stopping`: aborted when the server is to stop, so that no page waits any longer.
 * `noteRoute`: notes the path of the page for its trace; absent if there is no server around the pages.
 */
export type PageEnvironment = {
  Bindings: {
    requestId: string;
    client: string;
    clientAddress: string;
    isLocal: boolean;
    noteRoute?(path: string): void;
    stopping: AbortSignal;
  };
};
export type PageContext = Context<PageEnvironment>;
