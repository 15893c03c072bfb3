import { afterAll, beforeAll, expect, it } from "vitest";
import { presentSubscription } from "../../src/resources/subscription.ts";
import { readSubscription, readSubscriptionBody } from "../../src/store/subscriptions.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-01-31T23:59:59.007Z" });
});
afterAll(() => story.close());

/** The JSON that PostgreSQL makes, and the one that `presentSubscription` makes: equal to the byte. */
async function bodies(id: string): Promise<[string | null, string]> {
  const { ctx, organization } = story.app;
  const made = await readSubscriptionBody(ctx.db.read, organization.id, id);
  const row = (await readSubscription(ctx.db.read, organization.id, id))!;
  return [made!.body, JSON.stringify(presentSubscription(row, row.externalCustomerId))];
}

it("is the same JSON in each state", async () => {
  const prices = [{ currency: "usd", amount: 1000 }];
  await story.ok(
    story.app.manage("POST", "/products", { key: "trial", name: "Trial", interval: "month", trialDays: 14, prices }),
  );
  await story.ok(
    story.app.manage("POST", "/products", { key: "plain", name: "Plain", interval: "year", group: null, prices }),
  );
  const metadata = { zeta: 'Ż"\\ / 😀', a: 1.5, yes: true };
  const trial = await story.buy(
    { productKey: "trial", customer: { email: "a@example.com", externalId: 'ä"' }, metadata },
    "4242424242424242",
  );
  const plain = await story.buy({ productKey: "plain", customer: { email: "b@example.com" } }, "4000000000000341");
  const expectSame = async (id: string) => {
    const [made, presented] = await bodies(id);
    expect(made).toBe(presented);
  };
  await expectSame(trial.id);
  await expectSame(plain.id);
  await story.ok(
    story.app.api("PATCH", `/subscriptions/${trial.id}`, {
      cancelAtPeriodEnd: true,
      cancellationReason: "other",
      cancellationComment: "a\tb",
    }),
  );
  await expectSame(trial.id);
  await story.travel("2025-03-01");
  await expectSame(trial.id);
  await story.travel("2026-02-20");
  await expectSame(plain.id);
});

it("leaves a pending change and a pause to the slower way", async () => {
  const prices = [{ currency: "usd", amount: 2000 }];
  await story.ok(
    story.app.manage("POST", "/products", { key: "more", name: "More", interval: "month", group: "other", prices }),
  );
  await story.ok(
    story.app.manage("POST", "/products", { key: "most", name: "Most", interval: "month", group: "other", prices }),
  );
  const { id } = await story.buy({ productKey: "more", customer: { email: "c@example.com" } }, "4242424242424242");
  await story.ok(
    story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "most", prorationBehavior: "next_period" }),
  );
  expect((await bodies(id))[0]).toBeNull();
  expect(await story.ok(story.app.api("GET", `/subscriptions/${id}`))).toMatchObject({
    pendingChange: { amount: 2000 },
  });
  await story.ok(story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "more" }));
  expect((await bodies(id))[0]).not.toBeNull();
  await story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, { access: "keep" }));
  expect((await bodies(id))[0]).toBeNull();
  expect(await story.ok(story.app.api("GET", `/subscriptions/${id}`))).toMatchObject({ pause: { access: "keep" } });
});
