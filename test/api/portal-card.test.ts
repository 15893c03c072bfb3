import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { caller } from "../support/app.ts";
import { bankOf, keepsSilent } from "../support/bank.ts";
import { expireHostedPages, payHosted, redirectOf, takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import { moved } from "../support/sql-instants.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let there: WebClient;
let customerId: string;
let names = 0;

const card = (number: string) => ({ number, expiry: "12 / 40", cvc: "123" });

/** A Customer with a Subscription, signed in to the portal. */
async function begin(number: string = CARDS.pays): Promise<void> {
  const customer = { email: `buyer-${(names += 1)}@example.com`, externalId: `buyer-${names}` };
  ({ customerId } = await story.buy({ productKey: "pro", customer }, number));
  there = await signInTo(story, customerId);
  await story.news();
}
const home = async () => wordsOf((await there.get(portal)).text);
const give = (number: string) => there.post(`${portal}/card`, card(number));

beforeAll(async () => void ({ story, portal } = await startPortalStory()));
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a card that is typed in the portal", () => {
  it("is saved without a charge, and pays the next renewal", async () => {
    await begin();
    expect((await there.get(`${portal}/card`)).status).toBe(200);
    const given = await give(CARDS.paysToo);
    expect([given.status, redirectOf(story.app.url + portal, given)]).toEqual([303, story.app.url + portal]);
    expect(await story.news()).toEqual([]);
    expect(await home()).toContain("are charged to Visa •••• 5556");
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${customerId}`));
    expect(data).toHaveLength(1);
  });

  it("is declined: the page says so, and the card on file stays", async () => {
    await begin();
    const declined = await give(CARDS.declined);
    expect(declined.status).toBe(402);
    expect(wordsOf(declined.text)).toContain("Your card was not saved");
    expect(declined.text).not.toContain(CARDS.declined);
    expect(await home()).toContain("are charged to Visa •••• 4242");
  });

  it("needs a whole number, and says which field is wrong", async () => {
    await begin();
    const wrong = await there.post(`${portal}/card`, { number: "4242", expiry: "13 / 20", cvc: "" });
    expect(wrong.status).toBe(422);
    for (const name of ["number", "expiry", "cvc"]) expect(wrong.text).toContain(`id="${name}-fault"`);
  });

  it("waits for the bank, and is good once the buyer has confirmed", async () => {
    await begin();
    const asked = await give(CARDS.asksBuyer);
    expect([asked.status, asked.headers.get("Location")]).toEqual([303, `${portal}/card`]);
    const waiting = await there.get(`${portal}/card`);
    const [, bank] = /class="button" href="([^"]+)"/.exec(waiting.text)!;
    expect(await home()).toContain("are charged to Visa •••• 4242");
    const back = await post(bank!, { answer: "pass" });
    const returned = await get(redirectOf(bank!, back));
    expect(new URL(redirectOf(bank!, returned)).pathname).toBe(portal);
    expect(await home()).toContain("are charged to Visa •••• 3220");
  });

  it("is canceled at the bank by the buyer, who gives another one", async () => {
    await begin();
    await give(CARDS.asksBuyer);
    expect((await there.post(`${portal}/card`, { action: "give-up" })).status).toBe(303);
    expect(wordsOf((await there.get(`${portal}/card`)).text)).toContain("Use another card");
    expect((await give(CARDS.paysToo)).status).toBe(303);
    expect(await home()).toContain("are charged to Visa •••• 5556");
  });

  it("waits for the bank for an hour, and the bank can't be answered any more", async () => {
    await begin();
    await give(CARDS.asksBuyer);
    const [, bank] = /class="button" href="([^"]+)"/.exec((await there.get(`${portal}/card`)).text)!;
    const { now } = await story.ok(story.app.manage("GET", "/sandbox/clock"));
    const after = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString();
    await story.travel(after(59));
    expect((await there.get(`${portal}/card`)).text).toContain(bank);
    await story.travel(after(60));
    expect(wordsOf((await there.get(`${portal}/card`)).text)).toContain("Use another card");
    expect((await get(bank!)).text).toContain("This question has already been answered");
    expect(await home()).toContain("charged to Visa •••• 4242");
    expect((await give(CARDS.paysToo)).status).toBe(303);
  });

  it("is given up by the worker if the buyer never comes back", async () => {
    const [hurry, left] = [
      sql(
        "test.portal_card_hour",
        `UPDATE payments SET created_at = ${moved("created_at", "- $2 * interval '1 minute'")},
           check_at = statement_timestamp()
         WHERE organization_id = $1 AND purpose = 'setup' AND status = 'requires_action'`,
      ),
      sql(
        "test.portal_card_left",
        `SELECT status, failure_code AS code, check_at - created_at <= interval '60 minutes' AS "isInTime"
         FROM payments WHERE organization_id = $1 AND purpose = 'setup'`,
      ),
    ];
    const { app } = story;
    const { organization, keys } = await app.otherOrganization();
    const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
    const { id } = await story.ok(api("POST", "/customers", { email: "gone@example.com" }));
    const { url } = await story.ok(manage("POST", `/customers/${id}/portal-sessions`, {}));
    const client = startWebClient(app.url);
    await client.post(new URL(url).pathname);
    expect((await client.post(`/portal/${organization.id}/card`, card(CARDS.asksBuyer))).status).toBe(303);
    const age = async (minutes: number) => {
      await app.ctx.db.tx((tx) => tx.query(hurry, [organization.id, minutes]));
      await app.runDue();
      return app.ctx.db.read.query(left, [organization.id]);
    };
    // The next question to the provider comes at the end of the hour at the latest.
    expect(await age(58)).toEqual([{ status: "requires_action", code: null, isInTime: true }]);
    expect(await age(2)).toEqual([{ status: "failed", code: "authentication_failed", isInTime: null }]);
  });

  it("does not keep the Customer from being deleted", async () => {
    await begin();
    await give(CARDS.asksBuyer);
    const path = `/customers/${customerId}?forfeitBalance=true`;
    expect((await story.app.manage("DELETE", path)).status).toBe(204);
  });

  it("pays at once the invoice that is past due", async () => {
    await begin(CARDS.failsLater);
    await story.travel("2026-04-02");
    await story.news();
    expect(await home()).toContain("Payment overdue");
    expect((await give(CARDS.pays)).status).toBe(303);
    await story.settle();
    expect(await story.news()).toEqual(["payment.succeeded", "invoice.paid", "subscription.recovered"]);
    expect(await home()).not.toContain("Payment overdue");
  });

  it("can't be tried without end", async () => {
    await begin();
    for (let n = 0; n < 10; n += 1) expect((await give(CARDS.declined)).status).toBe(402);
    const refused = await give(CARDS.pays);
    expect([refused.status, wordsOf(refused.text).includes("Too many cards were declined")]).toEqual([409, true]);
    expect(await home()).toContain("are charged to Visa •••• 4242");
  });

  it("is not given twice while its outcome is unknown", async () => {
    await begin();
    const bank = bankOf(story.app);
    bank.says(keepsSilent);
    await there.post(`${portal}/card`, card(CARDS.paysToo));
    bank.says(null);
    await story.settle();
    expect(await home()).toContain("are charged to Visa •••• 5556");
  });

  it("has a page that tells the charges in each state", async () => {
    await begin();
    const page = async () => wordsOf((await there.get(`${portal}/card`)).text);
    expect(await page()).toContain("You won’t be charged now. Later payments are charged to this card.");
    const [{ id }] = (await story.ok(story.app.manage("GET", `/subscriptions?customerId=${customerId}`))).data;
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(await page()).toContain("You won’t be charged now, and no charge is planned.");
    const ending = await home();
    expect(ending).toContain("Visa •••• 4242 is saved. No charge is planned.");
    expect(ending).not.toContain("Charged to");
    await story.change(id, { cancelAtPeriodEnd: false });
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel((await story.subscription(id)).currentPeriodEnd);
    expect(await page()).toContain("The US$30.00 that you owe will be charged to this card right away");
    await story.news();
  });

  it("needs a visitor who is signed in", async () => {
    await begin();
    there.cookie = null;
    for (const answer of [await there.get(`${portal}/card`), await give(CARDS.pays)])
      expect([answer.status, new URL(redirectOf(story.app.url, answer)).pathname]).toEqual([303, portal]);
  });
});

describe("a card of a hosted entry", () => {
  beforeAll(() => takeHostedCards(story.app));

  it("is given on the provider's page, with one redirect there and one back", async () => {
    await begin();
    const shown = await there.get(`${portal}/card`);
    expect(shown.text).not.toContain('name="number"');
    expect(shown.headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${story.app.url};`);
    const sent = await there.post(`${portal}/card`);
    const page = redirectOf(story.app.url, sent);
    expect(page).toMatch(/\/sandbox\/pay\//);
    const back = await payHosted(page, CARDS.paysToo);
    const returned = await get(back);
    expect(redirectOf(back, returned)).toBe(`${story.app.url}${portal}`);
    expect(await home()).toContain("are charged to Visa •••• 5556");
    expect(await story.news()).toEqual([]);
  });

  it("is not given in time: the card on file stays", async () => {
    await begin(CARDS.pays);
    await there.post(`${portal}/card`);
    expect(wordsOf((await there.get(`${portal}/card`)).text)).toContain("Continue to card details");
    await expireHostedPages(story.app);
    expect(wordsOf((await there.get(`${portal}/card`)).text)).toContain("Use another card");
    expect(await home()).toContain("are charged to Visa •••• 4242");
  });

  it("is waited for in two tabs: the second page ends the first", async () => {
    await begin(CARDS.pays);
    const first = redirectOf(story.app.url, await there.post(`${portal}/card`));
    const second = redirectOf(story.app.url, await there.post(`${portal}/card`));
    expect(second).not.toBe(first);
    expect((await post(first, card(CARDS.paysToo))).status).not.toBe(200);
    expect(await home()).toContain("are charged to Visa •••• 4242");
    await get(await payHosted(second, CARDS.paysToo));
    await there.get(`${portal}/card`);
    expect(await home()).toContain("are charged to Visa •••• 5556");
  });
});
