import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import type { Desk } from "../support/dashboard.ts";
import { actionFieldsOf, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The forms of the dashboard for the discount and the trial of a running Subscription (rules X4, S9). */
let story: Story;
let support: Desk;
let home: string;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("tried", 2000, { name: "Tried", trialDays: 14 });
  const ten = { code: "TEN", type: "percentage", basisPoints: 1000, duration: "repeating", months: 3 };
  await story.ok(story.app.manage("POST", "/discounts", ten));
  await story.ok(story.app.manage("POST", "/discounts", { ...ten, code: "LATE", startsAt: "2027-01-01T00:00:00Z" }));
  home = `/dashboard/${story.app.organization.id}`;
  support = await joinAs(story.app, "support");
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

let buyers = 0;
const buy = async (productKey: string): Promise<Json> => {
  buyers += 1;
  const customer = { email: `buyer${buyers}@example.com`, name: "Ada" };
  const sold = await story.buy({ productKey, customer }, CARDS.pays);
  await story.news();
  return sold;
};
const customerPath = ({ customerId }: Json) => `${home}/customers/${customerId}`;
const pathOf = (sold: Json, page: string) => `${customerPath(sold)}/subscriptions/${sold.id}/${page}`;
const words = async (path: string) => wordsOf((await seen(support, path)).text);
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const portalOf = async ({ customerId }: Json) => {
  const there = await signInTo(story, customerId);
  return wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text);
};
const lastOperation = async () => (await story.ok(story.app.manage("GET", "/audit-log?limit=1"))).data[0];
/** The page of the effect, after its fields were sent. */
const effectOf = (path: string, values: Record<string, string>) => support.send(path, values);
/** Confirms the page of an effect. */
const confirm = (path: string, text: string) => support.post(path, actionFieldsOf(text)!);

describe("the form of the discount", () => {
  test("shows the next invoice without the change and after it, and the click gives the discount", async () => {
    const sold = await buy("pro");
    const page = pathOf(sold, "discount");
    expect(await words(customerPath(sold))).toContain("Give a discount for Pro");
    expect(await words(page)).toContain("No discount");
    const shown = await effectOf(page, { discountCode: "TEN" });
    expect(shown.status).toBe(200);
    const said = wordsOf(shown.text);
    expect(said).toContain("Due now No charge Present discount None Begins 1 Apr 2026, 09:00 , with the next period");
    expect(said).toContain("Next invoice without the change 1 Apr 2026, 09:00 : US$30.00");
    expect(said).toContain("Next invoice 1 Apr 2026, 09:00 : US$27.00");
    expect(await story.news()).toEqual([]);
    const fields = actionFieldsOf(shown.text)!;
    expect(location(await support.post(page, fields))).toBe(`${customerPath(sold)}?done=discounted#${sold.id}`);
    await support.post(page, fields);
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(await lastOperation()).toMatchObject({
      actor: { type: "user" },
      operation: "changeSubscriptionDiscount",
      resourceId: sold.id,
      values: { discountCode: "TEN" },
    });
    expect(await words(customerPath(sold))).toContain("Discount TEN from 1 Apr 2026, 09:00");
    expect(await portalOf(sold)).toContain("Discount 10% off for 3 months");
    const off = await effectOf(page, { discountCode: "" });
    expect(wordsOf(off.text)).toContain("Take the discount off");
    await confirm(page, off.text);
    expect(await story.subscription(sold.id)).toMatchObject({ discountId: null, pendingDiscount: null });
  });

  test("names the fault of a code at its field, and refuses a Subscription that has changed since", async () => {
    const sold = await buy("pro");
    const page = pathOf(sold, "discount");
    const faulty = await effectOf(page, { discountCode: "LATE" });
    expect(faulty.status).toBe(422);
    expect(faulty.text).toContain('id="discountCode-fault"');
    const shown = await effectOf(page, { discountCode: "TEN" });
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    expect((await confirm(page, shown.text)).status).toBe(409);
    expect(await story.subscription(sold.id)).toMatchObject({ pendingDiscount: null });
  });
});

describe("the form of the trial", () => {
  test("shows both invoices, and the click lengthens the trial", async () => {
    const sold = await buy("tried");
    const page = pathOf(sold, "trial");
    expect(await words(customerPath(sold))).toContain("Lengthen the trial of Tried");
    const faulty = await effectOf(page, { trialEnd: "2026-03-10" });
    expect(faulty.status).toBe(422);
    expect(faulty.text).toContain('id="trialEnd-fault"');
    expect((await effectOf(page, { trialEnd: "" })).text).toContain("Enter the day on which the trial ends.");
    const shown = await effectOf(page, { trialEnd: "2026-04-01" });
    const said = wordsOf(shown.text);
    expect(said).toContain("The trial ends 15 Mar 2026, 09:00 New end 1 Apr 2026, 00:00");
    expect(said).toContain("Next invoice without the change 15 Mar 2026, 09:00 : US$20.00");
    expect(said).toContain("Next invoice 1 Apr 2026, 00:00 : US$20.00");
    expect(location(await confirm(page, shown.text))).toBe(`${customerPath(sold)}?done=lengthened#${sold.id}`);
    expect(await story.subscription(sold.id)).toMatchObject({ trialEnd: "2026-04-01T00:00:00.000Z" });
    expect(await lastOperation()).toMatchObject({
      operation: "extendSubscriptionTrial",
      resourceId: sold.id,
      values: { trialEnd: "2026-04-01T00:00:00.000Z" },
    });
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${sold.id}/timeline?limit=100`));
    expect(data.map(({ text }: Json) => text)).toContain("The trial was lengthened until 1 April 2026.");
    expect(await portalOf(sold)).toContain("1 April 2026");
  });

  test("says that there is no trial to lengthen", async () => {
    expect(await words(pathOf(await buy("pro"), "trial"))).toContain("The Subscription is in no trial.");
  });
});

test("other roles and other Organizations see neither form", async () => {
  const sold = await buy("pro");
  const readOnly = await joinAs(story.app, "read_only");
  for (const page of ["discount", "trial"]) {
    expect((await readOnly.get(pathOf(sold, page))).status).toBe(403);
    const other = pathOf(sold, page).replace(sold.customerId, `${sold.customerId.slice(0, -1)}x`);
    expect((await support.get(other)).status).toBe(404);
  }
});
