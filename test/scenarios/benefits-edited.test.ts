import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("Benefits that are edited while they are granted", () => {
  let story: Story;
  const benefit: Record<string, string> = {};
  const product: Record<string, string> = {};
  const bought: Record<string, Json> = {};
  const edit = async (key: string, body: object) => {
    await story.ok(story.app.manage("PATCH", `/products/${product[key]}`, body));
    await story.app.runDue();
  };
  const grants = async (name: string) =>
    (await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${name}`))).data;
  const grant = async (name: string, key: string) =>
    (await grants(name)).find((each: Json) => each.benefitId === benefit[key]);

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    for (const [key, type] of [
      ["sso", "feature"],
      ["licence", "license_key"],
      ["note", "custom"],
    ] as const) {
      benefit[key] = (await story.ok(story.app.manage("POST", "/benefits", { key, type, name: key }))).id;
    }
    product["pro"] = (await story.plan("pro", 3000, { benefitIds: [benefit["licence"]] })).id;
    product["max"] = (await story.plan("max", 9000, { benefitIds: [benefit["licence"], benefit["sso"]] })).id;
    product["addon"] = (await story.plan("addon", 500, { group: "addons", benefitIds: [benefit["licence"]] })).id;
    const people = [
      ["ada", CARDS.pays],
      ["late", CARDS.failsLater],
      ["gone", CARDS.pays],
    ] as const;
    for (const [name, card] of people) {
      bought[name] = await story.buy(
        { productKey: "pro", customer: { email: `${name}@example.com`, externalId: name } },
        card,
      );
    }
    await story.ok(story.app.manage("POST", `/subscriptions/${bought["gone"].id}/cancel-now`, {}));
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-06-05: a Benefit that a Product gains is granted to all that have the Product (rule B1)", async () => {
    await story.travel("2025-06-05");
    await edit("pro", { benefitIds: [benefit["licence"], benefit["note"]] });
    expect(await story.news()).toEqual(["product.updated", "benefit_grant.granted", "benefit_grant.granted"]);
    expect(await story.access("ada")).toEqual(["licence", "note"]);
    expect(await story.access("late")).toEqual(["licence", "note"]);
    expect(await story.access("gone")).toEqual([]);
    expect(await grant("ada", "note")).toMatchObject({
      grantedAt: "2025-06-05T09:00:00.000Z",
      subscriptionId: bought["ada"].id,
    });
    expect(await grant("ada", "licence")).toMatchObject({ grantedAt: "2025-06-01T09:00:00.000Z" });
  });

  it("2025-06-06: the same list again is no change", async () => {
    await story.travel("2025-06-06");
    await edit("pro", { benefitIds: [benefit["licence"], benefit["note"]] });
    expect(await story.news()).toEqual([]);
  });

  it("2025-06-07, 2025-06-08: a Benefit that is removed and added again is the same grant (rule B2)", async () => {
    const before = await grant("ada", "licence");
    await story.travel("2025-06-07");
    await edit("pro", { benefitIds: [benefit["note"]] });
    expect(await story.news()).toEqual(["product.updated", "benefit_grant.revoked", "benefit_grant.revoked"]);
    expect(await story.access("ada")).toEqual(["note"]);
    await story.travel("2025-06-08");
    await edit("pro", { benefitIds: [benefit["note"], benefit["licence"]] });
    expect(await story.news()).toEqual(["product.updated", "benefit_grant.granted", "benefit_grant.granted"]);
    expect(await grant("ada", "licence")).toEqual({ ...before, grantedAt: "2025-06-08T09:00:00.000Z" });
  });

  it("2025-06-09: a Benefit's new text is shown at once, and each grant tells of it soon", async () => {
    await story.travel("2025-06-09");
    await story.ok(
      story.app.manage("PATCH", `/benefits/${benefit["note"]}`, { name: "Letter", properties: { note: "Thank you" } }),
    );
    expect(await grant("ada", "note")).toMatchObject({
      benefit: { name: "Letter" },
      properties: { note: "Thank you" },
    });
    await story.app.runDue();
    expect(await story.news()).toEqual(["benefit_grant.updated", "benefit_grant.updated"]);
  });

  it("2025-06-16: an upgrade keeps the shared Benefits; losses come before gains (rule B2)", async () => {
    await story.travel("2025-06-16");
    const before = await grant("ada", "licence");
    await story.change(bought["ada"].id, { productKey: "max" });
    const recorded = [
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "benefit_grant.revoked",
      "benefit_grant.granted",
    ];
    expect(await story.news()).toEqual(recorded);
    expect(await story.access("ada")).toEqual(["licence", "sso"]);
    expect(await grant("ada", "licence")).toEqual(before);
  });

  it("2025-06-17: a second Subscription with the same Benefit has its own grant, and ends only that", async () => {
    await story.travel("2025-06-17");
    const addon = await story.buy({ productKey: "addon", externalCustomerId: "ada" }, CARDS.pays);
    const both = (await grants("ada")).filter((each: Json) => each.benefitId === benefit["licence"]);
    expect(both.map((each: Json) => each.subscriptionId)).toEqual([addon.id, bought["ada"].id]);
    expect(new Set(both.map((each: Json) => each.properties.key)).size).toBe(2);
    await story.ok(story.app.manage("POST", `/subscriptions/${addon.id}/cancel-now`, {}));
    expect(await story.access("ada")).toEqual(["licence", "sso"]);
    expect((await grant("ada", "licence")).subscriptionId).toBe(bought["ada"].id);
    await story.news();
  });

  it("2025-07-08: past due beyond the grace, an edit grants nothing, and paying everything (rule D4)", async () => {
    await story.travel("2025-07-08");
    expect(await story.access("late")).toEqual([]);
    await story.news();
    await edit("pro", { benefitIds: [benefit["note"], benefit["licence"], benefit["sso"]] });
    expect(await story.news()).toEqual(["product.updated"]);
    await story.newCard(bought["late"].customerId, CARDS.pays);
    expect((await story.news()).slice(2)).toEqual([
      "subscription.recovered",
      ...Array(3).fill("benefit_grant.granted"),
    ]);
    expect(await story.access("late")).toEqual(["Letter", "licence", "sso"]);
  });

  it("2025-07-09: an archived Product is granted on", async () => {
    await story.travel("2025-07-09");
    await edit("pro", { archived: true });
    expect(await story.news()).toEqual(["product.updated"]);
    expect(await story.access("late")).toEqual(["Letter", "licence", "sso"]);
  });

  it("2025-07-10: a Benefit that is deleted is gone from Products and Subscriptions", async () => {
    await story.travel("2025-07-10");
    expect((await story.app.manage("DELETE", `/benefits/${benefit["sso"]}`)).status).toBe(204);
    await story.app.runDue();
    expect((await story.news()).sort()).toEqual([
      ...Array(2).fill("benefit_grant.revoked"),
      ...Array(2).fill("product.updated"),
    ]);
    expect([await story.access("ada"), await story.access("late")]).toEqual([["licence"], ["Letter", "licence"]]);
    const reasons = await story.ok(story.app.manage("GET", "/benefit-grants?externalCustomerId=ada&status=revoked"));
    expect(reasons.data.map((each: Json) => each.reason).sort()).toEqual([
      "benefits_edited",
      "product_changed",
      "subscription_ended",
    ]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a Product that more have than are done at once", () => {
  it("reaches all of them", async () => {
    const story = await startStory({});
    try {
      const { id } = await story.ok(
        story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
      );
      const { id: productId } = await story.plan("free", 0, { interval: null });
      const people = Array.from({ length: 101 }, (_, n) => `buyer-${n}`);
      const buy = async (name: string) => {
        const body = { productKey: "free", customer: { email: `${name}@example.com`, externalId: name } };
        const checkout = await story.ok(story.app.api("POST", "/checkouts", body));
        await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
      };
      for (let n = 0; n < people.length; n += 8) await Promise.all(people.slice(n, n + 8).map(buy));
      await story.ok(story.app.manage("PATCH", `/products/${productId}`, { benefitIds: [id] }));
      await story.app.runDue();
      const first = await story.ok(story.app.manage("GET", "/benefit-grants?status=active&limit=100"));
      const rest = await story.ok(
        story.app.manage("GET", `/benefit-grants?status=active&limit=100&cursor=${first.nextCursor}`),
      );
      const owners = [...first.data, ...rest.data].map((each: Json) => each.externalCustomerId);
      expect(owners.sort()).toEqual(people.sort());
      expect(rest.nextCursor).toBeNull();
    } finally {
      await story.close();
    }
  });
});
