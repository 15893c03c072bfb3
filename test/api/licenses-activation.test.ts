import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { customers } from "../../src/store/customers.ts";
import { sql } from "../../src/store/driver/db.ts";
import { caller, type TestAnswer } from "../support/app.ts";
import { licensesOf, openLicenseShop, type LicenseShop } from "../support/licenses.ts";
import { foreignCallersOf } from "../support/operations.ts";
import type { Story } from "../support/story.ts";

const keptStatement = sql(
  "test.kept_license",
  "SELECT count(*)::int AS count FROM idempotency_keys WHERE organization_id = $1",
);

let shop: LicenseShop;
let story: Story;
let benefitId: string;
beforeAll(async () => {
  shop = await openLicenseShop();
  ({ story, benefitId } = shop);
});
afterAll(() => story.close());

const { call, validate, activate, deactivate, activationsOf, licenseOf, sell, historyOf } = licensesOf(() => shop);

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
    const createdAt = "2025-06-01T09:00:00.000Z";
    const activation = { id: expect.stringMatching(/^act_/), ...device, lastSeenAt: null, createdAt };
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
    const { manage } = await foreignCallersOf(story.app);
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
