import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parseInstant } from "../../src/domain/calendar.ts";
import { newId } from "../../src/ids.ts";
import { organizations } from "../../src/store/organizations.ts";
import type { TestAnswer } from "../support/app.ts";
import { licensesOf, openLicenseShop, type License, type LicenseShop } from "../support/licenses.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let shop: LicenseShop;
let story: Story;
beforeAll(async () => {
  shop = await openLicenseShop();
  ({ story } = shop);
});
afterAll(() => story.close());

const { validate, activate, deactivate, activationsOf, sell, historyOf } = licensesOf(() => shop);

describe("where access has ended", () => {
  const REVOKED = { valid: false, status: "revoked" };

  it("the key is not valid, takes no device, and can be given up; where it comes back, so do its devices", async () => {
    const { license, id, grantId } = await sell("wavering");
    const { activation } = (await activate(license, { label: "laptop" })).body;
    const { body: other } = await activate(license);
    await story.change(id, { productKey: "free", prorationBehavior: "none" });
    expect((await validate(license, activation.id)).body).toMatchObject({
      ...REVOKED,
      activations: 2,
      activation: { label: "laptop" },
    });
    expect(await activate(license)).toMatchObject({ status: 409, body: { code: "license_not_active" } });
    expect((await deactivate(license, other.activation.id)).status).toBe(204);
    await story.change(id, { productKey: "pro", prorationBehavior: "none" });
    expect((await validate(license, activation.id)).body).toMatchObject({
      valid: true,
      status: "active",
      activations: 1,
    });
    expect((await historyOf(grantId)).map(([type, , activations]) => `${type.split(".")[1]} ${activations}`)).toEqual(
      "granted 0,updated 1,updated 2,revoked 2,updated 1,granted 1".split(","),
    );
  });

  it("the key is not valid at once after `cancel-now`, nor after a deletion, which blanks the devices", async () => {
    const { license, id, customerId, grantId } = await sell("leaving");
    await activate(license, { label: "Leaving's laptop", metadata: { host: "leaving" } });
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
    expect((await validate(license)).body).toMatchObject(REVOKED);
    expect((await story.app.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    expect((await validate(license)).body).toMatchObject({ ...REVOKED, activations: 1 });
    expect((await activate(license)).body.code).toBe("license_not_active");
    const { data } = (await activationsOf(grantId)).body;
    expect(data).toMatchObject([{ label: null, metadata: {} }]);
    expect((await deactivate(license, data[0].id)).status).toBe(204);
    expect((await activationsOf(grantId)).body.data).toEqual([]);
  });
});

describe("exact on read, though no worker has come by", () => {
  async function setClock(own: Story, clock: string): Promise<void> {
    await own.app.ctx.db.tx(async (tx) => {
      const row = await organizations.lock(tx, own.app.organization.id);
      await organizations.update(tx, { ...row!, clockAt: parseInstant(clock) });
    });
  }

  async function open(card: string): Promise<{ own: Story; license: License; id: string; customerId: string }> {
    const own = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { id: licence } = await own.ok(own.app.manage("POST", "/benefits", { type: "license_key", name: "Editor" }));
    await own.plan("pro", 3000, { benefitIds: [licence] });
    const { id, customerId } = await own.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, card);
    const [grant] = (await own.ok(own.app.api("GET", `/benefit-grants?customerId=${customerId}`))).data;
    return { own, id, customerId, license: { organizationId: own.app.organization.id, key: grant.properties.key } };
  }

  it("a planned end, to the millisecond", async () => {
    const { own, license, id } = await open(CARDS.pays);
    try {
      const send = (path: string) => own.app.licenses("POST", path, license);
      const { body: used } = await send("/activate");
      await own.change(id, { cancelAtPeriodEnd: true });
      await setClock(own, "2025-07-01T08:59:59.999Z");
      expect((await send("/validate")).body).toMatchObject({ valid: true, expiresAt: "2025-07-01T09:00:00.000Z" });
      await setClock(own, "2025-07-01T09:00:00.000Z");
      expect((await send("/validate")).body).toMatchObject({ valid: false, status: "revoked", activations: 1 });
      expect((await send("/activate")).body.code).toBe("license_not_active");
      const given = await own.app.licenses("POST", "/deactivate", { ...license, activationId: used.activation.id });
      expect(given.status).toBe(204);
      expect((await own.news()).slice(-2)).toEqual(["benefit_grant.revoked", "benefit_grant.updated"]);
      expect(await own.audit()).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it("the grace after a failed payment, and the access that comes back when it is paid", async () => {
    const { own, license, customerId } = await open(CARDS.failsLater);
    try {
      const send = (path: string, more: object = {}) => own.app.licenses("POST", path, { ...license, ...more });
      const { activation } = (await send("/activate")).body;
      await own.travel("2025-07-02");
      const inGrace = (await send("/validate", { activationId: activation.id })).body;
      expect(inGrace).toMatchObject({ valid: true, expiresAt: "2025-07-08T09:00:00.000Z" });
      expect((await send("/activate")).status).toBe(201);
      await own.travel("2025-07-09");
      expect((await send("/validate")).body).toMatchObject({ valid: false, status: "revoked", activations: 2 });
      expect((await send("/activate")).body.code).toBe("license_not_active");
      await own.newCard(customerId, CARDS.pays);
      const back = (await send("/validate", { activationId: activation.id })).body;
      expect(back).toMatchObject({
        valid: true,
        status: "active",
        expiresAt: null,
        activations: 2,
        activation: { id: activation.id },
      });
    } finally {
      await own.close();
    }
  });
});

describe("one answer", () => {
  const seen = ({ status, headers, body }: TestAnswer) => {
    return [status, JSON.stringify({ ...body, requestId: "" }), [...headers.keys()].filter((name) => name !== "date")];
  };

  it("for a key that is unknown, another Organization's, or of an Organization that there is not", async () => {
    const { license } = await sell("target");
    const { activation } = (await activate(license)).body;
    const { organization } = await story.app.otherOrganization();
    const { license: mine } = await sell("known");
    const wrong = [
      { ...license, key: "ACME-00000-00000-00000-00000" },
      { ...license, key: "nonsense" },
      { ...license, key: "-" },
      { ...license, organizationId: organization.id },
      { ...license, organizationId: newId("org") },
      { ...license, organizationId: "nonsense" },
    ];
    const unknown = await validate(wrong[0]!);
    expect(unknown).toMatchObject({ status: 404, body: { code: "license_not_found" } });
    for (const each of wrong) {
      for (const answer of [await validate(each), await activate(each), await deactivate(each, activation.id)]) {
        expect(seen(answer)).toEqual(seen(unknown));
      }
    }
    expect((await validate(mine, activation.id)).body).toMatchObject({
      valid: false,
      status: "active",
      activation: null,
    });
    expect((await deactivate(mine, activation.id)).status).toBe(204);
    expect((await validate(license, activation.id)).body).toMatchObject({ valid: true, activations: 1 });
  });

  test.each(["nonsense", newId("act"), newId("sub")])(
    "for the activation %s, which there is not",
    async (activationId) => {
      const { license } = await sell(`without-${activationId.slice(0, 12)}${activationId.slice(-4)}`);
      expect((await validate(license, activationId)).body).toMatchObject({ valid: false, status: "active" });
      expect((await deactivate(license, activationId)).status).toBe(204);
    },
  );
});
