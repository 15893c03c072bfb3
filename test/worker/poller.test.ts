import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR } from "../../src/domain/calendar.ts";
import type { Queue } from "../../src/store/driver/notifier.ts";
import { longestRest, planPoll } from "../../src/worker/poller.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

describe("when it is looked again", () => {
  test.each([
    ["no work waits", [["emails", null]], { due: [], rest: 250 }],
    [
      "one is due",
      [
        ["payments", -3],
        ["emails", null],
      ],
      { due: ["payments"], rest: 250 },
    ],
    ["one is due at this instant", [["events", 0]], { due: ["events"], rest: 250 }],
    [
      "one is due soon",
      [
        ["refunds", 40],
        ["clocks", 90],
      ],
      { due: [], rest: 40 },
    ],
    ["one is due within a part of a millisecond", [["refunds", 0.2]], { due: [], rest: 1 }],
    [
      "one is due, another soon, a third later",
      [
        ["events", -1],
        ["refunds", 7.5],
        ["checkouts", 9e9],
      ],
      { due: ["events"], rest: 8 },
    ],
  ] as [string, [Queue, number | null][], object][])("where %s", (_, heads, plan) => {
    expect(planPoll(new Map(heads), 250)).toEqual(plan);
  });

  test.each([
    ["one PostgreSQL", false, 60_000, 250],
    ["a cluster with work", true, 9_999, 250],
    ["a cluster without work for ten seconds", true, 10_001, 750],
  ])("after at most so long on %s", (_, isDistributed, sinceDue, most) => {
    expect(longestRest(isDistributed, sinceDue)).toBe(most);
  });

  test("no instant is passed by, and no turn is without a rest", () => {
    const queues = fc.constantFrom<Queue>("payments", "subscriptions", "events", "deliveries", "emails");
    const allHeads = fc
      .array(fc.tuple(queues, fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }))))
      .map((rows) => new Map(rows));
    fc.assert(
      fc.property(allHeads, fc.integer({ min: 1, max: 10_000 }), (heads, most) => {
        const { due, rest } = planPoll(heads, most);
        expect(rest).toBeGreaterThanOrEqual(1);
        expect(rest).toBeLessThanOrEqual(most);
        for (const [queue, milliseconds] of heads) {
          expect(due.includes(queue)).toBe(milliseconds !== null && milliseconds <= 0);
          if (milliseconds !== null && milliseconds > 0) expect(rest).toBeLessThanOrEqual(milliseconds + 1);
        }
      }),
    );
  });
});

describe("a worker that looks once an hour does at once the work that its own process makes due", () => {
  let story: Story;
  let receiver: Receiver;
  let worker: { stop(): Promise<void> };
  const types = () => receiver.received.map(({ body }) => body.type);
  const customer = (name: string) => story.ok(story.app.api("POST", "/customers", { email: `${name}@example.com` }));

  beforeAll(async () => {
    story = await startStory({});
    await story.plan("pro", 3000);
    receiver = await startReceiver();
    await story.ok(story.app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
    worker = startWorker(story.app.ctx, story.app.ctx, HOUR);
    // The look at the start may find the first event, but no later one.
    await customer("first");
    await until(() => types().length > 0);
  });
  afterAll(async () => {
    await worker.stop();
    await story.close();
    await receiver.close();
  });

  test("an event is spread and sent", async () => {
    await customer("second");
    await expect.poll(types).toEqual(["customer.created", "customer.created"]);
  });

  test("an e-mail is made", async () => {
    await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
    const kept = async () => (await story.ok(story.app.manage("GET", "/emails?status=kept"))).data;
    await expect.poll(kept).toHaveLength(1);
  });

  test("a refund is carried out", async () => {
    await story.buy({ productKey: "pro", customer: { email: "grace@example.com" } }, CARDS.pays);
    const [{ id }] = (await story.ok(story.app.manage("GET", "/invoices"))).data;
    const refund = await story.ok(story.app.manage("POST", `/invoices/${id}/refunds`, { amount: 100, to: "card" }));
    expect(refund.status).toBe("pending");
    const status = async () => (await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).status;
    await expect.poll(status).toBe("succeeded");
  });

  test("a delivery is sent once more on request", async () => {
    const [{ id: endpointId }] = (await story.ok(story.app.manage("GET", "/webhook-endpoints"))).data;
    const path = `/webhook-endpoints/${endpointId}/deliveries?status=succeeded`;
    const arrived = async () => (await story.ok(story.app.manage("GET", path))).data;
    // A delivery whose answer is not stored yet is under way, and a request changes nothing of it (rule W8a).
    await expect.poll(arrived).not.toEqual([]);
    const [{ id, eventId }] = await arrived();
    const times = () => receiver.received.filter(({ body }) => body.id === eventId).length;
    expect(times()).toBe(1);
    await story.ok(story.app.manage("POST", `/deliveries/${id}/redeliver`));
    await expect.poll(times).toBe(2);
  });
});
