import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let sales = 0;

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const raise = (productId: string, amount: number) =>
  story.ok(story.app.manage("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount }] }));
async function bring(productId: string, body: object): Promise<Json> {
  const round = await story.ok(story.app.manage("POST", `/products/${productId}/price-changes`, body));
  await story.settle();
  return round;
}

/** A Customer with a Subscription whose price rises from 20.00 to 24.00 on its first renewal. */
async function visit(body: object, product: object = {}, sold: object = {}) {
  const key = `plan-${(sales += 1)}`;
  const { id: productId } = await story.plan(key, 2000, { name: "Pro", ...product });
  const { id, customerId } = await story.buy(
    { productKey: key, customer: { email: `${key}@example.com` }, ...sold },
    CARDS.pays,
  );
  await raise(productId, 2400);
  const round = await bring(productId, body);
  const there = await signInTo(story, customerId);
  const path = `${portal}/subscriptions/${id}/price`;
  const home = async () => wordsOf((await there.get(portal)).text);
  const effectiveAt: string = (await story.subscription(id)).priceChange.effectiveAt;
  await story.news();
  return { id, customerId, productId, round, there, path, home, effectiveAt };
}
const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [n!, v!]));
const dayOf = (time: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(time));

describe("a new price in the portal (rules N5, N6)", () => {
  test("is told with its first day, and is the amount of the next charge", async () => {
    const { home, effectiveAt, there, path, id } = await visit({ consent: "notice" });
    const day = dayOf(effectiveAt);
    expect(await home()).toContain("Price US$20.00 every month");
    expect(await home()).toContain(`From ${day} US$24.00 every month`);
    expect(await home()).toContain(`Next charge ${day}: US$24.00 to Visa`);
    expect(await home()).not.toContain("agree");
    expect(await home()).toContain("Cancel subscription");
    expect(location(await there.get(path))).toBe(portal);
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(await home()).not.toContain("US$24.00");
  });

  test("leaves the next charge as it is, if the price begins later", async () => {
    const { home, effectiveAt } = await visit({ consent: "notice", noticeDays: 60 });
    expect(await home()).toMatch(/Next charge \d+ \w+ 2026: US\$20\.00 to Visa/);
    expect(await home()).toContain(`From ${dayOf(effectiveAt)} US$24.00 every month`);
  });

  test("is the total of all units, also beside a change of their number", async () => {
    const seats = { quantity: { minimum: 1, maximum: 10 }, unitName: { en: { one: "seat", other: "seats" } } };
    const { home, effectiveAt, id } = await visit({ consent: "notice" }, seats, { quantity: 3 });
    const day = dayOf(effectiveAt);
    expect(await home()).toContain(`From ${day} US$72.00 every month (3 seats × US$24.00)`);
    await story.change(id, { quantity: 2, prorationBehavior: "next_period" });
    expect(await home()).toContain(`From ${day} US$48.00 every month (2 seats × US$24.00)`);
    expect(await home()).not.toMatch(/US\$40\.00/);
    expect(await home()).toContain(`Next charge ${day}: US$48.00 to Visa`);
  });

  test("asks for the consent first, and one click gives it", async () => {
    const { home, effectiveAt, there, path, id } = await visit({ consent: "required" });
    const day = dayOf(effectiveAt);
    const missing = `Pro ends on ${day} unless you agree to the new price`;
    const first = await home();
    expect(first.indexOf(missing)).toBeGreaterThan(-1);
    expect(first.indexOf(missing)).toBeLessThan(first.indexOf("Subscriptions"));
    expect(first).toContain(`Ends on ${day} unless you agree to the new price.`);
    expect(first).not.toContain("Next charge");
    const { text } = await there.get(path);
    for (const said of ["Until then US$20.00 every month", `From ${day} US$24.00 every month`, "Cancel subscription"])
      expect(wordsOf(text)).toContain(said);
    const [, priceChangeId] = /name="priceChangeId" value="(pch_\w+)"/.exec(text)!;
    for (let n = 0; n < 2; n += 1)
      expect(location(await there.post(path, { priceChangeId: priceChangeId! }))).toBe(portal);
    expect(await story.news()).toEqual(["subscription.updated"]);
    const agreed = await home();
    expect(agreed).toContain("Thank you. You agreed to the new price.");
    expect(agreed).toContain(
      `You agreed to the new price on ${dayOf((await story.subscription(id)).priceChange.consentedAt)}.`,
    );
    expect(agreed).toContain(`Next charge ${day}: US$24.00 to Visa`);
    expect(agreed).not.toContain("unless you agree");
    await story.travel(effectiveAt);
    expect(await story.subscription(id)).toMatchObject({ status: "active", amount: 2400, priceChange: null });
  });

  test("asks for the consent also in a pause with a planned resume, and shows no charge without it", async () => {
    const { home, effectiveAt, there, path, id } = await visit({ consent: "required" });
    const resumesAt = new Date(Date.parse(effectiveAt) + 40 * 24 * 3_600_000).toISOString();
    const missing = `Pro ends on ${dayOf(resumesAt)} unless you agree to the new price`;
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, { access: "keep", resumesAt }));
    expect(await home()).toContain(missing);
    await story.travel(effectiveAt);
    const paused = await home();
    expect(paused).toContain(missing);
    expect(paused).toContain(`From ${dayOf(resumesAt)} US$24.00 every month`);
    expect(paused).not.toMatch(/US\$24\.00 to Visa/);
    const resumeKind = async () => /class="([^"]*)" href="[^"]*\/resume"/.exec((await there.get(portal)).text)![1];
    expect(await resumeKind()).toBe("button other small");
    const { text } = await there.get(path);
    expect(wordsOf(text)).toContain(`it ends on ${dayOf(resumesAt)}`);
    expect(location(await there.post(path, fieldsOf(text)))).toBe(portal);
    const agreed = await home();
    expect(await resumeKind()).toBe("button small");
    expect(agreed).not.toContain("unless you agree");
    expect(agreed).toMatch(/US\$24\.00 to Visa/);
    await story.travel(resumesAt);
    expect(await story.subscription(id)).toMatchObject({ status: "active", amount: 2400, priceChange: null });
  });

  test("takes no consent to another price than that of the page", async () => {
    const { productId, round, there, path, id } = await visit({ consent: "required" });
    await raise(productId, 2600);
    await bring(productId, { consent: "required" });
    const stale = await there.post(path, { priceChangeId: round.id });
    expect(stale.status).toBe(409);
    expect(wordsOf(stale.text)).toContain("The price has changed. Please check it again.");
    expect(wordsOf(stale.text)).toContain("US$26.00 every month");
    for (const fields of [{}, { priceChangeId: "pch_x" }]) expect((await there.post(path, fields)).status).toBe(409);
    expect((await story.subscription(id)).priceChange).toMatchObject({ consentedAt: null, unitAmount: 2600 });
  });

  test("leads home once the price does not wait any more", async () => {
    const { round, there, path, id, effectiveAt } = await visit({ consent: "required" });
    await story.ok(story.app.manage("POST", `/price-changes/${round.id}/withdraw`));
    await story.settle();
    for (const answer of [await there.get(path), await there.post(path, { priceChangeId: round.id })])
      expect(location(answer)).toBe(portal);
    expect(await story.subscription(id)).toMatchObject({ amount: 2000, priceChange: null });
    const late = await visit({ consent: "required" });
    await story.travel(late.effectiveAt > effectiveAt ? late.effectiveAt : effectiveAt);
    expect(await story.subscription(late.id)).toMatchObject({ cancellationReason: "price_not_accepted" });
    for (const answer of [
      await late.there.get(late.path),
      await late.there.post(late.path, { priceChangeId: late.round.id }),
    ])
      expect(location(answer)).toBe(portal);
  });

  test("is neither shown to another Customer nor taken from one", async () => {
    const [own, other] = [await visit({ consent: "required" }), await visit({ consent: "required" })];
    expect((await other.there.get(own.path)).status).toBe(404);
    expect((await other.there.post(own.path, { priceChangeId: own.round.id })).status).toBe(404);
    expect((await story.subscription(own.id)).priceChange.consentedAt).toBe(null);
  });

  test.each([
    ["before the new price, whose amount the page did not show", 60, 2000, 1],
    ["at the new price, whose amount the page has shown", 0, 2400, 0],
  ])("is not taken for granted by a resume %s", async (_, noticeDays, amount, waits) => {
    const { id, there } = await visit({ consent: "required", noticeDays });
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, { access: "keep" }));
    await story.travel((await story.subscription(id)).currentPeriodEnd);
    const path = `${portal}/subscriptions/${id}/resume`;
    const { text } = await there.get(path);
    expect(wordsOf(text)).toContain(`US$${amount / 100}.00`);
    await there.post(path, fieldsOf(text));
    await story.settle();
    const { status, amount: paid, priceChange } = await story.subscription(id);
    expect({ status, paid }).toEqual({ status: "active", paid: amount });
    expect(priceChange).toEqual(waits === 0 ? null : expect.objectContaining({ consentedAt: null }));
  });
});
