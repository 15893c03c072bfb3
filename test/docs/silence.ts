import { CARDS } from "../support/story.ts";
import { ADA, bought, changed, invoiceOf, later, patch, paused, post, type Action, type Shop } from "./world.ts";

const remove = ({ story }: Shop, path: string) => story.ok(story.app.manage("DELETE", path));

/** Rows of docs/events.md for actions without an event. */
export const SILENCE: Record<string, Action> = {
  "PATCH to the present state": {
    operations: ["PATCH /subscriptions/{subscriptionId}", "PATCH /products/{productId}", "PATCH /benefits/{benefitId}"],
    before: bought(),
    act: async (world) => {
      await world.story.change(world["sub"].id, { productKey: "pro", cancelAtPeriodEnd: false });
      await patch(world, `/products/${world["sub"].productId}`, { name: "pro" });
      await patch(world, `/benefits/${world.benefit}`, { name: "SSO", properties: {} });
      await world.story.settle();
    },
  },
  "a preview of a change": {
    operations: ["POST /subscriptions/{subscriptionId}/preview"],
    before: bought(),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/preview`, { productKey: "max" }),
  },
  "a preview of `cancel-now`, also while lines wait for the next invoice": {
    operations: ["POST /subscriptions/{subscriptionId}/cancel-now/preview"],
    before: later(changed({ productKey: "max", prorationBehavior: "next_invoice" }), "2025-02-10"),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/cancel-now/preview`),
  },
  "a preview of `resume`, also during a pause": {
    operations: ["POST /subscriptions/{subscriptionId}/resume/preview"],
    before: later(paused(), "2025-03-02"),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/resume/preview`),
  },
  "a preview of a longer trial, and of another discount": {
    operations: [
      "POST /subscriptions/{subscriptionId}/trial/preview",
      "POST /subscriptions/{subscriptionId}/discount/preview",
    ],
    before: bought(CARDS.pays, { trialDays: 14 }),
    async act(world) {
      const path = `/subscriptions/${world["sub"].id}`;
      await post(world, `${path}/trial/preview`, { trialEnd: "2025-03-01T09:00:00Z" });
      await post(world, `${path}/discount/preview`, { discountCode: null });
    },
  },
  "a new card without a debt": {
    operations: ["POST /sandbox/customers/{customerId}/card"],
    before: bought(),
    act: (world) => world.story.newCard(world["sub"].customerId, CARDS.asksBuyer),
  },
  "an open invoice is charged by hand, but there is no card (402)": {
    operations: ["POST /invoices/{invoiceId}/pay"],
    before: async (shop) => {
      const { id: customerId } = await shop.story.ok(shop.story.app.api("POST", "/customers", ADA));
      const found = { sub: await post(shop, "/subscriptions", { productKey: "pro", customerId }) };
      await shop.story.settle();
      return found;
    },
    act: async (world) => {
      const answer = await world.story.app.manage("POST", `/invoices/${(await invoiceOf(world)).id}/pay`);
      if (answer.status !== 402) throw new Error(`${answer.status} instead of 402`);
    },
  },
  "an adjustment of a balance": {
    operations: ["POST /customers/{customerId}/balance-adjustments"],
    before: bought(),
    act: (world) =>
      post(world, `/customers/${world["sub"].customerId}/balance-adjustments`, {
        currency: "usd",
        amount: 500,
        reason: "Sorry",
      }),
  },
  "a link to the portal": {
    operations: ["POST /customers/{customerId}/portal-sessions", "POST /portal-sessions"],
    before: bought(),
    act: async (world) => {
      const { customerId } = world["sub"];
      await post(world, `/customers/${customerId}/portal-sessions`);
      await post(world, "/portal-sessions", { customerId });
    },
  },
  "`POST /benefits`": {
    operations: ["POST /benefits"],
    act: (world) => post(world, "/benefits", { key: "seats", type: "feature", name: "Seats" }),
  },
  "a discount is created, changed and deleted": {
    operations: ["POST /discounts", "PATCH /discounts/{discountId}", "DELETE /discounts/{discountId}"],
    act: async (world) => {
      const { id } = await post(world, "/discounts", {
        code: "LAUNCH",
        type: "percentage",
        basisPoints: 2500,
        duration: "once",
      });
      await patch(world, `/discounts/${id}`, { code: "START" });
      await remove(world, `/discounts/${id}`);
    },
  },
  "a payment link is created and changed": {
    operations: ["POST /payment-links", "PATCH /payment-links/{paymentLinkId}"],
    before: bought(),
    act: async (world) => {
      const products = [{ productId: world["sub"].productId }];
      const { id } = await post(world, "/payment-links", { name: "Pricing page", products });
      await patch(world, `/payment-links/${id}`, { active: false });
    },
  },
  "a preview of a catalogue": {
    operations: ["POST /catalogue/preview"],
    act: (world) =>
      post(world, "/catalogue/preview", {
        products: [{ key: "other", name: "Other", prices: [{ currency: "usd", amount: 700 }] }],
      }),
  },
  "settings of the Organization": {
    operations: ["PATCH /organization"],
    before: bought(),
    act: (world) =>
      patch(world, "/organization", { name: "Other", taxRates: [{ country: "DE", basisPoints: 1900, name: "VAT" }] }),
  },
  "an API key is created, rotated and revoked": {
    operations: ["POST /api-keys", "POST /api-keys/{keyId}/rotate", "DELETE /api-keys/{keyId}"],
    act: async (world) => {
      const { id } = await post(world, "/api-keys", { name: "other", scopes: ["public"] });
      const rotated = await post(world, `/api-keys/${id}/rotate`, { overlapSeconds: 0 });
      await remove(world, `/api-keys/${rotated.id}`);
    },
  },
  "a webhook endpoint is created, changed, given another secret and deleted": {
    operations: [
      "POST /webhook-endpoints",
      "PATCH /webhook-endpoints/{endpointId}",
      "POST /webhook-endpoints/{endpointId}/rotate-secret",
      "DELETE /webhook-endpoints/{endpointId}",
    ],
    act: async (world) => {
      const { id } = await post(world, "/webhook-endpoints", { url: "https://example.com" });
      await patch(world, `/webhook-endpoints/${id}`, { status: "disabled" });
      await post(world, `/webhook-endpoints/${id}/rotate-secret`);
      await remove(world, `/webhook-endpoints/${id}`);
    },
  },
  "a delivery is repeated": {
    operations: ["POST /webhook-endpoints/{endpointId}/redeliver", "POST /deliveries/{deliveryId}/redeliver"],
    before: async (shop) => {
      const endpoint = await post(shop, "/webhook-endpoints", { url: "https://example.com" });
      return { endpoint, delivery: await post(shop, `/webhook-endpoints/${endpoint.id}/test`) };
    },
    act: async (world) => {
      await post(world, `/deliveries/${world["delivery"].id}/redeliver`);
      await post(world, `/webhook-endpoints/${world["endpoint"].id}/redeliver`);
    },
  },
  "a program asks whether a license key is valid": {
    operations: ["POST /validate"],
    before: async (shop) => {
      const { id } = await post(shop, "/benefits", { key: "editor", type: "license_key", name: "Editor" });
      return bought(CARDS.pays, { benefitIds: [id] })(shop);
    },
    act: async ({ story }) => {
      const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
      const license = { organizationId: story.app.organization.id, key: grant.properties.key };
      await story.ok(story.app.licenses("POST", "/validate", license));
    },
  },
  "a sandbox's clock is set, or advanced without due work; an advance is stopped": {
    operations: ["PUT /sandbox/clock", "POST /sandbox/clock/advance", "DELETE /sandbox/clock/advance"],
    act: async ({ story }) => {
      await story.ok(story.app.manage("PUT", "/sandbox/clock", { now: "2025-06-01T09:00:00Z" }));
      await story.travel("2025-07-01");
      await story.ok(story.app.manage("DELETE", "/sandbox/clock/advance"));
    },
  },
};
