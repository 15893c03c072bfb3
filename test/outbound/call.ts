import type { PostPolicy } from "../../src/outbound/addresses.ts";
import { post, type PostOptions, type Resolve } from "../../src/outbound/post.ts";

/** 127.0.0.1 stands for an allowed address, and every other address that is not public for a refused one. */
export const POLICY: PostPolicy = { allowHttp: true, allowLoopback: false, allowed: ["127.0.0.1"] };
export const BODY = '{"type":"customer.created"}';
/** Posts `BODY` by `POLICY`, unless `options` say otherwise. */
export const call = (url: string, options: Partial<PostOptions> = {}) =>
  post(url, {
    headers: { "Content-Type": "application/json" },
    body: BODY,
    now: Date.parse("2026-01-31T00:00:00Z"),
    timeoutMilliseconds: 20_000,
    policy: POLICY,
    ...options,
  });

/** Resolves every name to these addresses. */
export const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
