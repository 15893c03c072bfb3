import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let sales = 0;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const UNIT = { en: { one: "seat", other: "seats" } };

/** A Subscription to a Product of its own, of which the catalogue's price has risen from 20.00 to 24.00 since. */
async function sellAndRaise(more: object = {}, sold: object = {}): Promise<{ subscription: Json; productId: string }> {
  const key = `plan-${(sales += 1)}`;
  const { id: productId } = await story.plan(key, 2000, { name: "Pro", ...more });
  const customer = { email: `${key}@example.com`, externalId: key };
  const subscription = await story.buy({ productKey: key, customer, ...sold }, CARDS.pays);
  await raise(productId, 2400);
  return { subscription, productId };
}
const raise = (productId: string, amount: number) =>
  story.ok(story.app.manage("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount }] }));
/** Begins a round, and gives its notices. */
async function bring(productId: string, body: object): Promise<Json> {
  const round = await story.ok(story.app.manage("POST", `/products/${productId}/price-changes`, body));
  await story.settle();
  return round;
}

/** The e-mails of a kind to this Customer, newest first, as they were kept or skipped. */
async function emailsTo({ customerId }: Json, kind: string): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}&kind=${kind}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const textOf = ({ text }: Json) => (text as string).replaceAll("\u00a0", " ").replaceAll("\n", " ");
const DAY = 24 * 3_600_000;
const before = (time: string, days: number) => new Date(Date.parse(time) - days * DAY).toISOString();

describe("the e-mails of a new price (rules N4, N7, E4i)", () => {
  test("have both prices, the first day and the way to cancel, once for each notice", async () => {
    const { subscription, productId } = await sellAndRaise();
    await bring(productId, { consent: "notice" });
    await story.settle();
    await bring(productId, { consent: "notice" });
    const [email, ...others] = await emailsTo(subscription, "price_change");
    expect(others).toEqual([]);
    expect(email).toMatchObject({ status: "kept", subject: "[Sandbox] The price of Pro changes on 1 April 2026" });
    const text = textOf(email!);
    expect(text).toContain("Until then: US$20.00 every month");
    expect(text).toContain("From 1 April 2026: US$24.00 every month");
    expect(text).toContain("You do not need to do anything to continue.");
    expect(text).toContain("cancel before 1 April 2026.");
    expect(text).toContain(`/portal/${story.app.organization.id}`);
    expect(text).not.toContain("only if you agree");
  });

  test("have the totals with the units", async () => {
    const { subscription, productId } = await sellAndRaise(
      { unitName: UNIT, quantity: { minimum: 1, maximum: 10 } },
      { quantity: 3 },
    );
    await bring(productId, { consent: "notice" });
    const [email] = await emailsTo(subscription, "price_change");
    expect(textOf(email!)).toContain("US$60.00 every month (3 seats × US$20.00)");
    expect(textOf(email!)).toContain("US$72.00 every month (3 seats × US$24.00)");
  });

  test("report each of two notices, and skip the one that was taken back before it was written", async () => {
    const { subscription, productId } = await sellAndRaise();
    const round = await bring(productId, { consent: "notice" });
    await story.ok(story.app.manage("POST", `/price-changes/${round.id}/withdraw`));
    await story.settle();
    await raise(productId, 2600);
    await bring(productId, { consent: "notice", noticeDays: 45 });
    const [second, first] = await emailsTo(subscription, "price_change");
    expect(textOf(second!)).toMatch(/From 1 May 2026: US\$26\.00/);
    expect(first).toMatchObject({ status: "skipped", reason: "changed_meanwhile" });
  });

  test("ask for the consent, remind of it once 7 days ahead, and lead to its page", async () => {
    const { subscription, productId } = await sellAndRaise();
    await bring(productId, { consent: "required" });
    const [email] = await emailsTo(subscription, "price_change");
    const page = `/portal/${story.app.organization.id}/subscriptions/${subscription.id}/price`;
    for (const said of ["only if you agree. Otherwise, it ends on 1 April 2026", page, "cancel before 1 April 2026."])
      expect(textOf(email!)).toContain(said);
    const { effectiveAt } = (await story.subscription(subscription.id)).priceChange;
    await story.travel(before(effectiveAt, 8));
    expect(await emailsTo(subscription, "price_change_reminder")).toEqual([]);
    await story.travel(before(effectiveAt, 1));
    const [reminder, ...others] = await emailsTo(subscription, "price_change_reminder");
    expect(others).toEqual([]);
    expect(reminder).toMatchObject({
      status: "kept",
      subject: "[Sandbox] Pro ends on 1 April 2026 unless you agree to the new price",
    });
    expect(textOf(reminder!)).toContain(page);
    expect(Date.parse(reminder!.createdAt)).toBe(Date.parse(before(effectiveAt, 7)));
    await story.travel(effectiveAt);
    const [ended] = await emailsTo(subscription, "canceled");
    expect(textOf(ended!)).toContain("ended on 1 April 2026, because you did not agree to the new price.");
  });

  test("remind 7 days before the end of a pause, and announce no charge at its end", async () => {
    const { subscription, productId } = await sellAndRaise();
    await bring(productId, { consent: "required" });
    const { currentPeriodEnd } = await story.subscription(subscription.id);
    const resumesAt = before(currentPeriodEnd, -40);
    const pause = { access: "keep", resumesAt };
    await story.ok(story.app.manage("POST", `/subscriptions/${subscription.id}/pause`, pause));
    await story.travel(before(resumesAt, 8));
    expect(await emailsTo(subscription, "price_change_reminder")).toEqual([]);
    await story.travel(before(resumesAt, 1));
    const [reminder, ...others] = await emailsTo(subscription, "price_change_reminder");
    expect(others).toEqual([]);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(resumesAt));
    expect(reminder).toMatchObject({
      status: "kept",
      subject: `[Sandbox] Pro ends on ${day} unless you agree to the new price`,
    });
    expect(Date.parse(reminder!.createdAt)).toBe(Date.parse(before(resumesAt, 7)));
    expect(await emailsTo(subscription, "resume_upcoming")).toEqual([]);
  });

  test("remind neither of a given consent nor before a planned end, and have switches", async () => {
    const [agreed, ended] = [await sellAndRaise(), await sellAndRaise()];
    for (const { productId } of [agreed, ended]) await bring(productId, { consent: "required" });
    const { id, customerId } = agreed.subscription;
    const { priceChange } = await story.subscription(id);
    const there = await signInTo(story, customerId);
    await there.post(`/portal/${story.app.organization.id}/subscriptions/${id}/price`, {
      priceChangeId: priceChange.id,
    });
    await story.change(ended.subscription.id, { cancelAtPeriodEnd: true });
    await story.travel(before(priceChange.effectiveAt, 1));
    for (const { subscription } of [agreed, ended])
      expect(await emailsTo(subscription, "price_change_reminder")).toEqual([]);
    await story.travel(priceChange.effectiveAt);
    expect(await story.subscription(id)).toMatchObject({ status: "active", amount: 2400 });
    await story.ok(story.app.manage("PATCH", "/organization", { emails: { priceChange: false } }));
    const silent = await sellAndRaise();
    await bring(silent.productId, { consent: "notice" });
    expect(await emailsTo(silent.subscription, "price_change")).toEqual([]);
  });
});
