import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** A Customer has one live Subscription per group (rule C4). */
describe("groups of Products", () => {
  let story: Story;
  let plan: Json;
  let addon: Json;
  const open = (productKey: string, more: object = {}) =>
    story.app.api("POST", "/checkouts", { productKey, externalCustomerId: "ada", ...more });
  const pay = (id: string, body: object = { card: CARDS.pays }) =>
    story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body);
  const refusal = (subscriptionId: string | null) => ({
    status: 409,
    body: { code: "already_subscribed", subscriptionId },
  });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("basic", 1000);
    await story.plan("pro", 3000);
    await story.plan("addon", 500, { group: "addons" });
    await story.plan("big-addon", 900, { group: "addons" });
    await story.plan("alone", 700, { group: null });
    await story.plan("book", 4900, { interval: null });
    await story.ok(story.app.api("POST", "/customers", { email: "ada@example.com", externalId: "ada" }));
  });
  afterAll(() => story.close());

  it("2025-06-01: one Subscription of each group, any number that stand alone, any number of purchases", async () => {
    const early = await story.ok(open("pro"));
    plan = await story.buy({ productKey: "basic", externalCustomerId: "ada" }, CARDS.pays);
    for (const key of ["basic", "pro"]) expect(await open(key)).toMatchObject(refusal(plan.id));
    for (const customer of [{ email: "ada@example.com" }, { email: "new@example.com", externalId: "ada" }]) {
      expect(await story.app.api("POST", "/checkouts", { productKey: "pro", customer })).toMatchObject(
        refusal(plan.id),
      );
    }
    expect(await pay(early.id)).toMatchObject(refusal(plan.id));
    addon = await story.buy({ productKey: "addon", externalCustomerId: "ada" }, CARDS.pays);
    for (const key of ["alone", "alone", "book", "book"])
      await story.buy({ productKey: key, externalCustomerId: "ada" }, CARDS.pays);
    expect((await story.books()).captured).toEqual([500, 700, 700, 1000, 4900, 4900]);
  });

  it("2025-06-01: a buyer that types the e-mail is told before any charge", async () => {
    const anonymous = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
    expect(await pay(anonymous.id)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/email", code: "required" }] },
    });
    expect(await pay(anonymous.id, { card: CARDS.pays, email: "ADA@example.com" })).toMatchObject(refusal(plan.id));
    expect(await story.ok(story.app.api("GET", `/checkouts/${anonymous.id}`))).toMatchObject({
      status: "open",
      customerId: null,
    });
    expect(await pay(anonymous.id, { card: CARDS.pays, email: "other@example.com" })).toMatchObject({
      status: 200,
      body: { status: "completed" },
    });
  });

  it("2025-06-01: two Checkouts that are paid at the same moment make one Subscription", async () => {
    const customer = { email: "both@example.com", externalId: "both" };
    const checkouts = await Promise.all(
      [1, 2].map(() => story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }))),
    );
    const answers = await Promise.all(checkouts.map(({ id }) => pay(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await story.ok(story.app.manage("GET", "/subscriptions?externalCustomerId=both"))).data).toHaveLength(1);
    expect((await story.ok(story.app.manage("GET", "/payments?externalCustomerId=both"))).data).toHaveLength(1);
  });

  it("2025-06-01: a double click is one purchase", async () => {
    const { id } = await story.ok(open("book"));
    const answers = await Promise.all([1, 2, 3].map(() => pay(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "checkout_not_open")).toHaveLength(2);
    expect((await story.ok(story.app.manage("GET", `/payments?checkoutId=${id}`))).data).toHaveLength(1);
  });

  it("2025-06-05: a change into a group that is taken is refused", async () => {
    await story.travel("2025-06-05");
    await story.news();
    for (const prorationBehavior of ["invoice_now", "next_invoice", "next_period", "none"]) {
      const change = await story.app.api("PATCH", `/subscriptions/${addon.id}`, {
        productKey: "pro",
        prorationBehavior,
      });
      expect(change).toMatchObject(refusal(plan.id));
      const preview = await story.app.manage("POST", `/subscriptions/${addon.id}/preview`, {
        productKey: "pro",
        prorationBehavior,
      });
      expect(preview).toMatchObject(refusal(plan.id));
    }
    expect(await story.news()).toEqual([]);
    expect(await story.subscription(addon.id)).toEqual(addon);
  });

  it("2025-06-06: within its group, and out of it where there is room, it can", async () => {
    await story.travel("2025-06-06");
    expect(await story.change(addon.id, { productKey: "big-addon" })).toMatchObject({ amount: 900 });
    expect(await story.change(addon.id, { productKey: "alone" })).toMatchObject({ amount: 700 });
    await story.buy({ productKey: "addon", externalCustomerId: "ada" }, CARDS.pays);
    const back = await story.app.api("PATCH", `/subscriptions/${addon.id}`, { productKey: "big-addon" });
    expect(back).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
  });

  it("2025-07-06: a pending change into a group that was taken meanwhile is dropped", async () => {
    const mover = await story.buy(
      { productKey: "alone", customer: { email: "mo@example.com", externalId: "mo" } },
      CARDS.pays,
    );
    await story.change(mover.id, { productKey: "pro", prorationBehavior: "next_period" });
    const { pendingChange } = await story.subscription(mover.id);
    expect(pendingChange).toMatchObject({ amount: 3000, effectiveAt: "2025-07-06T09:00:00.000Z" });
    await story.buy({ productKey: "basic", externalCustomerId: "mo" }, CARDS.pays);
    await story.travel("2025-07-05");
    await story.news();
    await story.statement();
    await story.travel("2025-07-06");
    expect(
      (await story.ok(story.app.manage("GET", `/events?resourceId=${mover.id}`))).data.map((event: Json) => event.type),
    ).toEqual([
      "subscription.created",
      "subscription.updated",
      "subscription.renewal_upcoming",
      "subscription.updated",
      "subscription.renewed",
    ]);
    expect(await story.subscription(mover.id)).toMatchObject({ amount: 700, pendingChange: null, status: "active" });
  });

  it("2025-08-01: a change to an archived Product is dropped at its day, before the batch (rule P6)", async () => {
    const gone = await story.plan("gone", 2000);
    await story.change(plan.id, { productKey: "gone", prorationBehavior: "next_period" });
    await story.ok(story.app.manage("PATCH", `/products/${gone.id}`, { archived: true }));
    expect((await story.subscription(plan.id)).pendingChange).toMatchObject({ productId: gone.id });
    const again = await story.app.api("PATCH", `/subscriptions/${plan.id}`, { productKey: "gone" });
    expect(again).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/productKey", code: "product_archived" }] },
    });
    await story.travel("2025-08-01");
    expect(await story.subscription(plan.id)).toMatchObject({
      amount: 1000,
      pendingChange: null,
      currentPeriodEnd: "2025-09-01T09:00:00.000Z",
    });
    const recorded = (await story.ok(story.app.manage("GET", `/events?resourceId=${plan.id}`))).data;
    expect(recorded.map((event: Json) => [event.type, event.createdAt]).slice(-2)).toEqual([
      ["subscription.updated", "2025-08-01T09:00:00.000Z"],
      ["subscription.renewed", "2025-08-01T09:00:00.000Z"],
    ]);
  });

  it("2025-08-02: the end frees the group", async () => {
    await story.travel("2025-08-02");
    await story.ok(story.app.manage("POST", `/subscriptions/${plan.id}/cancel-now`, {}));
    expect(await story.buy({ productKey: "pro", externalCustomerId: "ada" }, CARDS.pays)).toMatchObject({
      status: "active",
    });
    expect(await story.audit()).toEqual([]);
  });
});
