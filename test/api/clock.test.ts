import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { advanceClock } from "../../src/actions/advance-clock.ts";
import type { OrganizationWithKeys } from "../../src/actions/create-organization.ts";
import { createContext, type OpenContext } from "../../src/context.ts";
import { formatInstant, parseInstant } from "../../src/domain/calendar.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { historyOf } from "../support/history.ts";
import { killedAt, letLeasesRunOut, withFault } from "../support/processes.ts";
import { ok } from "../support/story.ts";

const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";
const AUTHENTICATES = "4000000000003220";
const ANSWER_LOST = "4000000000000507";

const DAY = 86_400_000;
const START = "2025-01-31T10:00:00.000Z";
const instantOf = (text: string) => parseInstant(text)!;

let app: TestApp;
let other: OpenContext;

beforeAll(async () => {
  app = await startTestApp();
  other = await createContext(app.ctx.config);
});

afterAll(async () => {
  await other.close();
  await app.close();
});

type Sandbox = OrganizationWithKeys & { api: TestCall; manage: TestCall };

async function openSandbox(): Promise<Sandbox> {
  const made = await app.otherOrganization({ clock: START, timeZone: "America/New_York" });
  return { ...made, api: caller(`${app.url}/public/v2`, made.keys.public), manage: caller(`${app.url}/manage/v1`, made.keys.manage) };
}

const advance = (sandbox: Sandbox, target: object) => sandbox.manage("POST", "/sandbox/clock/advance", target);

/** Until it is there: a long way takes several calls. */
async function advanceTo(sandbox: Sandbox, to: string): Promise<void> {
  let answer: TestAnswer;
  do answer = await advance(sandbox, { to });
  while (answer.status === 202);
  expect(answer.body).toMatchObject({ now: to });
}

/** A catalogue, and a buyer for each fate that a year may bring. */
async function populate({ api, manage }: Sandbox): Promise<void> {
  const { id: feature } = await ok(manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
  const price = (amount: number) => ({ prices: [{ currency: "usd", amount }], benefitIds: [feature] });
  const products = [
    { key: "weekly", name: "Weekly", interval: "week", ...price(300) },
    { key: "starter", name: "Starter", interval: "month", ...price(1000) },
    { key: "trial", name: "Trial", interval: "month", trialDays: 14, trialCard: "optional", ...price(3000) },
    { key: "yearly", name: "Yearly", interval: "year", ...price(30_000) },
    { key: "book", name: "Book", ...price(500) },
  ];
  for (const product of products) await ok(manage("POST", "/products", product));

  async function buy(name: string, productKey: string, card: string | null): Promise<Json> {
    const { id, customerId } = await ok(api("POST", "/checkouts", { productKey, customer: { email: `${name}@example.com` } }));
    await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
    await app.runDue();
    const { subscriptionId } = await ok(api("GET", `/checkouts/${id}`));
    return { customerId, change: (body: object) => ok(api("PATCH", `/subscriptions/${subscriptionId}`, body)) };
  }

  await buy("pays", "starter", PAYS);
  await buy("pays-weekly", "weekly", PAYS);
  await buy("fails", "starter", FAILS_LATER);
  await buy("tries", "trial", PAYS);
  await buy("tries-and-fails", "trial", FAILS_LATER);
  await buy("tries-without-a-card", "trial", null);
  await buy("reads", "book", PAYS);
  await (await buy("cancels", "starter", PAYS)).change({ cancelAtPeriodEnd: true });
  await (await buy("cancels-the-trial", "trial", PAYS)).change({ cancelAtPeriodEnd: true });
  await (await buy("goes-yearly", "starter", PAYS)).change({ productKey: "yearly", prorationBehavior: "next_period" });
  await (await buy("goes-cheaper", "starter", PAYS)).change({ productKey: "weekly", prorationBehavior: "next_period" });
  const { customerId } = await buy("has-to-authenticate", "starter", PAYS);
  await ok(manage("POST", `/sandbox/customers/${customerId}/card`, { card: AUTHENTICATES }));
  await ok(api("POST", "/checkouts", { productKey: "starter", customer: { email: "never-pays@example.com" } }));
}

const historyAt = (sandbox: Sandbox) => historyOf(app.ctx.db, sandbox.organization.id);
const disagreements = (sandbox: Sandbox) => audit(app.ctx.db, sandbox.organization.id);

test("a year at once is a year of steps", async () => {
  const END = "2026-02-01T10:00:00.000Z";
  const [atOnce, byWeek, byDue] = [await openSandbox(), await openSandbox(), await openSandbox()];
  for (const sandbox of [atOnce, byWeek, byDue]) await populate(sandbox);

  await advanceTo(atOnce, END);
  for (let at = instantOf(START) + 5 * DAY; at < instantOf(END); at += 5 * DAY) await advanceTo(byWeek, formatInstant(at as never));
  await advanceTo(byWeek, END);
  for (let last = ""; ; ) {
    const { now } = (await ok(advance(byDue, { toNextDue: true }))) as { now: string };
    if (now === last || now > END) break;
    last = now;
  }

  const year = await historyAt(atOnce);
  expect(year).toMatchObject({ "pays-weekly@example.com": expect.any(Array), "fails@example.com": expect.any(Array) });
  expect(await historyAt(byWeek)).toEqual(year);
  expect(await disagreements(atOnce)).toEqual([]);
  expect(await disagreements(byWeek)).toEqual([]);
});
