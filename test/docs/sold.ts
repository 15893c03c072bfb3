import { CARDS } from "../support/story.ts";
import { bought, patch, post, type Action, type Shop } from "./world.ts";

const KEY = { key: "editor", type: "license_key", name: "Editor", properties: { activationLimit: 2 } };
/** A Subscription with a license key that is used on a device. */
const activated = async (shop: Shop) => {
  const { id } = await post(shop, "/benefits", KEY);
  const found = await bought(CARDS.pays, { benefitIds: [id] })(shop);
  const [grant] = (await shop.story.ok(shop.story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
  const license = { organizationId: shop.story.app.organization.id, key: grant.properties.key };
  const { activation } = await shop.story.ok(shop.story.app.licenses("POST", "/activate", license));
  return { ...found, grant, license, activation };
};

/** Rows of docs/events.md for Products, Benefits, keys and Discounts. */
export const SOLD: Record<string, Action> = {
  "`POST /products`": { operations: ["POST /products"], act: ({ story }) => story.plan("new", 700) },
  "PATCH of a Product": {
    operations: ["PATCH /products/{productId}"],
    before: async ({ story }) => ({ product: await story.plan("new", 700) }),
    act: (world) => patch(world, `/products/${world["product"].id}`, { name: "Newer" }),
  },
  "`PUT /catalogue` with a new and a changed Product": {
    operations: ["PUT /catalogue"],
    before: async ({ story }) => ({ product: await story.plan("new", 700) }),
    act: ({ story }) => {
      const row = { name: "Newer", interval: "month", prices: [{ currency: "usd", amount: 700 }] };
      const products = [
        { ...row, key: "new" },
        { ...row, key: "other" },
      ];
      return story.ok(story.app.manage("PUT", "/catalogue", { products }));
    },
  },
  "a Product is archived": {
    operations: ["PATCH /products/{productId}"],
    before: bought(),
    act: (world) => patch(world, `/products/${world["sub"].productId}`, { archived: true }),
  },
  "a Benefit is added to a Product that one Subscription has": {
    operations: ["PATCH /products/{productId}"],
    before: async (shop) => ({
      ...(await bought()(shop)),
      added: await post(shop, "/benefits", { key: "seats", type: "feature", name: "Seats" }),
    }),
    act: async (world) => {
      await patch(world, `/products/${world["sub"].productId}`, { benefitIds: [world.benefit, world["added"].id] });
      await world.story.settle();
    },
  },
  "PATCH of a Benefit that one Subscription has": {
    operations: ["PATCH /benefits/{benefitId}"],
    before: bought(),
    act: async (world) => {
      await patch(world, `/benefits/${world.benefit}`, { name: "Single sign-on" });
      await world.story.settle();
    },
  },
  "`DELETE /benefits/{id}` of a Benefit that one Subscription has": {
    operations: ["DELETE /benefits/{benefitId}"],
    before: async (shop) => {
      const seats = await post(shop, "/benefits", { key: "seats", type: "feature", name: "Seats" });
      return { ...(await bought(CARDS.pays, { benefitIds: [seats.id] })(shop)), seats };
    },
    act: async (world) => {
      await world.story.ok(world.story.app.manage("DELETE", `/benefits/${world["seats"].id}`));
      await world.story.settle();
    },
  },
  "a license key is activated": {
    operations: ["POST /activate"],
    before: async (shop) => {
      const key = await post(shop, "/benefits", {
        key: "editor",
        type: "license_key",
        name: "Editor",
        properties: { activationLimit: 2 },
      });
      return bought(CARDS.pays, { benefitIds: [key.id] })(shop);
    },
    act: async ({ story }) => {
      const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
      const body = { organizationId: story.app.organization.id, key: grant.properties.key };
      await story.ok(story.app.licenses("POST", "/activate", body));
    },
  },
  "a program deactivates its license key": {
    operations: ["POST /deactivate"],
    before: activated,
    act: ({ story, license, activation }) =>
      story.ok(story.app.licenses("POST", "/deactivate", { ...license, activationId: activation.id })),
  },
  "an activation is removed": {
    operations: ["DELETE /benefit-grants/{benefitGrantId}/activations/{activationId}"],
    before: activated,
    act: ({ story, grant, activation }) =>
      story.ok(story.app.manage("DELETE", `/benefit-grants/${grant.id}/activations/${activation.id}`)),
  },
  "`POST /webhook-endpoints/{id}/test`": {
    operations: ["POST /webhook-endpoints/{endpointId}/test"],
    before: async (shop) => ({ endpoint: await post(shop, "/webhook-endpoints", { url: "https://example.com" }) }),
    act: (world) => post(world, `/webhook-endpoints/${world["endpoint"].id}/test`),
  },
};
