import { describe, expect, test } from "vitest";
import type { DueEndpoint } from "../../src/store/webhook-queue.ts";
import { EndpointQueues } from "../../src/worker/endpoint-queues.ts";

const due = (organizationId: string, id: string, failingSince: number | null = null) =>
  ({ organizationId, id, failingSince }) as DueEndpoint;
const turns = (queues: EndpointQueues, count: number, suits = () => true) =>
  Array.from({ length: count }, () => queues.next(suits)?.endpoint.id ?? null);

describe("turns", () => {
  test("go from one Organization to the next, and to each of its endpoints in turn", () => {
    const queues = new EndpointQueues();
    for (const id of ["a1", "a2", "a3"]) queues.note(due("org_a", id));
    queues.note(due("org_b", "b1"));
    expect(turns(queues, 8)).toEqual(["a1", "b1", "a2", "b1", "a3", "b1", "a1", "b1"]);
  });

  test("pass by those that have nothing to do", () => {
    const queues = new EndpointQueues();
    for (const id of ["a1", "a2"]) queues.note(due("org_a", id));
    const first = queues.find(due("org_a", "a1"))!;
    expect(queues.next((queue) => queue !== first)?.endpoint.id).toBe("a2");
    expect(queues.next(() => false)).toBe(null);
  });
});

describe("an endpoint", () => {
  test("has more slots with each quick answer, and one after a slow one", () => {
    const queues = new EndpointQueues();
    queues.note(due("org_a", "a1"));
    const queue = queues.find(due("org_a", "a1"))!;
    const most = [true, true, true, true, false, true].map((wasQuick) => (queue.learn(wasQuick), queue.most));
    expect(most).toEqual([4, 8, 16, 16, 1, 2]);
  });

  test("that has only failed lately is slow until it answers", () => {
    const queues = new EndpointQueues();
    queues.note(due("org_a", "a1", 1));
    const queue = queues.find(due("org_a", "a1"))!;
    expect([queue.slow, queue.most, queue.room]).toEqual([true, 1, 1]);
    queue.learn(true);
    expect([queue.slow, queue.most]).toEqual([false, 2]);
  });

  test("gets no further slots while an attempt is overdue, however quick the others are", () => {
    const queues = new EndpointQueues();
    queues.note(due("org_a", "a1"));
    const queue = queues.find(due("org_a", "a1"))!;
    Object.assign(queue, { busy: 1, overdue: 1 });
    queue.claimed.push({ at: 0 } as (typeof queue.claimed)[number]);
    queue.learn(true);
    expect([queue.canSend, queue.room, queue.slow]).toEqual([false, 0, true]);
    Object.assign(queue, { busy: 0, overdue: 0 });
    queue.learn(true);
    expect([queue.canSend, queue.slow]).toEqual([true, false]);
  });

  test("claims a few ahead of its slots, and more once half of its slots would be idle", () => {
    const queues = new EndpointQueues();
    queues.note(due("org_a", "a1"));
    const queue = queues.find(due("org_a", "a1"))!;
    const rooms = [0, 1, 2].map((length) => {
      queue.claimed.length = length;
      return queue.room;
    });
    expect(rooms).toEqual([8, 7, 0]);
  });

  test("is left out when no work is left for it, a slow one after some minutes", () => {
    const queues = new EndpointQueues();
    for (const id of ["done", "slow", "ready", "turn"]) queues.note(due("org_a", id));
    for (const id of ["done", "slow", "turn"]) queues.find(due("org_a", id))!.ready = false;
    queues.find(due("org_a", "turn"))!.isClaiming = true;
    const left = (now: number) => (queues.forget(now), [...queues].map(({ endpoint }) => endpoint.id));
    queues.find(due("org_a", "slow"))!.learn(false, 10_000);
    expect(left(20_000)).toEqual(["slow", "ready", "turn"]);
    expect(left(600_000)).toEqual(["ready", "turn"]);
  });
});
