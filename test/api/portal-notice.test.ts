import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let there: WebClient;
let sold: Json;
let buyers = 0;

async function begin(more: object = {}): Promise<void> {
  const externalId = `told-${(buyers += 1)}`;
  sold = await story.buy(
    { productKey: "pro", customer: { email: `${externalId}@example.com`, externalId, ...more } },
    CARDS.pays,
  );
  there = await signInTo(story, sold.customerId);
  await story.news();
}

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
  await story.ok(story.app.manage("PATCH", "/organization", { defaultProration: "next_period" }));
  await story.plan("basic", 1000, { name: "Basic" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

/** The confirmations on the home page. */
async function confirmed(): Promise<string[]> {
  const { text } = await there.get(portal);
  return [...text.matchAll(/<p class="done" role="status"[^>]*>([^<]+)</g)].map(([, said]) => said!);
}
const path = (rest: string) => `${portal}/subscriptions/${sold.id}/${rest}`;
const card = { number: CARDS.paysToo, expiry: "12 / 40", cvc: "123" };

describe("the home page confirms", () => {
  it.each<[what: string, operation: () => Promise<unknown>, said: string]>([
    ["saved details", () => there.post(`${portal}/details`, { name: "Ada" }), "Your details are saved."],
    ["a card", () => there.post(`${portal}/card`, card), "Your card is saved."],
    ["a cancellation", () => there.post(path("cancel")), "Your cancellation is confirmed."],
    ["its undoing", () => there.post(path("keep")), "Your cancellation is undone. Your subscription continues."],
  ])("%s once", async (what, operation, said) => {
    await begin();
    if (what === "its undoing") {
      await there.post(path("cancel"));
      await confirmed();
    }
    expect(await operation()).toMatchObject({ status: 303 });
    expect(await confirmed()).toEqual([said]);
    expect(await confirmed()).toEqual([]);
  });

  it("that a planned change of the plan was withdrawn", async () => {
    await begin();
    await story.change(sold.id, { productKey: "basic" });
    await there.post(path("plan/keep"));
    expect(await confirmed()).toEqual(["Your plan stays as it is."]);
  });

  it("in the buyer's language, which the details may just have changed", async () => {
    await begin({ locale: "fr" });
    await there.post(`${portal}/details`, { name: "Ada", language: "ja" });
    expect(await confirmed()).toEqual(["お客様情報を保存しました。"]);
  });

  it("no action that failed, and no unknown one", async () => {
    await begin();
    expect((await there.post(`${portal}/card`, { ...card, number: CARDS.declined })).status).toBe(402);
    expect(await confirmed()).toEqual([]);
    there.cookie += "; billow_portal_done=paid";
    expect(await confirmed()).toEqual([]);
    expect(wordsOf((await there.get(`${portal}?done=card`)).text)).not.toContain("Your card is saved.");
  });
});

describe("a new e-mail address that waits for its confirmation", () => {
  it("is shown, and can be withdrawn", async () => {
    await begin();
    const [newEmail, shown] = [`new-${buyers}@example.com`, "open the link that we sent there"];
    const home = async () => wordsOf((await there.get(portal)).text);
    expect(await home()).not.toContain(shown);
    expect((await there.post(`${portal}/email`, { email: newEmail })).status).toBe(200);
    expect(await home()).toContain(`To use ${newEmail} , ${shown}.`);
    expect((await there.post(`${portal}/email/withdraw`)).status).toBe(303);
    expect(await confirmed()).toEqual(["Your e-mail address stays as it is. The confirmation link no longer works."]);
    expect(await home()).not.toContain(newEmail);
    expect((await there.post(`${portal}/email/withdraw`)).status).toBe(303);
  });

  it("is withdrawn by a signed-in Customer only, if the seller allows the change", async () => {
    await begin();
    await there.post(`${portal}/email`, { email: `other-${buyers}@example.com` });
    const switchTo = (changeEmail: boolean) =>
      story.ok(story.app.manage("PATCH", "/organization", { portal: { changeEmail } }));
    await switchTo(false);
    expect((await there.post(`${portal}/email/withdraw`)).status).toBe(403);
    await switchTo(true);
    expect(wordsOf((await there.get(portal)).text)).toContain(`other-${buyers}@example.com`);
    there.cookie = null;
    expect((await there.post(`${portal}/email/withdraw`)).headers.get("Location")).toBe(portal);
  });
});
