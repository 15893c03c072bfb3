import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let subscription: Json;

beforeAll(async () => {
  ({ story, portal, subscription } = await startPortalStory());
});
afterAll(() => story.close());

const newClient = () => startWebClient(story.app.url);
const signIn = (id: string = subscription.customerId) => signInTo(story, id);

describe("canceling", () => {
  const pathOf = (id: string, verb: string) => `${portal}/subscriptions/${id}/${verb}`;

  test("and keeping it tell the same as a PATCH, once", async () => {
    await story.news();
    const there = await signIn();
    expect(wordsOf((await there.get(pathOf(subscription.id, "cancel"))).text)).toContain(
      "You keep Pro until 1 April 2026. You won’t be charged again.",
    );
    for (let n = 0; n < 2; n += 1) {
      const done = await there.post(pathOf(subscription.id, "cancel"), { reason: "too_expensive" });
      expect([done.status, done.headers.get("Location")]).toEqual([303, portal]);
    }
    expect(await story.subscription(subscription.id)).toMatchObject({
      cancelAtPeriodEnd: true,
      cancellationReason: "too_expensive",
    });
    expect(await story.news()).toEqual(["subscription.cancellation_scheduled"]);
    expect(wordsOf((await there.get(portal)).text)).toContain("Ends on 1 April");
    for (let n = 0; n < 2; n += 1) expect((await there.post(pathOf(subscription.id, "keep"))).status).toBe(303);
    expect(await story.subscription(subscription.id)).toMatchObject({
      cancelAtPeriodEnd: false,
      cancellationReason: null,
    });
    expect(await story.news()).toEqual(["subscription.cancellation_undone"]);
  });

  test("needs no reason, and takes no reason that is not offered", async () => {
    const there = await signIn();
    await there.post(pathOf(subscription.id, "cancel"), { reason: "payment_failed" });
    expect(await story.subscription(subscription.id)).toMatchObject({
      cancelAtPeriodEnd: true,
      cancellationReason: null,
    });
    await there.post(pathOf(subscription.id, "keep"));
    await story.news();
  });

  test("waits for a change that is being paid, and says so", async () => {
    await story.plan("max", 9000, { name: "Max" });
    const { id, customerId } = await story.buy(
      { productKey: "pro", customer: { email: "changes@example.com" } },
      CARDS.pays,
    );
    await story.newCard(customerId, CARDS.answerLost);
    const there = await signIn(customerId);
    expect((await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" })).status).toBe(503);
    expect((await there.get(portal)).text).not.toContain(pathOf(id, "cancel"));
    for (const verb of ["cancel", "keep"]) {
      const refused = await there.post(pathOf(id, verb));
      expect([refused.status, wordsOf(refused.text).includes("Not possible right now")]).toEqual([409, true]);
    }
    await story.settle();
    expect((await there.post(pathOf(id, "cancel"))).status).toBe(303);
    await story.news();
  });

  test("is for one's own Subscription only, while it goes on, and for a Customer that is signed in", async () => {
    const other = await story.buy({ productKey: "pro", customer: { email: "other@example.com" } }, CARDS.pays);
    await story.ok(story.app.manage("POST", `/subscriptions/${other.id}/cancel-now`, {}));
    const theirs = await story.buy({ productKey: "pro", customer: { email: "theirs@example.com" } }, CARDS.pays);
    const there = await signIn();
    await story.news();
    for (const id of [theirs.id, other.id, "sub_x"]) {
      expect((await there.get(pathOf(id, "cancel"))).status).toBe(404);
      for (const verb of ["cancel", "keep"]) expect((await there.post(pathOf(id, verb))).status).toBe(404);
    }
    const stranger = await newClient().post(pathOf(subscription.id, "cancel"));
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([303, portal]);
    const cookie = { Cookie: there.cookie!, Accept: "text/html", "Sec-Fetch-Site": "cross-site" };
    const forged = await fetch(story.app.url + pathOf(subscription.id, "cancel"), {
      method: "POST",
      headers: cookie,
      body: new URLSearchParams(),
    });
    expect([forged.status, await story.news()]).toEqual([403, []]);
  });

  test("takes effect at once if the period is over", async () => {
    await story.plan("weekly", 500, { name: "Weekly", interval: "week" });
    const customer = { email: "late@example.com" };
    const { id, customerId, currentPeriodEnd } = await story.buy({ productKey: "weekly", customer }, CARDS.failsLater);
    await story.travel(new Date(Date.parse(currentPeriodEnd) + 8 * 86_400_000).toISOString());
    const there = await signIn(customerId);
    expect(wordsOf((await there.get(portal)).text)).not.toContain("Next charge");
    const words = wordsOf((await there.get(pathOf(id, "cancel"))).text);
    expect(words).toContain("Weekly ends immediately, and your open invoices become void. You can’t undo this.");
    expect(words).toContain("Cancel now");
    expect((await there.post(pathOf(id, "cancel"))).status).toBe(303);
    expect(await story.subscription(id)).toMatchObject({ status: "canceled", cancelAtPeriodEnd: true });
    expect(wordsOf((await there.get(portal)).text)).toContain("Ended on");
  });
});

describe("the page of a cancellation", () => {
  const read = async ({ id, customerId }: Json) =>
    wordsOf((await (await signIn(customerId)).get(`${portal}/subscriptions/${id}/cancel`)).text);
  const benefit = async (name: string) =>
    (await story.ok(story.app.manage("POST", "/benefits", { name, type: "feature", properties: { feature: name } })))
      .id;

  test("names the access that ends, but no access that another purchase gives", async () => {
    const [editor, fonts] = [await benefit("Editor"), await benefit("Fonts")];
    await story.plan("studio", 3000, { name: "Studio", group: "studio", benefitIds: [editor, fonts] });
    await story.plan("font-pack", 900, { name: "Font pack", interval: null, benefitIds: [fonts] });
    const customer = { email: "designer@example.com", externalId: "designer" };
    const sold = await story.buy({ productKey: "studio", customer }, CARDS.pays);
    expect(await read(sold)).toContain("You’ll then lose: Editor Fonts");
    await story.buy({ productKey: "font-pack", customer }, CARDS.pays);
    expect(await read(sold)).toContain("You’ll then lose: Editor You can undo this before that day.");
  });

  test("tells a trial, an earlier change that is charged at the end, and a debt", async () => {
    await story.plan("try", 2000, { name: "Try", trialDays: 10, group: "try" });
    const buy = (productKey: string, email: string, card: string = CARDS.pays) =>
      story.buy({ productKey, customer: { email, externalId: email } }, card);
    expect(await read(await buy("try", "tries@example.com"))).toMatch(
      /Your free trial of Try continues until \d+ \w+ 2026. You won’t be charged\./,
    );
    const upgraded = await buy("pro", "upgrades@example.com");
    const now = Date.parse((await story.ok(story.app.manage("GET", "/sandbox/clock"))).now);
    await story.plan("mega", 9000, { name: "Mega" });
    await story.travel(new Date(now + 10 * 86_400_000).toISOString());
    await story.change(upgraded.id, { productKey: "mega", prorationBehavior: "next_invoice" });
    expect(await read(upgraded)).toMatch(
      /On that day, US\$\d+\.\d\d is charged one last time, for an earlier change\./,
    );
    const late = await buy("pro", "owes@example.com", CARDS.failsLater);
    await story.travel(new Date(Date.parse(late.currentPeriodEnd) + 86_400_000).toISOString());
    expect(await read(late)).toContain(
      "provided that you pay the US$30.00 that you owe. You won’t be charged after that.",
    );
  });
});
