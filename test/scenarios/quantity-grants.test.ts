import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("the grants of several units (rule B5)", () => {
  let story: Story;
  const benefit: Record<string, string> = {};
  const product: Record<string, string> = {};
  let ada: Json;
  const patch = (id: string, body: object) => story.app.api("PATCH", `/subscriptions/${id}`, body);
  const grants = async (name: string): Promise<Json[]> =>
    (await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${name}`))).data;
  const grant = async (name: string, key: string) =>
    (await grants(name)).find(({ benefitId }) => benefitId === benefit[key])!;
  /** The numbers of the grants: the projects and the largest number of devices. */
  async function numbers(name: string) {
    const [projects, key] = [await grant(name, "projects"), await grant(name, "key")];
    return [projects["quantity"], projects["properties"].value, key["properties"].activationLimit];
  }
  const license = (path: string, body: object) => story.app.licenses("POST", path, body);
  async function named(name: string) {
    return { organizationId: story.app.organization.id, key: (await grant(name, "key"))["properties"].key };
  }
  const activate = async (name: string) => license("/activate", await named(name));
  const updates = async () => (await story.news()).filter((type) => type.startsWith("benefit_grant."));
  const buy = (name: string, productKey: string, quantity: number, card: string = CARDS.pays) =>
    story.buy({ productKey, quantity, customer: { email: `${name}@example.com`, externalId: name } }, card);

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const types = {
      projects: { type: "feature", properties: { value: 10, perUnit: true } },
      key: { type: "license_key", properties: { activationLimit: 2, perUnit: true } },
      sso: { type: "feature" },
    };
    for (const [key, fields] of Object.entries(types))
      benefit[key] = (await story.ok(story.app.manage("POST", "/benefits", { key, name: key, ...fields }))).id;
    const benefitIds = [benefit["projects"], benefit["key"], benefit["sso"]];
    const quantity = { minimum: 1, maximum: null };
    product["team"] = (await story.plan("team", 1200, { quantity, benefitIds })).id;
    product["company"] = (await story.plan("company", 2000, { quantity, benefitIds: benefitIds.slice(0, 2) })).id;
    const pack = { key: "pack", name: "Pack", quantity, benefitIds: [benefit["projects"]] };
    const prices = [{ currency: "usd", amount: 500 }];
    product["pack"] = (await story.ok(story.app.manage("POST", "/products", { ...pack, prices }))).id;
    ada = await buy("ada", "team", 3);
    await story.news();
  });
  afterAll(() => story.close());

  it("2025-06-01: a purchase of 3 units has 3 times the projects and the devices", async () => {
    expect(await numbers("ada")).toEqual([3, 30, 6]);
    expect(await grant("ada", "sso")).toMatchObject({ quantity: 3, properties: { feature: "sso", value: true } });
    const { benefit: shown } = await grant("ada", "projects");
    expect(shown["properties"]).toEqual({ feature: "projects", value: 10, perUnit: true });
  });

  it("2025-06-05: the key is activated on 6 devices, and refuses a seventh (rule B4)", async () => {
    await story.travel("2025-06-05");
    for (let device = 0; device < 6; device += 1) expect(await activate("ada")).toMatchObject({ status: 201 });
    expect(await activate("ada")).toMatchObject({ status: 409, body: { code: "activation_limit_reached" } });
    await story.news();
  });

  it("2025-06-10: a rise that is not paid changes no grant, and a paid rise changes each of them", async () => {
    await story.travel("2025-06-10");
    const ben = await buy("ben", "team", 3, CARDS.failsLater);
    await story.news();
    expect(await patch(ben["id"], { quantity: 9 })).toMatchObject({ status: 402 });
    expect(await updates()).toEqual([]);
    expect(await numbers("ben")).toEqual([3, 30, 6]);
    const before = await grant("ada", "key");
    expect(await patch(ada["id"], { quantity: 5 })).toMatchObject({ status: 200 });
    expect(await updates()).toEqual(Array(3).fill("benefit_grant.updated"));
    expect(await numbers("ada")).toEqual([5, 50, 10]);
    expect(await grant("ada", "key")).toMatchObject({ id: before["id"], grantedAt: before["grantedAt"] });
    expect(await activate("ada")).toMatchObject({ status: 201, body: { activationLimit: 10, activations: 7 } });
    await story.news();
  });

  it("2025-06-16: a fall with the next period leaves the grants until then (rule P6)", async () => {
    await story.travel("2025-06-16");
    expect(await patch(ada["id"], { quantity: 2, prorationBehavior: "next_period" })).toMatchObject({ status: 200 });
    expect(await updates()).toEqual([]);
    expect(await numbers("ada")).toEqual([5, 50, 10]);
  });

  it("2025-07-01: the renewal changes the grants; no device is deactivated, and a new one is refused", async () => {
    await story.travel("2025-07-01");
    expect(await updates()).toEqual(Array(3).fill("benefit_grant.updated"));
    expect(await numbers("ada")).toEqual([2, 20, 4]);
    const own = await named("ada");
    const state = { valid: true, activationLimit: 4, activations: 7 };
    expect(await license("/validate", own)).toMatchObject({ status: 200, body: state });
    expect(await activate("ada")).toMatchObject({ status: 409, body: { code: "activation_limit_reached" } });
    const { id: grantId } = await grant("ada", "key");
    const { data } = await story.ok(story.app.manage("GET", `/benefit-grants/${grantId}/activations`));
    for (const { id: activationId } of data.slice(0, 4)) await license("/deactivate", { ...own, activationId });
    expect(await activate("ada")).toMatchObject({ status: 201, body: { activations: 4 } });
    await story.news();
  });

  it("2025-07-10: another Product and another quantity keep the shared grants and adjust them (rule B2)", async () => {
    await story.travel("2025-07-10");
    const before = await grant("ada", "projects");
    expect(await patch(ada["id"], { productKey: "company", quantity: 4 })).toMatchObject({ status: 200 });
    expect(await updates()).toEqual(["benefit_grant.revoked", "benefit_grant.updated", "benefit_grant.updated"]);
    expect(await grant("ada", "projects")).toMatchObject({ id: before["id"], grantedAt: before["grantedAt"] });
    expect(await numbers("ada")).toEqual([4, 40, 8]);
    expect(await patch(ada["id"], { productKey: "team" })).toMatchObject({ status: 200 });
    expect(await updates()).toEqual(["benefit_grant.granted"]);
    expect(await grant("ada", "sso")).toMatchObject({ quantity: 4 });
  });

  it("2025-07-12: a one-time purchase has its quantity, also for a Benefit that is added later", async () => {
    await story.travel("2025-07-12");
    const customer = { email: "cleo@example.com", externalId: "cleo" };
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pack", quantity: 7, customer }));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
    await story.ok(
      story.app.manage("PATCH", `/products/${product["pack"]}`, { benefitIds: [benefit["projects"], benefit["key"]] }),
    );
    await story.app.runDue();
    expect(await numbers("cleo")).toEqual([7, 70, 14]);
  });

  it("2025-07-13: two sources of a Benefit are two grants, and their quantities are not added (rule B5)", async () => {
    await story.travel("2025-07-13");
    const customer = { email: "ada@example.com", externalId: "ada" };
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pack", quantity: 3, customer }));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
    const projects = (await grants("ada")).filter(({ benefitId }) => benefitId === benefit["projects"]);
    expect(projects.map(({ quantity, properties }) => [quantity, properties.value])).toEqual([
      [3, 30],
      [4, 40],
    ]);
  });

  it("2025-07-14: an edit of `perUnit` shows at once (rule B1)", async () => {
    await story.travel("2025-07-14");
    await story.ok(story.app.manage("PATCH", `/benefits/${benefit["projects"]}`, { properties: { value: 10 } }));
    expect((await grant("cleo", "projects"))["properties"]).toEqual({ feature: "projects", value: 10 });
    await story.app.runDue();
    expect(await updates()).toContain("benefit_grant.updated");
  });
});
