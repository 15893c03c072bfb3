import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parseInstant } from "../../src/domain/calendar.ts";
import { startServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { customers } from "../../src/store/customers.ts";
import { sql } from "../../src/store/db.ts";
import { organizations } from "../../src/store/organizations.ts";
import { caller, type Json, type TestAnswer } from "../support/app.ts";
import { strangerOf } from "../support/operations.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

type License = { organizationId: string; key: string };
/** A sold license: the Subscription, the grant, and the data with which a program uses the key. */
type Sold = { id: string; customerId: string; grantId: string; license: License };

const keptStatement = sql(
  "licenses.test_kept",
  "SELECT count(*)::int AS count FROM idempotency_keys WHERE organization_id = $1",
);

let story: Story;
let benefitId: string;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const properties = { prefix: "ACME", activationLimit: 2 };
  benefitId = (
    await story.ok(
      story.app.manage("POST", "/benefits", { key: "editor", type: "license_key", name: "Editor", properties }),
    )
  ).id;
  await story.plan("pro", 3000, { benefitIds: [benefitId] });
  await story.plan("free", 0);
});
afterAll(() => story.close());

const call = (path: string, body: object, headers?: Record<string, string>) =>
  story.app.licenses("POST", path, body, headers);
const validate = (license: License, activationId?: string) =>
  call("/validate", { ...license, ...(activationId && { activationId }) });
const activate = (license: License, more: object = {}) => call("/activate", { ...license, ...more });
const deactivate = (license: License, activationId: string) => call("/deactivate", { ...license, activationId });
const activationsOf = (grantId: string, query = "") =>
  story.app.manage("GET", `/benefit-grants/${grantId}/activations${query}`);

async function licenseOf(externalCustomerId: string): Promise<Json> {
  const { data } = await story.ok(story.app.manage("GET", `/benefit-grants?externalCustomerId=${externalCustomerId}`));
  return data.find((grant: Json) => grant.benefitId === benefitId);
}

async function sell(name: string, card: string = CARDS.pays): Promise<Sold> {
  const customer = { email: `${name}@example.com`, externalId: name, name: `Customer ${name}` };
  const { id, customerId } = await story.buy({ productKey: "pro", customer }, card);
  const grant = await licenseOf(name);
  return {
    id,
    customerId,
    grantId: grant.id,
    license: { organizationId: story.app.organization.id, key: grant.properties.key },
  };
}

/** The events of a grant, each with the number of activations that it showed. */
async function historyOf(grantId: string): Promise<[type: string, sequence: number, activations: number][]> {
  const { data } = await story.ok(story.app.manage("GET", `/events?resourceId=${grantId}`));
  return data.map((event: Json) => [event.type, event.sequence, event.data.properties.activations]);
}

describe("the life of a key", () => {
  it("begins unused, takes the devices it may be used on, and gives their places back", async () => {
    const { license, grantId, customerId } = await sell("ada");
    const unused = {
      status: "active",
      expiresAt: null,
      activationLimit: 2,
      activations: 0,
      benefit: { key: "editor", name: "Editor" },
    };
    expect((await validate(license)).body).toEqual({ valid: true, ...unused, activation: null });

    const device = { label: "Ada's laptop", metadata: { os: "linux", cores: 8, docked: true } };
    const { status, body: laptop } = await activate(license, device);
    const activation = { id: expect.stringMatching(/^act_/), ...device, createdAt: "2025-06-01T09:00:00.000Z" };
    expect([status, laptop]).toEqual([201, { valid: true, ...unused, activations: 1, activation }]);
    expect((await validate(license, laptop.activation.id)).body).toEqual(laptop);

    const { body: phone } = await activate(license);
    expect(phone).toMatchObject({ activations: 2, activation: { label: null, metadata: {} } });
    expect(await activate(license)).toMatchObject({ status: 409, body: { code: "activation_limit_reached" } });

    const left = await deactivate(license, laptop.activation.id);
    expect([left.status, left.body]).toEqual([204, ""]);
    expect((await validate(license, laptop.activation.id)).body).toMatchObject({
      valid: false,
      status: "active",
      activation: null,
    });
    expect((await validate(license, phone.activation.id)).body).toMatchObject({ valid: true, activations: 1 });
    expect((await activate(license, { label: "desktop" })).status).toBe(201);

    expect(await historyOf(grantId)).toEqual([
      ["benefit_grant.granted", 1, 0],
      ["benefit_grant.updated", 2, 1],
      ["benefit_grant.updated", 3, 2],
      ["benefit_grant.updated", 4, 1],
      ["benefit_grant.updated", 5, 2],
    ]);
    const listed = await story.ok(story.app.api("GET", `/benefit-grants?customerId=${customerId}`));
    expect(listed.data[0].properties).toEqual({ key: license.key, activationLimit: 2, activations: 2 });
    expect((await licenseOf("ada")).properties).toEqual(listed.data[0].properties);
    expect(await story.audit()).toEqual([]);
  });

  it("is read however it is typed", async () => {
    const { license } = await sell("typed");
    for (const typed of [
      license.key.toLowerCase(),
      ` ${license.key.replaceAll("-", " ")} `,
      license.key.replaceAll("0", "O"),
    ]) {
      expect((await validate({ ...license, key: typed })).body).toMatchObject({ valid: true });
    }
  });

  it("does not reveal its owner", async () => {
    const { license, customerId, id } = await sell("secretive");
    const { body } = await activate(license);
    for (const answer of [body, (await validate(license, body.activation.id)).body]) {
      expect(JSON.stringify(answer)).not.toMatch(new RegExp(`secretive|${customerId}|${id}|bgr_|org_`));
    }
  });

  it("counts an activation once, however often it is sent for one Idempotency-Key", async () => {
    const { license, grantId } = await sell("retried");
    const send = () => call("/activate", { ...license, label: "laptop" }, { "Idempotency-Key": "installation-1" });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.activation.id}`)).size).toBe(1);
    expect((await send()).headers.get("Idempotency-Replayed")).toBe("true");
    expect((await activationsOf(grantId)).body.data).toHaveLength(1);
  });

  it("follows the limit of the Benefit, and takes no activation away", async () => {
    const { license } = await sell("limited");
    const [one, two] = [(await activate(license)).body, (await activate(license)).body];
    const limit = (activationLimit: number | null) =>
      story.ok(
        story.app.manage("PATCH", `/benefits/${benefitId}`, { properties: { prefix: "ACME", activationLimit } }),
      );
    await limit(1);
    for (const { activation } of [one, two]) {
      expect((await validate(license, activation.id)).body).toMatchObject({
        valid: true,
        activations: 2,
        activationLimit: 1,
      });
    }
    await deactivate(license, one.activation.id);
    expect((await activate(license)).body.code).toBe("activation_limit_reached");
    await limit(null);
    expect((await activate(license)).body).toMatchObject({ activations: 2, activationLimit: null });
    await limit(2);
  });
});

describe("at once", () => {
  it("only as many devices win as there are places, on every process", async () => {
    const { license, grantId } = await sell("crowd");
    const server = await startServer({ ...story.app.ctx, config: { ...story.app.ctx.config, port: 0 } });
    try {
      const elsewhere = caller(`http://127.0.0.1:${server.port}/licenses/v1`, null);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 ? story.app.licenses : elsewhere)("POST", "/activate", { ...license, label: `device ${n}` }),
        ),
      );
      const refused = answers.filter(({ body }) => body.code === "activation_limit_reached");
      expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([2, 8]);
      const { data } = (await activationsOf(grantId)).body;
      const same = await Promise.all(Array.from({ length: 5 }, () => deactivate(license, data[0].id)));
      expect(same.map(({ status }) => status)).toEqual(Array(5).fill(204));
    } finally {
      await server.close();
    }
    expect((await validate(license)).body.activations).toBe(1);
    expect((await historyOf(grantId)).map(([, , activations]) => activations)).toEqual([0, 1, 2, 1]);
    expect(await story.audit()).toEqual([]);
  });

  it("an activation and a change of the Subscription do not overwrite each other", async () => {
    const { license, grantId, id } = await sell("changing");
    for (const productKey of ["free", "pro", "free", "pro"]) {
      await Promise.all([
        story.change(id, { productKey, prorationBehavior: "none" }),
        activate(license).then(({ body }) => body.activation && deactivate(license, body.activation.id)),
      ]);
    }
    expect((await validate(license)).body).toMatchObject({ valid: true, activations: 0 });
    expect((await historyOf(grantId)).filter(([type]) => type === "benefit_grant.granted")).toHaveLength(3);
    expect(await story.audit()).toEqual([]);
  });
});

describe("while a Customer is locked", () => {
  /** Does `work` while another transaction holds the Customer. */
  function locked<T>(customerId: string, work: () => Promise<T>): Promise<T> {
    const { ctx, organization } = story.app;
    return ctx.db.tx(async (tx) => {
      await customers.lock(tx, organization.id, customerId);
      return work();
    });
  }

  it("a deactivation that removes nothing does not wait, and stores nothing", async () => {
    const { license, customerId } = await sell("gone");
    const send = (activationId: string, key: string) =>
      call("/deactivate", { ...license, activationId }, { "Idempotency-Key": key });
    const { activation } = (await activate(license)).body;
    expect((await send(activation.id, "gone-1")).status).toBe(204);
    const before = await story.app.ctx.db.read.query<{ count: number }>(keptStatement, [license.organizationId]);
    const repeated = await locked(customerId, async () => {
      expect((await deactivate(license, "act_x")).status).toBe(204);
      for (const key of ["gone-2", "gone-3"]) expect((await send(activation.id, key)).status).toBe(204);
      return send(activation.id, "gone-1");
    });
    expect([repeated.status, repeated.headers.get("Idempotency-Replayed")]).toEqual([204, "true"]);
    expect(await send("act_x", "gone-1")).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    expect(await call("/deactivate", { ...license, key: "x", activationId: "act_x" })).toMatchObject({ status: 404 });
    expect(await story.app.ctx.db.read.query(keptStatement, [license.organizationId])).toEqual(before);
  });

  it("two of their changes wait for them, some before that, and no others at all", async () => {
    const [crowd, other] = [await sell("many"), await sell("calm")];
    const refused: TestAnswer[] = [];
    const someRefused = Promise.withResolvers<void>();
    const send = async () => {
      const answer = await activate(crowd.license);
      if (answer.status === 429 && refused.push(answer) === 18) someRefused.resolve();
      return answer.body.code ?? answer.status;
    };
    const sent = await locked(crowd.customerId, async () => {
      const all = Array.from({ length: 50 }, send);
      await someRefused.promise;
      expect((await activate(other.license)).status).toBe(201);
      return { all };
    });
    const outcomes = Object.groupBy(await Promise.all(sent.all), (outcome) => String(outcome));
    expect(Object.entries(outcomes).map(([outcome, of]) => [outcome, of!.length])).toEqual(
      expect.arrayContaining([
        ["201", 2],
        ["activation_limit_reached", 30],
        ["rate_limited", 18],
      ]),
    );
    expect([refused[0]!.headers.get("Retry-After"), (await validate(crowd.license)).body.activations]).toEqual([
      "1",
      2,
    ]);
    expect(await story.audit()).toEqual([]);
  });
});

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

describe("the Organization", () => {
  it("sees a key's devices, newest first and in pages, and takes one away that was lost", async () => {
    const { license, grantId } = await sell("owner");
    const [old, lost] = [
      (await activate(license, { label: "old" })).body.activation,
      (await activate(license, { label: "lost" })).body.activation,
    ];
    expect((await activationsOf(grantId)).body).toEqual({ data: [lost, old], nextCursor: null });
    const { body: first } = await activationsOf(grantId, "?limit=1");
    expect([first.data, (await activationsOf(grantId, `?limit=1&cursor=${first.nextCursor}`)).body]).toEqual([
      [lost],
      { data: [old], nextCursor: null },
    ]);
    const path = `/benefit-grants/${grantId}/activations/${lost.id}`;
    expect((await story.app.manage("DELETE", path)).status).toBe(204);
    expect(await story.app.manage("DELETE", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await validate(license, lost.id)).body).toMatchObject({ valid: false, activations: 1 });
    expect((await historyOf(grantId)).at(-1)).toEqual(["benefit_grant.updated", 4, 1]);
    expect((await activate(license)).status).toBe(201);
  });

  it("finds no device of another Organization, nor one under the wrong grant", async () => {
    const [one, other] = [await sell("one"), await sell("two")];
    const { activation } = (await activate(one.license)).body;
    const { manage } = await strangerOf(story.app);
    const missing = { status: 404, body: { code: "not_found" } };
    expect(await manage("GET", `/benefit-grants/${one.grantId}/activations`)).toMatchObject(missing);
    expect(await manage("DELETE", `/benefit-grants/${one.grantId}/activations/${activation.id}`)).toMatchObject(
      missing,
    );
    for (const [grantId, id] of [
      [other.grantId, activation.id],
      [one.grantId, newId("act")],
      [one.grantId, "nonsense"],
      [newId("bgr"), activation.id],
      ["nonsense", activation.id],
    ]) {
      expect(await story.app.manage("DELETE", `/benefit-grants/${grantId}/activations/${id}`)).toMatchObject(missing);
    }
    expect(await activationsOf(newId("bgr"))).toMatchObject(missing);
    expect(await activationsOf("nonsense")).toMatchObject(missing);
    expect((await activationsOf(one.grantId, "?limit=0")).status).toBe(422);
    expect((await validate(one.license, activation.id)).body).toMatchObject({ valid: true });
  });

  it("may not do so with a key of the public API", async () => {
    const publicKey = caller(`${story.app.url}/manage/v1`, story.app.keys.public);
    expect((await publicKey("GET", `/benefit-grants/${newId("bgr")}/activations`)).status).toBe(403);
  });
});
