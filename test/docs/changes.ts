import { startWebClient } from "../support/portal.ts";
import { CARDS } from "../support/story.ts";
import {
  askedEachTime,
  bought,
  boughtByAddress,
  change,
  changed,
  checkout,
  later,
  pastDue,
  paused,
  pay,
  paymentOf,
  post,
  refused,
  type Action,
  type World,
} from "./world.ts";

/** An action of the Customer in the portal. */
const inPortal = async ({ story, sub }: World, verb: "cancel" | "keep" | "disown") => {
  const { url } = await story.ok(story.app.manage("POST", `/customers/${sub.customerId}/portal-sessions`));
  const there = startWebClient(story.app.url);
  await there.post(new URL(url).pathname);
  const { status } = await there.post(`/portal/${story.app.organization.id}/subscriptions/${sub.id}/${verb}`);
  if (status !== 303) throw new Error(`${status} instead of 303`);
};

const resume = async (world: World) => {
  const path = `/subscriptions/${world["sub"].id}/resume`;
  await world.story.ok(world.story.app.manage("POST", path));
  await world.story.settle();
};
const cancelNow = (world: World) => post(world, `/subscriptions/${world["sub"].id}/cancel-now`);

/** Rows of "Changes". */
export const CHANGES: Record<string, Action> = {
  "PATCH to a dearer Product, charged now": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(),
    act: change({ productKey: "max" }),
  },
  "PATCH to a cheaper Product, credited now": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(),
    act: change({ productKey: "basic" }),
  },
  "PATCH to a dearer Product that takes one Benefit and gives two": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: async (shop) => {
      const found = await bought()(shop);
      const ids = await Promise.all(
        ["seats", "audio"].map((key) => post(shop, "/benefits", { key, type: "feature", name: key })),
      );
      await shop.story.plan("other", 5000, { group: "plans", benefitIds: ids.map(({ id }) => id) });
      return found;
    },
    act: change({ productKey: "other" }),
  },
  "PATCH, billed with the next invoice": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(),
    act: change({ productKey: "basic", prorationBehavior: "next_invoice" }),
  },
  "PATCH, planned for the next period": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(),
    act: change({ productKey: "basic", prorationBehavior: "next_period" }),
  },
  "PATCH that drops a planned change": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: changed({ productKey: "basic", prorationBehavior: "next_period" }),
    act: change({ productKey: "pro" }),
  },
  "PATCH with a declined charge (402)": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(CARDS.failsLater),
    act: refused({ productKey: "max" }),
  },
  "PATCH for which the bank asks the buyer to authenticate (402)": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: askedEachTime,
    act: refused({ productKey: "max" }),
  },
  "PATCH with a card that a dispute holds back (402)": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    // The dispute is about the period before. One about the present period would refuse the change itself (rule D5).
    before: async (shop) => {
      const found = await bought()(shop);
      const { id } = await paymentOf(shop);
      await shop.story.travel("2025-03-01");
      await post(shop, `/sandbox/payments/${id}/dispute`);
      return found;
    },
    act: refused({ productKey: "max" }),
  },
  "a Checkout to a dearer Product is paid": {
    before: async (shop) => {
      const { sub } = await bought()(shop);
      return { checkout: await checkout(shop, { subscriptionId: sub.id, productKey: "max" }) };
    },
    act: (world) => pay(world, world["checkout"].id, CARDS.pays),
  },
  "`POST /subscriptions/{id}/pause`": {
    operations: ["POST /subscriptions/{subscriptionId}/pause"],
    before: bought(),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/pause`, { access: "revoke" }),
  },
  "`POST /subscriptions/{id}/resume` before the pause begins": {
    operations: ["POST /subscriptions/{subscriptionId}/resume"],
    before: paused(),
    act: resume,
  },
  "`POST /subscriptions/{id}/resume` during the pause": {
    operations: ["POST /subscriptions/{subscriptionId}/resume"],
    before: later(paused(), "2025-03-02"),
    act: resume,
  },
  "`POST /subscriptions/{id}/discount`": {
    operations: ["POST /subscriptions/{subscriptionId}/discount"],
    before: async (shop) => {
      await post(shop, "/discounts", { code: "TEN", type: "percentage", basisPoints: 1000, duration: "forever" });
      return bought()(shop);
    },
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/discount`, { discountCode: "TEN" }),
  },
  "`POST /subscriptions/{id}/trial`": {
    operations: ["POST /subscriptions/{subscriptionId}/trial"],
    before: bought(CARDS.pays, { trialDays: 14 }),
    act: (world) => post(world, `/subscriptions/${world["sub"].id}/trial`, { trialEnd: "2025-03-01T09:00:00Z" }),
  },
  "PATCH that schedules the cancellation": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: bought(),
    act: change({ cancelAtPeriodEnd: true }),
  },
  "PATCH that undoes the cancellation": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: changed({ cancelAtPeriodEnd: true }),
    act: change({ cancelAtPeriodEnd: false }),
  },
  "PATCH that undoes the cancellation, and changes to a dearer Product": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: changed({ cancelAtPeriodEnd: true }),
    act: change({ cancelAtPeriodEnd: false, productKey: "max" }),
  },
  "PATCH that changes the comment of a cancellation": {
    operations: ["PATCH /subscriptions/{subscriptionId}"],
    before: changed({ cancelAtPeriodEnd: true }),
    act: change({ cancelAtPeriodEnd: true, cancellationComment: "Too many buttons" }),
  },
  "a buyer cancels in the portal": { before: bought(), act: (world) => inPortal(world, "cancel") },
  "a buyer undoes the cancellation in the portal": {
    before: changed({ cancelAtPeriodEnd: true }),
    act: (world) => inPortal(world, "keep"),
  },
  "a Customer ends a purchase in the portal that the Customer does not recognize": {
    before: boughtByAddress,
    act: (world) => inPortal(world, "disown"),
  },
  "`POST /subscriptions/{id}/cancel-now`": {
    operations: ["POST /subscriptions/{subscriptionId}/cancel-now"],
    before: bought(),
    act: cancelNow,
  },
  "`POST /subscriptions/{id}/cancel-now` while past due": { before: pastDue, act: cancelNow },
  "`POST /subscriptions/{id}/cancel-now` while lines wait for the next invoice, some days after the change": {
    before: later(changed({ productKey: "max", prorationBehavior: "next_invoice" }), "2025-02-10"),
    act: async (world) => {
      await cancelNow(world);
      await world.story.settle();
    },
  },
};
