import { afterEach, expect, test } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
afterEach(() => story.close());

const NEW = { customer: { email: "ada@example.com" } };
const RENEWED = ["subscription.renewed", "invoice.created", "payment.succeeded", "invoice.paid"];

test("a trial and its months are told of ahead, once", async () => {
  story = await startStory({ clock: "2025-01-31T09:00:00Z" });
  await story.plan("pro", 3000, { trialDays: 14 });

  // 31 January: the trial begins
  const { id } = await story.buy({ productKey: "pro", ...NEW }, CARDS.pays);
  await story.newsAndNotices();

  // 11 February, 08:59: no notice yet
  await story.travel("2025-02-11T08:59:59.999Z");
  expect(await story.newsAndNotices()).toEqual([]);
  const before = await story.app.api("GET", `/subscriptions/${id}`);

  // 11 February, 09:00: three days before the trial ends
  await story.travel("2025-02-11");
  expect(await story.newsAndNotices()).toEqual(["subscription.trial_ending"]);
  const [recorded] = (await story.events()).slice(-1);
  expect(recorded).toMatchObject({
    createdAt: "2025-02-11T09:00:00.000Z",
    data: { id, trialEnd: "2025-02-14T09:00:00.000Z", status: "trialing" },
  });
  const after = await story.app.api("GET", `/subscriptions/${id}`);
  expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  expect(after.body).toEqual(before.body);

  // 14 February: the trial ends and is paid for
  await story.travel("2025-02-14");
  expect(await story.newsAndNotices()).toEqual([
    "subscription.activated",
    "invoice.created",
    "payment.succeeded",
    "invoice.paid",
  ]);

  // 7 March: seven days before the month is over
  await story.travel("2025-03-07");
  expect(await story.newsAndNotices()).toEqual(["subscription.renewal_upcoming"]);

  // 14 April: a month, its notice, and the next renewal
  await story.travel("2025-04-14");
  expect(await story.newsAndNotices()).toEqual([...RENEWED, "subscription.renewal_upcoming", ...RENEWED]);
  const sequences = (await story.events()).filter((event) => event.resourceId === id).map((event) => event.sequence);
  expect(sequences).toEqual(sequences.map((_, n) => n + 1));
  expect(await story.audit()).toEqual([]);
});

test("a Subscription that is to end, or is past due, has no notice; and no notice comes late", async () => {
  story = await startStory({ clock: "2025-01-01T09:00:00Z" });
  await story.plan("pro", 3000);
  await story.plan("basic", 1000);
  const { id, customerId } = await story.buy({ productKey: "pro", ...NEW }, CARDS.pays);
  await story.newsAndNotices();

  // 10 January: to be canceled; 25 January: no notice
  await story.change(id, { cancelAtPeriodEnd: true });
  await story.travel("2025-01-26");
  expect(await story.newsAndNotices()).toEqual(["subscription.cancellation_scheduled"]);

  // 26 January: undone, a day after the notice would have been
  await story.change(id, { cancelAtPeriodEnd: false });
  await story.travel("2025-01-31");
  expect(await story.newsAndNotices()).toEqual(["subscription.cancellation_undone"]);
  expect(await story.audit()).toEqual([]);

  // 1 February: renewed; 22 February: a notice, while a downgrade is planned
  await story.travel("2025-02-10");
  await story.change(id, { productKey: "basic", prorationBehavior: "next_period" });
  await story.travel("2025-02-22");
  expect(await story.newsAndNotices()).toEqual([...RENEWED, "subscription.updated", "subscription.renewal_upcoming"]);
  expect((await story.events()).at(-1)!.data.pendingChange).toMatchObject({ amount: 1000 });

  // 1 March: the card fails from now on; past due, dunning is notice enough
  await story.newCard(customerId, CARDS.failsLater);
  await story.travel("2025-03-25");
  expect(await story.newsAndNotices()).not.toContain("subscription.renewal_upcoming");
  expect(await story.audit()).toEqual([]);
});

test("periods shorter than a month have no notice; where there is one, the notice is due next", async () => {
  story = await startStory({ clock: "2025-01-01T09:00:00Z" });
  await story.plan("weekly", 700, { interval: "week" });
  await story.plan("yearly", 9000, { interval: "year" });
  await story.buy({ productKey: "weekly", ...NEW }, CARDS.pays);
  await story.travel("2025-01-23");
  expect(await story.newsAndNotices()).not.toContain("subscription.renewal_upcoming");

  await story.buy({ productKey: "yearly", customer: { email: "bob@example.com" } }, CARDS.pays);
  await story.travel("2026-01-16T08:59:59.999Z");
  const upcoming = (recorded: string[]) => recorded.filter((type) => type === "subscription.renewal_upcoming").length;
  expect(upcoming(await story.newsAndNotices())).toBe(0);
  const next = await story.ok(story.app.manage("POST", "/sandbox/clock/advance", { toNextDue: true }));
  expect(next).toMatchObject({ now: "2026-01-16T09:00:00.000Z" });
  expect(upcoming(await story.newsAndNotices())).toBe(1);
});
