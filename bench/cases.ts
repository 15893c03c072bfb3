import type { Context } from "../src/context.ts";
import type { Call } from "../src/http/commit.ts";
import { PUBLIC_ENDPOINTS } from "../src/http/surfaces.ts";
import { CreateCheckoutParams } from "../src/resources/checkout.ts";
import type { World } from "./world.ts";

/** One operation: as wrk sends it (Lua that sets `method`, `path`, `body` for the random number `n`), and called directly. */
export type Case = { name: string; lua: string; run(ctx: Context, world: World, n: number): Promise<unknown> };

const call = ({ organizationId }: World): Call => ({ organizationId, requestId: "req_bench", idempotency: null });

async function send(ctx: Context, world: World, operationId: string, params: object, query: object, body?: object): Promise<unknown> {
  const endpoint = PUBLIC_ENDPOINTS.find((each) => each.operationId === operationId)!;
  const request = {
    call: call(world),
    keyId: "key_bench",
    params: { ...params },
    query,
    body,
    match: () => undefined,
  };
  return endpoint.handle(ctx, request as Parameters<typeof endpoint.handle>[1]);
}

const flip = (ctx: Context, world: World, n: number, cancelAtPeriodEnd: boolean) =>
  send(ctx, world, "updateSubscription", { subscriptionId: world.subscription(n) }, {}, { cancelAtPeriodEnd });

export const CASES: readonly Case[] = [
  {
    name: "GET /subscriptions/{id}",
    lua: `path = "/subscriptions/sub_" .. id(n)`,
    run: (ctx, world, n) => send(ctx, world, "getSubscription", { subscriptionId: world.subscription(n) }, {}),
  },
  {
    name: "GET /benefit-grants",
    lua: `path = "/benefit-grants?customerId=cus_" .. id(n)`,
    run: (ctx, world, n) => send(ctx, world, "listBenefitGrants", {}, { customerId: world.customer(n), limit: 100 }),
  },
  {
    name: "POST /checkouts",
    lua: `method, path, body = "POST", "/checkouts", '{"productKey":"lifetime"}'`,
    run: (ctx, world) => send(ctx, world, "createCheckout", {}, {}, CreateCheckoutParams.parse({ productKey: "lifetime" })),
  },
  {
    name: "PATCH /subscriptions/{id}",
    lua: `method, path, body = "PATCH", "/subscriptions/sub_" .. id(n), '{"cancelAtPeriodEnd":' .. tostring(turn % 2 == 0) .. '}'`,
    run: async (ctx, world, n) => [await flip(ctx, world, n, true), await flip(ctx, world, n, false)],
  },
];
