import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importOf } from "../../src/store/imports.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { hold, moveRow, release } from "../support/held.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let other: TestApp;
let held: Subscription;
let productId: string;
let customerId: string;

async function buyer(name: string): Promise<string> {
  const { id } = await story.ok(
    story.app.api("POST", "/customers", { email: `${name}@example.com`, externalId: name }),
  );
  await story.newCard(id, CARDS.pays);
  return id;
}

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-10T09:00:00Z" });
  other = await startTestApp();
  ({ id: productId } = await story.plan("pro", 3000, { quantity: { maximum: 9 } }));
  await story.plan("team", 6000);
  customerId = await buyer("ada");
  held = await hold(story.app, customerId, "pro");
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
  await other.close();
});

type Call = {
  name: string;
  by: "api" | "manage";
  method: "PATCH" | "POST" | "DELETE";
  path: () => string;
  body?: object;
};
const own = (path: string) => () => `/subscriptions/${held.id}${path}`;
const TRIAL = { trialEnd: "2030-01-01T00:00:00Z" };
const CALLS: Call[] = [
  { name: "another Product", by: "api", method: "PATCH", path: own(""), body: { productKey: "team" } },
  { name: "another quantity", by: "api", method: "PATCH", path: own(""), body: { quantity: 2 } },
  { name: "a planned end", by: "api", method: "PATCH", path: own(""), body: { cancelAtPeriodEnd: true } },
  { name: "no planned end", by: "api", method: "PATCH", path: own(""), body: { cancelAtPeriodEnd: false } },
  { name: "the preview of a change", by: "manage", method: "POST", path: own("/preview"), body: { quantity: 2 } },
  { name: "a pause", by: "manage", method: "POST", path: own("/pause"), body: { access: "keep" } },
  { name: "a resume", by: "manage", method: "POST", path: own("/resume") },
  { name: "the preview of a resume", by: "manage", method: "POST", path: own("/resume/preview") },
  { name: "no discount", by: "manage", method: "POST", path: own("/discount"), body: { discountCode: null } },
  {
    name: "the preview of no discount",
    by: "manage",
    method: "POST",
    path: own("/discount/preview"),
    body: { discountCode: null },
  },
  { name: "a longer trial", by: "manage", method: "POST", path: own("/trial"), body: TRIAL },
  { name: "the preview of a longer trial", by: "manage", method: "POST", path: own("/trial/preview"), body: TRIAL },
  { name: "the deletion of the Customer", by: "manage", method: "DELETE", path: () => `/customers/${customerId}` },
  {
    name: "the archive of the Product",
    by: "manage",
    method: "PATCH",
    path: () => `/products/${productId}`,
    body: { archived: true },
  },
  {
    name: "a Checkout for another Product",
    by: "api",
    method: "POST",
    path: () => "/checkouts",
    // The Subscription is read at the time of the call.
    get body() {
      return { subscriptionId: held.id, productKey: "team" };
    },
  },
];

describe("a held Subscription", () => {
  test.each(CALLS)("refuses $name, also when the request is repeated", async ({ by, method, path, body }) => {
    const before = await story.subscription(held.id);
    const key = { "Idempotency-Key": `key of ${method} ${path()} ${JSON.stringify(body)}` };
    for (const headers of [{}, key, key]) {
      const answer = await story.app[by](method, path(), body, headers);
      expect(answer.body).toMatchObject({ status: 409, code: "subscription_held" });
      expect(answer.body["detail"]).toContain("Make the change there, or after the cut-over.");
    }
    expect(await story.subscription(held.id)).toEqual(before);
  });

  test("takes the place in its group", async () => {
    const answer = await story.app.manage("POST", "/subscriptions", { customerId, productKey: "team" });
    expect(answer.body).toMatchObject({ status: 409, code: "already_subscribed", subscriptionId: held.id });
  });

  test("is read with its origin, alone and in lists", async () => {
    const imported = { source: "stripe", reference: "sub_ada", held: true };
    expect(await story.subscription(held.id)).toMatchObject({ imported });
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions?customerId=${customerId}`));
    expect(data).toMatchObject([{ id: held.id, imported }]);
  });

  test("is not found by another Organization", async () => {
    for (const path of ["", "/cancel-now", "/pause"]) {
      const [method, body] = path === "" ? (["GET", undefined] as const) : (["POST", {}] as const);
      const sent = path === "/pause" ? { access: "keep" } : body;
      const answer = await other.manage(method, `/subscriptions/${held.id}${path}`, sent);
      expect(answer.status).toBe(404);
    }
  });

  test("is checked against the caller's version first", async () => {
    const stale = { "If-Match": '"stale"' };
    const answer = await story.app.api("PATCH", `/subscriptions/${held.id}`, { quantity: 2 }, stale);
    expect(answer.status).toBe(412);
  });
});

describe("cancel-now of a held Subscription", () => {
  const give = (id: string, headers = {}) => story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}, headers);
  const rowOf = ({ organizationId, id }: Subscription) => importOf(story.app.ctx.db.read, organizationId, id);
  let ben: Subscription;
  beforeAll(async () => {
    ben = await hold(story.app, await buyer("ben"), "pro", { ref: "sub_ben" });
  });

  test("shows that it makes no invoice", async () => {
    const path = `/subscriptions/${ben.id}/cancel-now/preview`;
    expect(await story.ok(story.app.manage("POST", path, {}))).toMatchObject({ lines: [], chargeAmount: 0 });
  });

  test("is refused while the cut-over stops it in the other system", async () => {
    await moveRow(story.app, ben, "stopping");
    expect((await give(ben.id)).body).toMatchObject({ status: 409, code: "subscription_held" });
    expect(await story.subscription(ben.id)).toMatchObject({ status: "active" });
    expect(await rowOf(ben)).toMatchObject({ state: "stopping" });
    await moveRow(story.app, ben, "imported");
  });

  test("gives the import up, once, without an invoice", async () => {
    await story.news();
    const key = { "Idempotency-Key": "give up" };
    const [first, again] = [await give(ben.id, key), await give(ben.id, key)];
    expect(first.body).toMatchObject({ status: "canceled", imported: { held: true } });
    expect(again.body).toEqual(first.body);
    expect(await story.news()).toEqual(["subscription.canceled"]);
    expect(await story.statement()).toEqual([]);
    expect(await rowOf(ben)).toMatchObject({ state: "left" });
    expect((await give(ben.id)).body).toMatchObject({ status: 409, code: "subscription_canceled" });
  });

  test("lets the Customer be deleted", async () => {
    const { status } = await story.app.manage("DELETE", `/customers/${ben.customerId}`);
    expect(status).toBe(204);
  });
});

test("each change is possible after the release", async () => {
  const eva = await hold(story.app, await buyer("eva"), "pro", { ref: "sub_eva" });
  await moveRow(story.app, eva, "stopping");
  await release(story.app, eva, { ref: "sub_eva" });
  const changed: Json = await story.change(eva.id, { quantity: 2, prorationBehavior: "next_period" });
  expect(changed).toMatchObject({ imported: { held: false }, pendingChange: { quantity: 2, unitAmount: 2800 } });
  const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${eva.id}/timeline`));
  const texts = data.map(({ text }: Json) => text);
  expect(texts).toContain("The Subscription was imported, US$28.00 every month. The other system goes on to bill it.");
  expect(texts).toContain("The other system stopped billing. Billow bills it from now on.");
});
