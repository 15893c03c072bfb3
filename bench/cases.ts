import { createCheckout } from "../src/actions/create-checkout.ts";
import { updateSubscription } from "../src/actions/change-subscription.ts";
import type { Call } from "../src/actions/answer.ts";
import type { Context } from "../src/context.ts";
import { PUBLIC_ENDPOINTS } from "../src/http/surfaces.ts";
import { CreateCheckoutParams } from "../src/resources/checkout.ts";
import type { World } from "./world.ts";

/** One operation: as wrk sends it (Lua that sets `method`, `path`, `body` for the random number `n`), and called directly. */
export type Case = { name: string; lua: string; run(ctx: Context, world: World, n: number): Promise<unknown> };

const call = ({ organizationId }: World): Call => ({ organizationId, requestId: "req_bench", idempotency: null });

async function read(ctx: Context, world: World, operationId: string, params: object, query: object): Promise<unknown> {
  const endpoint = PUBLIC_ENDPOINTS.find((each) => each.operationId === operationId)!;
  const request = {
    call: call(world),
    keyId: "key_bench",
    params: { ...params },
    query,
    body: undefined,
    match: () => undefined,
  };
  return endpoint.handle(ctx, request as Parameters<typeof endpoint.handle>[1]);
}

const flip = (ctx: Context, world: World, n: number, cancelAtPeriodEnd: boolean) =>
  updateSubscription(ctx, call(world), world.subscription(n), { cancelAtPeriodEnd }, () => undefined);

export const CASES: readonly Case[] = [
  {
    name: "GET /subscriptions/{id}",
    lua: `path = "/subscriptions/sub_" .. id(n)`,
    run: (ctx, world, n) => read(ctx, world, "getSubscription", { subscriptionId: world.subscription(n) }, {}),
  },
  {
    name: "GET /benefit-grants",
    lua: `path = "/benefit-grants?customerId=cus_" .. id(n)`,
    run: (ctx, world, n) => read(ctx, world, "listBenefitGrants", {}, { customerId: world.customer(n), limit: 100 }),
  },
  {
    name: "POST /checkouts",
    lua: `method, path, body = "POST", "/checkouts", '{"productKey":"lifetime"}'`,
    run: (ctx, world) => createCheckout(ctx, call(world), CreateCheckoutParams.parse({ productKey: "lifetime" })),
  },
  {
    name: "PATCH /subscriptions/{id}",
    lua: `method, path, body = "PATCH", "/subscriptions/sub_" .. id(n), '{"cancelAtPeriodEnd":' .. tostring(turn % 2 == 0) .. '}'`,
    run: async (ctx, world, n) => [await flip(ctx, world, n, true), await flip(ctx, world, n, false)],
  },
];
