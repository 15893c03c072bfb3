import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { advanceSandbox, caller, type Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const comeDueStatement = sql(
  "test.cards_due",
  "UPDATE payment_methods SET due_at = statement_timestamp() WHERE organization_id = $1 AND due_at IS NOT NULL",
);

let story: Story;
beforeEach(async () => {
  story = await startStory({ clock: "2026-06-10T09:00:00Z", timeZone: "Europe/Berlin" });
  await story.plan("pro", 3000, { name: "Pro", interval: "year" });
  await story.plan("max", 5000, { name: "Max", group: "more", interval: "year" });
});
afterEach(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const ADA = { customer: { email: "ada@example.com", externalId: "ada" } };
const EXPIRING = "payment_method.expiring";
const post = (path: string, body: object = {}): Promise<Json> => story.ok(story.app.manage("POST", path, body));
const get = (path: string): Promise<Json> => story.ok(story.app.manage("GET", path));

/** The card of a Customer as the bank has it from now on. */
async function expire({ customerId }: Json, expMonth: number, expYear = 2026): Promise<Json> {
  const [card] = (await get(`/customers/${customerId}/payment-methods`)).data;
  return post(`/sandbox/payment-methods/${card.id}/update`, { expMonth, expYear });
}
/** Ada has bought Pro with a card that expires at the end of the month, and the events are read. */
async function sold(expMonth: number): Promise<Json> {
  const bought = await story.buy({ productKey: "pro", ...ADA }, CARDS.pays);
  await expire(bought, expMonth);
  await story.news();
  return bought;
}
const announced = async () => (await story.news()).filter((type) => type === EXPIRING).length;
const expiringEvents = async () => (await story.events()).filter(({ type }) => type === EXPIRING);
async function emails(query = ""): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await get(`/emails?kind=card_expiring${query}`);
  return Promise.all(data.map(({ id }: Json) => get(`/emails/${id}`)));
}

describe("a card that a Subscription goes on with", () => {
  it("is announced 30 days before its month ends in the seller's zone, once", async () => {
    const { customerId } = await sold(9);
    const [before] = (await get(`/customers/${customerId}/payment-methods`)).data;
    const etag = (await story.app.manage("GET", `/payment-methods/${before.id}`)).headers.get("etag");

    // 30 September ends in Berlin at 22:00 UTC, so 31 August, 22:00 UTC is 30 days before.
    await story.travel("2026-08-31T21:59:59.999Z");
    expect(await announced()).toBe(0);
    const next = await post("/sandbox/clock/advance", { toNextDue: true });
    expect(next).toMatchObject({ now: "2026-08-31T22:00:00.000Z", done: 1 });
    expect(await story.news()).toEqual([EXPIRING]);
    expect(await expiringEvents()).toMatchObject([
      { createdAt: "2026-08-31T22:00:00.000Z", sequence: 2, data: before },
    ]);
    const after = await story.app.manage("GET", `/payment-methods/${before.id}`);
    expect([after.body, after.headers.get("etag")]).toEqual([before, etag]);

    const [email, ...others] = await emails();
    expect(others).toEqual([]);
    expect(email).toMatchObject({ status: "kept", to: "ada@example.com", createdAt: "2026-08-31T22:00:00.000Z" });
    expect(email!["subject"]).toBe("[Sandbox] Your card ending in 4242 expires soon");
    expect(email!["text"]).toContain(
      "Your Visa ending in 4242 expires at the end of September 2026. Update your card to keep your subscription to " +
        "Pro running.",
    );
    expect(email!["text"]).toContain(`/portal/${story.app.organization.id}/card`);

    await story.travel("2026-10-20");
    expect(await announced()).toBe(0);
    const { data } = await get(`/subscriptions/${(await get("/subscriptions")).data[0].id}/timeline?limit=100`);
    expect(data.map(({ text }: Json) => text)).toContain(
      "Notice was given that the card Visa ending in 4242 expires at the end of 09/2026.",
    );
  });

  it("is announced at once if fewer than 30 days are left, in one e-mail for all Subscriptions", async () => {
    const bought = await story.buy({ productKey: "pro", ...ADA }, CARDS.pays);
    await post("/subscriptions", { productKey: "max", externalCustomerId: "ada" });
    await story.news();
    await expire(bought, 6);
    expect(await story.news()).toEqual(["payment_method.updated", EXPIRING]);
    const [email] = await emails();
    expect(email!["text"]).toContain("your subscription to Pro and Max running");
  });

  it("is announced again when the bank replaces it by one that expires, too", async () => {
    const bought = await sold(6);
    expect(await expiringEvents()).toHaveLength(1);
    await expire(bought, 6, 2027);
    await story.travel("2027-05-31");
    expect(await announced()).toBe(0);
    await story.travel("2027-06-02");
    expect(await announced()).toBe(1);
  });

  it("has the same announcement in a leap as in steps", async () => {
    const recorded: unknown[] = [];
    for (const step of [14, 200]) {
      const { keys } = await story.app.otherOrganization({ clock: "2026-06-10T09:00:00Z" });
      const [api, manage] = [
        caller(`${story.app.url}/public/v2`, keys.public),
        caller(`${story.app.url}/manage/v1`, keys.manage),
      ];
      const plan = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
      await story.ok(manage("POST", "/products", plan));
      const { id } = await story.ok(api("POST", "/checkouts", { productKey: "pro", ...ADA }));
      const { customerId } = await story.ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
      const [card] = (await story.ok(manage("GET", `/customers/${customerId}/payment-methods`))).data;
      const expiry = { expMonth: 9, expYear: 2026 };
      await story.ok(manage("POST", `/sandbox/payment-methods/${card.id}/update`, expiry));
      for (let days = 0; days < 200; days += step)
        expect((await advanceSandbox(manage, { by: `P${step}D` })).status).toBe(200);
      const { data } = await story.ok(manage("GET", "/events?limit=100"));
      recorded.push(data.map(({ type, createdAt }: Json) => `${createdAt} ${type}`).sort());
    }
    expect((recorded[0] as string[]).filter((line) => line.endsWith(EXPIRING))).toEqual([
      `2026-09-01T00:00:00.000Z ${EXPIRING}`,
    ]);
    expect((recorded[1] as string[]).slice(0, 20)).toEqual((recorded[0] as string[]).slice(0, 20));
  });
});

describe("no announcement is made", () => {
  it("of a card that no Subscription is charged to, until there is one", async () => {
    const bought = await story.buy({ productKey: "pro", ...ADA }, CARDS.pays);
    await expire(bought, 9);
    await post(`/subscriptions/${bought.id}/cancel-now`);
    await story.travel("2026-09-10");
    expect(await announced()).toBe(0);
    // 10 September: a new Subscription with the card on file, 20 days before the expiry
    await post("/subscriptions", { productKey: "max", externalCustomerId: "ada" });
    expect(await announced()).toBe(1);
  });

  it("of a Subscription that is to end, until the cancellation is undone", async () => {
    const { id } = await sold(9);
    await story.change(id, { cancelAtPeriodEnd: true });
    await story.travel("2026-09-05");
    expect(await announced()).toBe(0);
    await story.change(id, { cancelAtPeriodEnd: false });
    expect(await announced()).toBe(1);
    expect((await expiringEvents())[0]).toMatchObject({ createdAt: "2026-09-05T09:00:00.000Z" });
  });

  it("after the card was replaced, detached, or deleted with its Customer", async () => {
    const { customerId } = await sold(9);
    await story.newCard(customerId, CARDS.paysToo);
    const bob = await story.buy({ productKey: "pro", customer: { email: "bob@example.com" } }, CARDS.pays);
    await expire(bob, 9);
    const [card] = (await get(`/customers/${bob.customerId}/payment-methods`)).data;
    await post(`/sandbox/payment-methods/${card.id}/detach`);
    const eve = await story.buy({ productKey: "pro", customer: { email: "eve@example.com" } }, CARDS.pays);
    await expire(eve, 9);
    expect((await story.app.manage("DELETE", `/customers/${eve.customerId}`)).status).toBe(204);
    await story.travel("2026-10-05");
    expect(await announced()).toBe(0);
  });

  it("of a card that has expired already", async () => {
    await sold(5);
    await story.travel("2026-07-01");
    expect(await expiringEvents()).toEqual([]);
  });
});

describe("the e-mail", () => {
  it("can be switched off, and the event stays", async () => {
    const answer = await story.app.manage("PATCH", "/organization", { emails: { cardExpiring: false } });
    expect(answer.body.emails).toMatchObject({ cardExpiring: false, receipt: true });
    await sold(6);
    expect([await emails(), (await expiringEvents()).length]).toEqual([[], 1]);
  });

  it("is skipped if the buyer gave another card meanwhile", async () => {
    const { customerId } = await sold(6);
    await story.newCard(customerId, CARDS.paysToo);
    expect(await emails()).toMatchObject([{ status: "skipped", reason: "changed_meanwhile", to: null }]);
  });
});

it("in real time, a worker makes the announcement of a due card once, however many workers look", async () => {
  const { organization, keys } = await story.app.otherOrganization();
  const [api, manage] = [
    caller(`${story.app.url}/public/v2`, keys.public),
    caller(`${story.app.url}/manage/v1`, keys.manage),
  ];
  const plan = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await story.ok(manage("POST", "/products", plan));
  const { id } = await story.ok(api("POST", "/checkouts", { productKey: "pro", ...ADA }));
  await story.ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
  const { ctx } = story.app;
  await ctx.db.tx((tx) => tx.query(comeDueStatement, [organization.id]));
  await Promise.all([runOnce(ctx), runOnce(ctx)]);
  await runOnce(ctx);
  const { data } = await story.ok(manage("GET", `/events?type=${EXPIRING}`));
  expect(data).toHaveLength(1);
});
