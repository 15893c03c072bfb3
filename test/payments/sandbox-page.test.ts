import { afterAll, beforeAll, expect, it } from "vitest";
import type { Charge } from "../../src/payments/provider.ts";
import { SANDBOX_CARDS } from "../../src/payments/sandbox-cards.ts";
import { createSandboxProvider } from "../../src/payments/sandbox.ts";
import { sql } from "../../src/store/driver/db.ts";
import { createTestDatabase } from "../support/database.ts";
import { challenged, type TestCard } from "./conformance.ts";
import { describeHostedEntry } from "./hosted-conformance.ts";

const ORIGIN = "https://billing.example";
const RETURN = "https://shop.example/return";
const PAID = { status: "succeeded", card: { last4: "4242", brand: "visa", expMonth: 12, expYear: 2999 } };

const PAID_LATER = { status: "succeeded", card: { last4: "2024" } };

const expirePage = sql(
  "test.expire_page",
  `UPDATE sandbox_charges SET page_expires_at = date_trunc('milliseconds', statement_timestamp())
   WHERE organization_id = $1 AND page_token = $2`,
);

const typed = (number: string) => ({ number, expMonth: 12, expYear: 2999, cvc: "123" });
const numberOf = (behavior: TestCard) => SANDBOX_CARDS.find((each) => each.behavior === behavior)!.number;
/** The parts of the address of a page or a challenge: Organization and token. */
const partsOf = (url: string) => url.split("/").slice(-2) as [string, string];

async function openSandbox() {
  const database = await createTestDatabase();
  const provider = createSandboxProvider({ db: database.db, publicOrigin: ORIGIN });
  const organizationId = "org_test";
  async function payHosted(url: string, behavior: TestCard, pass = true) {
    const result = await provider.payOnPage(...partsOf(url), typed(numberOf(behavior)));
    const next = result && "next" in result ? result.next : "";
    if (next.includes("/challenge/")) await provider.answerChallenge(...partsOf(next), pass);
  }
  return {
    ...database,
    provider,
    organizationId,
    payHosted,
    expireHosted: (url: string) => database.db.tx(async (tx) => void (await tx.query(expirePage, partsOf(url)))),
    book: () => provider.listCharges(organizationId),
    close: () => database.drop(),
  };
}

describeHostedEntry("sandbox", openSandbox);

let sandbox: Awaited<ReturnType<typeof openSandbox>>;
let keys = 0;
beforeAll(async () => void (sandbox = await openSandbox()));
afterAll(() => sandbox.close());

const charge = (): Charge => ({
  organizationId: sandbox.organizationId,
  key: `pay_${++keys}`,
  card: null,
  customer: { id: "cus_1", email: "ada@example.com", name: null },
  description: "A test",
  page: null,
  returnUrl: RETURN,
  amount: 1000,
  currency: "usd",
  presence: "buyer",
  statement: "Seller",
});
/** The page of a new charge: the charge, and Organization and token of its page. */
async function begin(): Promise<{ request: Charge; page: [string, string]; url: string }> {
  const request = charge();
  const { url } = challenged(await sandbox.provider.charge(request));
  expect(url).toMatch(/^https:\/\/billing\.example\/sandbox\/pay\/org_test\/[\w-]{32}$/);
  return { request, page: partsOf(url), url };
}

it("shows the amount, and after a declined card the reason", async () => {
  const { provider } = sandbox;
  const { request, page, url } = await begin();
  const shown = { key: request.key, amount: 1000, currency: "usd", returnUrl: RETURN, status: "pending_action" };
  expect(await provider.page(...page)).toEqual({ ...shown, declineCode: null });
  const declined = await provider.payOnPage(...page, typed(numberOf("card_declined")));
  expect(declined).toEqual({ key: request.key, next: url });
  expect(await provider.page(...page)).toEqual({ ...shown, declineCode: "card_declined" });
  expect(await provider.payOnPage(...page, typed(numberOf("pays")))).toEqual({ key: request.key, next: RETURN });
  expect(await provider.page(...page)).toEqual({ ...shown, declineCode: null, status: "succeeded" });
});

it.each([
  [typed("4111111111111111"), "number"],
  [{ ...typed(numberOf("pays")), cvc: "1" }, "cvc"],
])("refuses a card that no sandbox takes, and stays open: %o", async (card, field) => {
  const { request, page } = await begin();
  expect(await sandbox.provider.payOnPage(...page, card)).toMatchObject({ fault: { field } });
  expect(await sandbox.provider.read(request.organizationId, request.key)).toMatchObject({ status: "requires_action" });
});

it("leads on to the bank, and after a refusal back to the page", async () => {
  const { provider } = sandbox;
  const { request, page, url } = await begin();
  const asked = await provider.payOnPage(...page, typed(numberOf("authenticates")));
  const bank = partsOf((asked as { next: string }).next);
  // The buyer may go back from the bank to the page. So the page's address stays.
  expect(challenged((await provider.read(request.organizationId, request.key)) as never).url).toBe(url);
  expect(await provider.challenge(...bank)).toMatchObject({ status: "pending_action", last4: "3220" });
  expect(await provider.answerChallenge(...bank, false)).toEqual({ key: request.key, returnUrl: url });
  // Neither a second click nor another answer changes the outcome.
  expect(await provider.answerChallenge(...bank, true)).toEqual({ key: request.key, returnUrl: url });
  expect(await provider.challenge(...bank)).toMatchObject({ status: "declined", returnUrl: url });
  expect(await provider.page(...page)).toMatchObject({
    status: "pending_action",
    declineCode: "authentication_failed",
  });
  await provider.payOnPage(...page, typed(numberOf("pays")));
  expect(await provider.read(request.organizationId, request.key)).toMatchObject(PAID);
});

it("forgets the bank's question once another card is typed", async () => {
  const { provider } = sandbox;
  const { request, page } = await begin();
  const asked = await provider.payOnPage(...page, typed(numberOf("authenticates")));
  await provider.payOnPage(...page, typed(numberOf("card_declined")));
  expect(await provider.answerChallenge(...partsOf((asked as { next: string }).next), true)).toBeNull();
  expect(await provider.read(request.organizationId, request.key)).toMatchObject({ status: "requires_action" });
});

it("takes no answer of the bank once the page's time is over", async () => {
  const { provider, expireHosted } = sandbox;
  const { request, page, url } = await begin();
  const asked = await provider.payOnPage(...page, typed(numberOf("authenticates")));
  await expireHosted(url);
  expect(await provider.answerChallenge(...partsOf((asked as { next: string }).next), true)).toMatchObject({
    returnUrl: url,
  });
  expect(await provider.page(...page)).toMatchObject({ status: "declined" });
  const canceled = { status: "declined", code: "canceled" };
  expect(await provider.read(request.organizationId, request.key)).toEqual(canceled);
});

it("plays the cards of a provider that processes and refuses charges", async () => {
  const other = await openSandbox();
  const { provider, organizationId } = other;
  const open = async (key: string) => {
    const { url } = challenged(await provider.charge({ ...charge(), key }));
    return { page: partsOf(url), read: () => provider.read(organizationId, key) };
  };
  const processed = await open("pay_processed");
  await provider.payOnPage(...processed.page, typed("4000000000002024"));
  expect([await processed.read(), await processed.read()]).toMatchObject([{ status: "processing" }, PAID_LATER]);
  const refused = await open("pay_refused");
  // The page takes another card after a refused charge.
  await provider.payOnPage(...refused.page, typed("4000000000004228"));
  expect(await provider.page(...refused.page)).toMatchObject({
    status: "pending_action",
    declineCode: "processing_error",
  });
  expect(await refused.read()).toMatchObject({ status: "requires_action" });
  await provider.payOnPage(...refused.page, typed("4000000000004012"));
  const account = { status: "refused", scope: "account" };
  expect(await refused.read()).toMatchObject(account);
  expect(await provider.charge({ ...charge(), key: "pay_later" })).toMatchObject(account);
  await provider.payOnPage(...refused.page, typed(numberOf("pays")));
  await provider.takeChargesAgain(organizationId);
  expect(await refused.read()).toMatchObject({ status: "requires_action" });
  await provider.payOnPage(...refused.page, typed(numberOf("pays")));
  expect(await refused.read()).toMatchObject(PAID);
  await other.close();
});

it("charges once, however many clicks race", async () => {
  const { request, page } = await begin();
  const clicks = Array.from({ length: 6 }, () => sandbox.provider.payOnPage(...page, typed(numberOf("pays"))));
  for (const result of await Promise.all(clicks)) expect(result).toEqual({ key: request.key, next: RETURN });
  expect((await sandbox.book()).filter(({ key }) => key === request.key)).toHaveLength(1);
});

it("either pays or cancels if both race, and stays with the answer", async () => {
  const { provider, organizationId } = sandbox;
  for (let round = 0; round < 10; round += 1) {
    const { request, page } = await begin();
    const [canceled] = await Promise.all([
      provider.cancel(request),
      provider.payOnPage(...page, typed(numberOf("pays"))),
    ]);
    expect(await provider.read(organizationId, request.key)).toEqual(canceled);
  }
});

it("makes no page for a charge without the buyer, and shows none of another Organization", async () => {
  await expect(sandbox.provider.charge({ ...charge(), presence: "off_session" })).rejects.toThrow(/names no card/);
  const { page } = await begin();
  expect(await sandbox.provider.page("org_other", page[1])).toBeNull();
  expect(await sandbox.provider.payOnPage("org_other", page[1], typed(numberOf("pays")))).toBeNull();
});
