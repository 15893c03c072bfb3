import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json, TestApp, TestCall } from "../support/app.ts";
import { closeCustomerApp, customersOf, faults, fresh, startCustomerApp } from "../support/customers.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
const { create, patch, remove, read, recordedOf, checkout, pay } = customersOf(() => app);

beforeAll(async () => {
  app = await startCustomerApp();
  foreign = await foreignCallersOf(app);
});
afterAll(() => closeCustomerApp(app));

describe("DELETE of a Customer", () => {
  it("answers 204 once, then 404, and keeps to If-Match", async () => {
    const { id } = await create();
    const etag = (await read(id)).headers.get("ETag")!;
    await ok(patch(id, { name: "Ada" }));
    expect(await remove(id, { "If-Match": etag })).toMatchObject({
      status: 412,
      body: { code: "precondition_failed" },
    });
    expect((await foreign.manage("DELETE", `/customers/${id}`)).status).toBe(404);
    expect(await remove(id)).toMatchObject({ status: 204, body: "" });
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await remove(newId("cus"))).status).toBe(404);
    expect(await recordedOf(id)).toEqual(["customer.created", "customer.updated", "customer.deleted"]);
  });

  it("is 409 while they have credit, with the amounts, until it says that the credit is forfeited", async () => {
    const { id } = await create();
    const adjust = (currency: string, amount: number) =>
      ok(app.manage("POST", `/customers/${id}/balance-adjustments`, { currency, amount, reason: "Gift" }));
    await adjust("usd", -700);
    await adjust("eur", 500);
    await adjust("jpy", 20);
    const balances = [
      { currency: "eur", amount: 500 },
      { currency: "jpy", amount: 20 },
    ];
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: "balance_left", balances } });
    expect(await read(id)).toMatchObject({ status: 200 });
    for (const wrong of ["yes", "", "1", "TRUE"]) {
      const refused = { status: 422, body: { errors: [{ in: "query", pointer: "forfeitBalance" }] } };
      expect(await app.manage("DELETE", `/customers/${id}?forfeitBalance=${wrong}`)).toMatchObject(refused);
    }
    expect((await foreign.manage("DELETE", `/customers/${id}?forfeitBalance=true`)).status).toBe(404);
    const forfeit = () => app.manage("DELETE", `/customers/${id}?forfeitBalance=true`);
    expect((await forfeit()).status).toBe(204);
    expect((await forfeit()).status).toBe(404);
    expect(await recordedOf(id)).toEqual(["customer.created", "customer.deleted"]);
  });

  it("writes a debt off without being asked", async () => {
    const { id } = await create();
    await ok(
      app.manage("POST", `/customers/${id}/balance-adjustments`, {
        currency: "usd",
        amount: -700,
        reason: "A mistake",
      }),
    );
    expect((await remove(id)).status).toBe(204);
  });

  it("deletes once, however many ask at once", async () => {
    const { id } = await create();
    await ok(pay((await checkout(id)).id, CARDS.pays));
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect(await recordedOf(id)).toEqual(["customer.created", "customer.deleted"]);
  });

  it("frees e-mail and externalId for somebody new", async () => {
    const body = { email: fresh(), externalId: "used-twice" };
    for (let n = 0; n < 2; n += 1) {
      const plain = await ok(app.api("POST", "/customers", { email: body.email }));
      const named = await ok(app.api("POST", "/customers", body));
      for (const { id } of [plain, named]) expect((await remove(id)).status).toBe(204);
    }
    const { customerId } = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer: body }));
    expect((await read(customerId)).body).toMatchObject(body);
  });

  it("leaves no Customer to be found", async () => {
    const { id, email } = await create({ externalId: "gone" });
    const { id: open } = await checkout(id);
    expect((await remove(id)).status).toBe(204);
    for (const path of ["", "/balance", "/balance-entries", "/payment-methods"]) {
      expect((await app.manage("GET", `/customers/${id}${path}`)).status).toBe(404);
    }
    for (const query of [`email=${email}`, "externalId=gone", `search=${email}`, "limit=100"]) {
      expect(JSON.stringify((await app.manage("GET", `/customers?${query}`)).body)).not.toContain(id);
    }
    expect((await app.api("GET", `/benefit-grants?customerId=${id}`)).status).toBe(404);
    expect((await app.api("GET", "/benefit-grants?externalCustomerId=gone")).body.data).toEqual([]);
    const named = await app.api("POST", "/checkouts", { productKey: "pro", customerId: id });
    expect([named.status, faults(named)]).toEqual([422, ["/customerId unknown_customer"]]);
    const external = await app.api("POST", "/checkouts", { productKey: "pro", externalCustomerId: "gone" });
    expect([external.status, faults(external)]).toEqual([422, ["/externalCustomerId unknown_customer"]]);
    expect((await app.manage("POST", `/sandbox/customers/${id}/card`, { card: CARDS.pays })).status).toBe(404);
    expect(
      (await app.manage("POST", `/customers/${id}/balance-adjustments`, { currency: "usd", amount: 1, reason: "x" }))
        .status,
    ).toBe(404);
    expect(await pay(open, CARDS.pays)).toMatchObject({ status: 409, body: { code: "checkout_not_open" } });
    expect((await app.api("GET", `/checkouts/${open}`)).body).toMatchObject({
      status: "expired",
      externalCustomerId: null,
    });
  });

  it("waits for a payment: a Checkout that is being paid", async () => {
    const { id } = await create();
    const { id: paying } = await checkout(id);
    expect(await ok(pay(paying, CARDS.asksBuyer))).toMatchObject({ status: "processing" });
    const refused = await remove(id);
    expect(refused).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect((await read(id)).status).toBe(200);
    expect(await ok(app.api("GET", `/checkouts/${paying}`))).toMatchObject({ status: "processing" });
  });

  it("waits for a change that is being paid", async () => {
    const { id } = await create();
    await ok(pay((await checkout(id)).id, CARDS.pays));
    await ok(app.manage("POST", `/sandbox/customers/${id}/card`, { card: CARDS.answerLost }));
    const [{ id: subscriptionId }] = (await app.manage("GET", `/subscriptions?customerId=${id}`)).body.data;
    await ok(
      app.manage("POST", "/products", {
        key: "top",
        name: "Top",
        interval: "month",
        prices: [{ currency: "usd", amount: 9000 }],
      }),
    );
    expect((await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "top" })).status).toBe(503);
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    expect((await app.api("GET", `/subscriptions/${subscriptionId}`)).body.status).toBe("active");
  });

  it("does not answer a stored answer that showed them, nor does it all again", async () => {
    const body = { email: fresh(), externalId: "kept-answer", name: "Kept" };
    const send = () => app.api("POST", "/customers", body, { "Idempotency-Key": "kept-customer" });
    const sell = () =>
      app.api("POST", "/checkouts", { productKey: "pro", customerId: id }, { "Idempotency-Key": "kept-checkout" });
    const { id } = await ok(send());
    await ok(sell());
    expect((await remove(id)).status).toBe(204);
    for (const again of [send, sell])
      expect(await again()).toMatchObject({ status: 409, body: { code: "idempotency_key_used" } });
    expect((await app.manage("GET", "/customers?externalId=kept-answer")).body.data).toEqual([]);
  });

  it("leaves Subscriptions that answer like any canceled one", async () => {
    const { id } = await create();
    const { subscriptionId } = await ok(pay((await checkout(id)).id, CARDS.pays));
    expect((await remove(id)).status).toBe(204);
    const canceled = { status: 409, body: { code: "subscription_canceled" } };
    expect(await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "max" })).toMatchObject(canceled);
    expect(await app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {})).toMatchObject(canceled);
  });

  it("races with other requests for the Customer: each happens whole before it, or not at all", async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id, email } = await create();
      const { id: open } = await checkout(id);
      const body = { productKey: "book", customer: { email } };
      const [removed, paid, sold, changed] = await Promise.all([
        remove(id),
        pay(open, CARDS.pays),
        app.api("POST", "/checkouts", body),
        patch(id, { name: "Raced" }),
      ]);
      expect([204, 409]).toContain(removed.status);
      expect([200, 409]).toContain(paid.status);
      expect([200, 404]).toContain(changed.status);
      expect(sold.status).toBe(201);
      if (removed.status === 409) expect((await remove(id)).status).toBe(204);
      for (const path of [`/subscriptions?customerId=${id}`, `/checkouts?customerId=${id}`]) {
        const { data } = (await app.manage("GET", path)).body;
        expect(data.filter((each: Json) => !["canceled", "completed", "expired"].includes(each.status))).toEqual([]);
      }
      const found = await ok(app.api("GET", `/checkouts/${sold.body.id}`));
      if (found.customerId !== id) expect((await read(found.customerId)).body.email).toBe(email);
    }
  });
});
