import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { syncBenefit } from "../../src/actions/catalogue/sync-benefit.ts";
import { syncProduct } from "../../src/actions/catalogue/sync-product.ts";
import type { Context } from "../../src/context.ts";
import { MINUTE } from "../../src/domain/calendar.ts";
import type { Tx } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { mishapAt, unavailable, type Mishap, type Turn } from "../support/faults.ts";
import { lockWaiters } from "../support/locks.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

let story: Story;
const benefit: Record<string, string> = {};
const PEOPLE = ["ada", "bob", "eve"];
const patch = (key: string, body: object) => story.ok(story.app.manage("PATCH", `/benefits/${benefit[key]}`, body));
const tellings = async () => (await story.events()).filter(({ type }) => type === "benefit_grant.updated");
/** The updates recorded since `before`: the Customer of each grant, and the Benefit's name at that time. */
const updatesSince = async (before: Json[]) =>
  (await tellings()).slice(before.length).map(({ data }) => `${data.externalCustomerId} ${data.benefit.name}`);
const grants = async (query: string) =>
  (await story.ok(story.app.manage("GET", `/benefit-grants?limit=100&${query}`))).data as Json[];

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const { app, ok } = story;
  const downloads = join(app.ctx.config.dataDir, "downloads", app.organization.id);
  await mkdir(downloads, { recursive: true });
  for (const name of ["one.txt", "two.txt"]) await writeFile(join(downloads, name), "Hello");
  const files = [{ path: "one.txt", name: "Book" }];
  for (const [key, type, properties] of [
    ["sso", "feature", {}],
    ["licence", "license_key", { activationLimit: 2 }],
    ["book", "download", { files }],
  ] as const) {
    benefit[key] = (await ok(app.manage("POST", "/benefits", { key, type, name: key, properties }))).id;
  }
  await story.plan("pro", 3000, { benefitIds: [benefit["sso"], benefit["licence"]] });
  await story.plan("shelf", 500, { interval: null, benefitIds: [benefit["book"], benefit["sso"]] });
  for (const name of PEOPLE)
    await story.buy({ productKey: "pro", customer: { email: `${name}@example.com`, externalId: name } }, CARDS.pays);
  await story.travel("2025-06-05");
});
afterAll(() => story.close());

describe("a Benefit that is changed while it is granted (rule B1)", () => {
  test.each([
    ["name", "sso", { name: "Single sign-on" }],
    ["description", "sso", { description: "By your own directory." }],
    ["metadata", "sso", { metadata: { tier: "2" } }],
    ["value", "sso", { properties: { value: 5 } }],
    ["limit", "licence", { properties: { activationLimit: 7 } }],
  ])("each active grant tells of its %s once, and shows its present state", async (_what, key, body) => {
    const before = await tellings();
    await patch(key, body);
    await story.app.runDue();
    await story.app.runDue();
    const fresh = (await tellings()).slice(before.length);
    expect(fresh.map(({ data }) => data.externalCustomerId).sort()).toEqual(PEOPLE);
    const shown = await grants(`benefitId=${benefit[key]}&status=active`);
    expect(fresh.map(({ data }) => data).sort((one, other) => (one.id < other.id ? 1 : -1))).toEqual(shown);
    for (const event of fresh) expect(event.createdAt).toBe("2025-06-05T09:00:00.000Z");
  });

  it("is not told of without a change that a grant shows", async () => {
    await story.buy({ productKey: "shelf", externalCustomerId: "ada" }, CARDS.pays);
    const before = await tellings();
    await patch("sso", { name: "Single sign-on", metadata: { tier: "2" } });
    await patch("book", { properties: { files: [{ path: "two.txt", name: "Book" }] } });
    await story.app.runDue();
    expect(await updatesSince(before)).toEqual([]);
    await patch("book", { properties: { files: [{ path: "two.txt", name: "Second edition" }] } });
    await story.app.runDue();
    expect(await updatesSince(before)).toEqual(["ada book"]);
  });

  it("tells by each of a Customer's grants, and by none that is revoked", async () => {
    const [{ subscriptionId }] = (await grants(`externalCustomerId=eve&benefitId=${benefit["sso"]}`)) as [Json];
    await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {}));
    const before = await tellings();
    await patch("sso", { name: "SSO" });
    await story.app.runDue();
    expect((await updatesSince(before)).sort()).toEqual(["ada SSO", "ada SSO", "bob SSO"]);
  });

  it("is told of by purchases that keep it, though it was deleted before all had told", async () => {
    const before = await tellings();
    await patch("book", { name: "Last words" });
    expect((await story.app.manage("DELETE", `/benefits/${benefit["book"]}`)).status).toBe(204);
    await story.app.runDue();
    expect(await updatesSince(before)).toEqual(["ada Last words"]);
  });
});

describe("a grant that shows an edit already", () => {
  const shop = async () => {
    const { app, ok, buy: sell, ...others } = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const own = { type: "license_key", name: "Before", properties: { activationLimit: 2 } };
    const { id } = await ok(app.manage("POST", "/benefits", own));
    await others.plan("pro", 3000, { benefitIds: [id] });
    await others.plan("shelf", 500, { interval: null, benefitIds: [id] });
    const buy = (name: string, productKey = "pro") =>
      sell({ productKey, customer: { email: `${name}@example.com`, externalId: name } }, CARDS.pays);
    await buy("ada");
    /** The events of all grants: the Customer, the event and the Benefit's name at that time. */
    const recordedOf = async () =>
      (await others.events())
        .filter(({ type }) => type.startsWith("benefit_grant."))
        .map(
          ({ type, data }) => `${data.externalCustomerId} ${type.slice("benefit_grant.".length)} ${data.benefit.name}`,
        );
    return {
      ...others,
      app,
      ok,
      buy,
      id,
      recordedOf,
      edit: (body: object) => ok(app.manage("PATCH", `/benefits/${id}`, body)),
    };
  };
  const ADA = ["ada granted Before"];
  const AFTER = ["ada updated After"];

  it("is not told again: one that is bought between the edit and its round", async () => {
    const { app, buy, edit, recordedOf, close } = await shop();
    await edit({ name: "After" });
    await buy("bob");
    await app.runDue();
    expect(await recordedOf()).toEqual([...ADA, "bob granted After", ...AFTER]);
    await edit({ name: "Later" });
    await app.runDue();
    expect((await recordedOf()).slice(3).sort()).toEqual(["ada updated Later", "bob updated Later"]);
    await close();
  });

  it("is not told again though the Benefit is deleted before the round", async () => {
    const { app, buy, edit, id, recordedOf, close } = await shop();
    await edit({ name: "After" });
    await buy("bob", "shelf");
    expect((await app.manage("DELETE", `/benefits/${id}`)).status).toBe(204);
    await app.runDue();
    expect(await recordedOf()).toEqual([...ADA, "bob granted After", "ada revoked After"]);
    await close();
  });

  it("is not told again: a grant that came back since", async () => {
    const { app, ok, plan, subscription, change, edit, buy, recordedOf, close } = await shop();
    await plan("bare", 3000);
    const { id } = await buy("bob");
    await change(id, { productKey: "bare" });
    await edit({ name: "After" });
    await change(id, { productKey: "pro" });
    await app.runDue();
    expect((await subscription(id)).status).toBe("active");
    expect((await ok(app.manage("GET", "/benefit-grants?externalCustomerId=bob"))).data).toHaveLength(1);
    expect((await recordedOf()).slice(1)).toEqual([
      "bob granted Before",
      "bob revoked Before",
      "bob granted After",
      ...AFTER,
    ]);
    await close();
  });

  it("is not told again: a license key that was activated since", async () => {
    const { app, ok, edit, recordedOf, close } = await shop();
    const [{ properties }] = (await ok(app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
    await edit({ name: "After" });
    await ok(app.licenses("POST", "/activate", { organizationId: app.organization.id, key: properties.key }));
    await app.runDue();
    expect(await recordedOf()).toEqual([...ADA, ...AFTER]);
    await close();
  });
});

describe("a grant that was revoked before its Subscription's planned end", () => {
  it("does not end any more: expiresAt is null in the list, in its event and for programs", async () => {
    const { app, ok } = story;
    const customer = { email: "ivy@example.com", externalId: "ivy" };
    const lasting = await story.plan("lasting", 900, { group: "lasting", benefitIds: [benefit["licence"]] });
    const { id } = await story.buy({ productKey: "lasting", customer }, CARDS.pays);
    await story.change(id, { cancelAtPeriodEnd: true });
    const [active] = (await grants("externalCustomerId=ivy")) as [Json];
    expect(active.expiresAt).toBe("2025-07-05T09:00:00.000Z");
    await ok(app.manage("PATCH", `/products/${lasting.id}`, { benefitIds: [] }));
    await app.runDue();
    const [revoked] = (await grants("externalCustomerId=ivy")) as [Json];
    expect(revoked).toMatchObject({ id: active.id, status: "revoked", expiresAt: null });
    expect((await story.events()).at(-1)).toMatchObject({ type: "benefit_grant.revoked", data: revoked });
    const license = { organizationId: app.organization.id, key: active.properties.key };
    expect(await ok(app.licenses("POST", "/validate", license))).toMatchObject({ status: "revoked", expiresAt: null });
  });
});

const MISHAPS: Record<string, Mishap> = {
  "dies before": (_go, die) => die(),
  "loses its connection in": async (go) => {
    await go("torn");
  },
  "is not told of the end of": async (go) => {
    await go();
    throw unavailable();
  },
};

const isTransaction = (turn: Turn) => turn === "write";

describe("a round of tellings", () => {
  test.each(Object.entries(MISHAPS))(
    "leaves out no grant and tells of none twice, though its process %s a transaction",
    async (name, mishap) => {
      for (let [n, reached] = [1, true]; reached; n += 1) {
        const before = await tellings();
        await patch("licence", { name: `${name} ${n}` });
        const victim = mishapAt(story.app.ctx, n, mishap, isTransaction);
        await Promise.race([
          syncBenefit(victim.ctx, story.app.organization.id, benefit["licence"]!, MINUTE).catch(() => 0),
          victim.died,
        ]);
        reached = victim.reached();
        await story.app.runDue();
        expect((await updatesSince(before)).sort()).toEqual([`ada ${name} ${n}`, `bob ${name} ${n}`]);
      }
    },
  );

  it("is gone through by any number of workers", async () => {
    const before = await tellings();
    await patch("licence", { name: "Crowd" });
    await Promise.all([story.app.runDue(), story.app.runDue(), story.app.runDue()]);
    await story.app.runDue();
    expect((await updatesSince(before)).sort()).toEqual(["ada Crowd", "bob Crowd"]);
  });

  it("finds grants that were being made when the Benefit was changed", async () => {
    const { app } = story;
    const { ctx } = app;
    const added = await story.ok(app.manage("POST", "/benefits", { key: "late", type: "feature", name: "Before" }));
    benefit["late"] = added.id;
    const [product] = (await story.ok(app.manage("GET", "/products?key=pro"))).data;
    await story.ok(app.manage("PATCH", `/products/${product.id}`, { benefitIds: [added.id] }));
    let changing: Promise<unknown> | undefined;
    const change = async () => {
      let over = false;
      changing = patch("late", { name: "After" })
        .then(() => syncBenefit(ctx, app.organization.id, added.id, MINUTE))
        .finally(() => void (over = true));
      await until(async () => over || (await lockWaiters(ctx.db.read)) > 0);
    };
    const watched = (tx: Tx): Tx => ({
      ...tx,
      async query(statement, values) {
        const rows = await tx.query<never>(statement, values);
        if (/JOIN benefits\b.* FOR KEY SHARE OF b$/s.test(statement.text) && !changing) await change();
        return rows;
      },
    });
    const slow: Context = { ...ctx, db: { ...ctx.db, tx: (work) => ctx.db.tx((tx) => work(watched(tx))) } };
    await syncProduct(slow, app.organization.id, product.id, MINUTE);
    await changing;
    await app.runDue();
    const events = (await story.events()).filter(({ data }) => data.benefitId === added.id);
    for (const grant of await grants(`benefitId=${added.id}`)) {
      expect(events.findLast(({ data }) => data.id === grant.id)!.data.benefit.name).toBe("After");
    }
  });
});

describe("a Benefit that more have than are told at once", () => {
  it("is told of by all of them", async () => {
    const others = await startStory({});
    try {
      const { id } = await others.ok(
        others.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
      );
      await others.plan("free", 0, { interval: null, benefitIds: [id] });
      const people = Array.from({ length: 101 }, (_, n) => `buyer-${n}`);
      const buy = async (name: string) => {
        const body = { productKey: "free", customer: { email: `${name}@example.com`, externalId: name } };
        const checkout = await others.ok(others.app.api("POST", "/checkouts", body));
        await others.ok(others.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
      };
      for (let n = 0; n < people.length; n += 8) await Promise.all(people.slice(n, n + 8).map(buy));
      await others.news();
      await others.ok(others.app.manage("PATCH", `/benefits/${id}`, { name: "Sign-on" }));
      await others.app.runDue();
      const updated = (await others.events()).filter(({ type }) => type === "benefit_grant.updated");
      expect(updated.map(({ data }) => data.externalCustomerId).sort()).toEqual(people.sort());
      expect(await others.news()).toEqual(Array(people.length).fill("benefit_grant.updated"));
    } finally {
      await others.close();
    }
  });
});
