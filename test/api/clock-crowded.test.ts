import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceClock } from "../../src/actions/sandbox/advance-clock.ts";
import type { OrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { parseInstant } from "../../src/domain/calendar.ts";
import { newId } from "../../src/ids.ts";
import { sql } from "../../src/store/driver/db.ts";
import { caller, startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { startWebClient } from "../support/portal.ts";
import { heldAtACharge } from "../support/processes.ts";
import { ok } from "../support/story.ts";

// A Customer has more due work here than one transaction may do (rule T5).

const PAYS = "4242424242424242";
const START = "2025-01-31T10:00:00.000Z";
const RENEWAL = "2025-02-28T10:00:00.000Z";
const MONTHLY = {
  key: "monthly",
  name: "Monthly",
  group: null,
  interval: "month",
  prices: [{ currency: "usd", amount: 1000 }],
};

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

type Sandbox = OrganizationWithKeys & { api: TestCall; manage: TestCall };

async function openSandbox(): Promise<Sandbox> {
  const made = await app.otherOrganization({ clock: START, timeZone: "America/New_York" });
  return {
    ...made,
    api: caller(`${app.url}/public/v2`, made.keys.public),
    manage: caller(`${app.url}/manage/v1`, made.keys.manage),
  };
}

const advance = ({ manage }: Sandbox, to: string): Promise<TestAnswer> =>
  manage("POST", "/sandbox/clock/advance", { to });

/** One Customer with 25 Subscriptions and another with a single one. All of them renew at one instant. */
async function sellMany(sandbox: Sandbox): Promise<{ many: Json; one: Json; assigned: Json[] }> {
  const { manage, api } = sandbox;
  await ok(manage("POST", "/products", { ...MONTHLY }));
  async function buy(email: string): Promise<Json> {
    const { id } = await ok(api("POST", "/checkouts", { productKey: "monthly", customer: { email } }));
    return ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: PAYS }));
  }
  const [many, one] = [await buy("many@example.com"), await buy("one@example.com")];
  const assigned = await Promise.all(
    Array.from({ length: 24 }, () =>
      ok(manage("POST", "/subscriptions", { customerId: many.customerId, productKey: "monthly" })),
    ),
  );
  await app.runDue();
  await ok(advance(sandbox, "2025-02-28T09:00:00.000Z"));
  return { many, one, assigned };
}

test("a step takes only a part of a Customer's due work, and requests come in between", async () => {
  const sandbox = await openSandbox();
  const { manage, api } = sandbox;
  const { many, one, assigned } = await sellMany(sandbox);
  const { url } = await ok(manage("POST", `/customers/${many.customerId}/portal-sessions`, {}));
  const buyer = startWebClient(app.url);
  const portal = (await buyer.post(new URL(url).pathname)).headers.get("Location");
  const held = heldAtACharge(app.ctx);
  const advancing = advanceClock(held.ctx, sandbox.organization.id, { to: parseInstant(RENEWAL)! });
  await held.charging;
  const cancel = (id: string) => api("PATCH", `/subscriptions/${id}`, { cancelAtPeriodEnd: true });
  const waiting = await cancel(assigned[0]!.id);
  expect(waiting).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(waiting.headers.get("Retry-After")).toBe("1");
  const refused = await buyer.post(`${portal}/subscriptions/${assigned[0]!.id}/cancel`);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect((await cancel(one.subscriptionId)).status).toBe(200);
  expect(await ok(manage("GET", "/sandbox/clock"))).toMatchObject({ target: RENEWAL, done: 10 });
  held.letGo();
  expect(await advancing).toMatchObject({ arrived: true });
  expect((await cancel(assigned[0]!.id)).status).toBe(200);
  const { data } = await ok(manage("GET", `/invoices?customerId=${many.customerId}&reason=renewal&limit=100`));
  expect(data.filter((invoice: Json) => invoice.periodStart === RENEWAL)).toHaveLength(25);
  expect(await audit(app.ctx.db, sandbox.organization.id)).toEqual([]);
});

/** Transfers are never updated, so the transaction that wrote a transfer (`xmin`) also made its invoice. */
const inOneTransactionStatement = sql(
  "test.in_one_transaction",
  `SELECT max(made)::int AS most FROM (SELECT count(DISTINCT source_id) AS made FROM ledger_transfers
   WHERE organization_id = $1 AND created_at = $2 AND source_id LIKE 'inv\\_%' GROUP BY xmin::text) AS transactions`,
);

test("after a stop, a write does the rest of a Customer's due work in parts, so others get in between", async () => {
  const sandbox = await openSandbox();
  const { id } = sandbox.organization;
  const { many, assigned } = await sellMany(sandbox);
  const held = heldAtACharge(app.ctx);
  const advancing = advanceClock(held.ctx, id, { to: parseInstant(RENEWAL)! }).catch((error: unknown) => error);
  await held.charging;
  await ok(sandbox.manage("DELETE", "/sandbox/clock/advance"));
  held.letGo();
  expect(await advancing).toMatchObject({ code: "clock_stopped" });
  await app.runDue();
  const renewed = async () => {
    const { data } = await ok(
      sandbox.manage("GET", `/invoices?customerId=${many.customerId}&reason=renewal&limit=100`),
    );
    return data.filter((invoice: Json) => invoice.periodStart === RENEWAL).length;
  };
  expect(await renewed()).toBe(10);

  const headers = { "Idempotency-Key": newId("req") };
  const cancel = () => sandbox.api("PATCH", `/subscriptions/${assigned[0]!.id}`, { cancelAtPeriodEnd: true }, headers);
  let answer = await cancel();
  for (; answer.status === 503; answer = await cancel()) expect(answer.headers.get("Retry-After")).toBe("1");
  expect(answer).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: true, currentPeriodStart: RENEWAL } });
  expect(await ok(sandbox.manage("GET", "/sandbox/clock"))).toMatchObject({ now: RENEWAL, target: null });
  expect(await renewed()).toBe(25);
  expect(await app.ctx.db.read.query(inOneTransactionStatement, [id, RENEWAL])).toEqual([{ most: 10 }]);
  await app.runDue();
  expect(await audit(app.ctx.db, sandbox.organization.id)).toEqual([]);
});
