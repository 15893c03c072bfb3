import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY } from "../../src/domain/calendar.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { advanceSandbox, caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { ok } from "../support/story.ts";

// A sandbox's clock passes months in a moment. Buyers must get the same e-mails as over real months.

const START = "2026-03-01T09:00:00.000Z";
const END = "2026-06-15T09:00:00.000Z";
const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";
const AUTHENTICATES = "4000000000003220";

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

type Sandbox = { api: TestCall; manage: TestCall };

async function openSandbox(): Promise<Sandbox> {
  const { keys } = await app.otherOrganization({ clock: START });
  const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
  const products = [
    { key: "pro", amount: 3000 },
    { key: "free", amount: 0 },
    { key: "trial", amount: 2000, trialDays: 30 },
  ];
  for (const { amount, ...product } of products) {
    await ok(
      manage("POST", "/products", {
        ...product,
        name: product.key,
        interval: "month",
        prices: [{ currency: "usd", amount }],
      }),
    );
  }
  async function buy(productKey: string, name: string, card: string | null): Promise<Json> {
    const { id } = await ok(api("POST", "/checkouts", { productKey, customer: { email: `${name}@example.com` } }));
    return ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
  }
  await buy("pro", "pays", PAYS);
  await buy("pro", "fails", FAILS_LATER);
  await buy("free", "free", null);
  await buy("trial", "tries", PAYS);
  const { customerId } = await buy("pro", "authenticates", PAYS);
  await ok(manage("POST", `/sandbox/customers/${customerId}/card`, { card: AUTHENTICATES }));
  return { api, manage };
}

async function advanceTo({ manage }: Sandbox, to: string): Promise<void> {
  expect((await advanceSandbox(manage, { to })).status).toBe(200);
}

const listed = async ({ manage }: Sandbox, query = ""): Promise<Json[]> =>
  (await ok(manage("GET", `/emails?limit=100${query}`))).data;

/** The next charge in a receipt that is written within its period (rule T5l). */
const NEXT = /\n\nNext charge: [^\n]+\n\nIf you would rather not continue, [^\n]+/;

/** All e-mails and their instants, without the numbers and links that are one Organization's own. */
async function emailsOf(sandbox: Sandbox): Promise<string[]> {
  const lines: string[] = [];
  for (const { id } of await listed(sandbox)) {
    const { createdAt, kind, status, reason, to, text } = await ok(sandbox.manage("GET", `/emails/${id}`));
    lines.push(
      [createdAt, kind, status, reason, to, text?.replace(/https?:\S+|INV-\S+/g, "…").replace(NEXT, "")].join(" | "),
    );
  }
  return lines.sort();
}

test("a jump has the same e-mails as day by day, word for word", { timeout: 360_000 }, async () => {
  const [jumps, walks] = [await openSandbox(), await openSandbox()];
  await advanceTo(jumps, END);
  for (let at = Date.parse(START) + DAY; at <= Date.parse(END); at += DAY) {
    await advanceTo(walks, new Date(at).toISOString());
    await mailOnce(app.ctx);
  }
  const all = await emailsOf(jumps);
  expect(all).toEqual(await emailsOf(walks));
  const kinds = new Set([
    "receipt",
    "order_confirmation",
    "payment_failed",
    "authentication_required",
    "trial_started",
    "trial_ending",
    "renewal_upcoming",
    "renewal_failed",
  ]);
  const readable = await listed(jumps, "&skipped=false");
  expect(new Set(readable.map(({ kind }) => kind))).toEqual(kinds);
  for (const { status, subject, to } of readable)
    expect([status, typeof subject, typeof to]).toEqual(["kept", "string", "string"]);
  // A renewal with no charge needs no e-mail. The e-mail of the end replaces that of the last failure.
  const skipped = await listed(jumps, "&skipped=true");
  const reasons = [
    "renewal_upcoming: nothing_due",
    "payment_failed: invoice_void",
    "authentication_required: invoice_void",
  ];
  expect(new Set(skipped.map(({ kind, reason }) => `${kind}: ${reason}`))).toEqual(new Set(reasons));
  expect(readable.length + skipped.length).toBe(all.length);
  expect(await jumps.manage("GET", "/emails?skipped=no")).toMatchObject({ status: 422 });
});
