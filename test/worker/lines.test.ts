import { describe, expect, test } from "vitest";
import type { DueEndpoint } from "../../src/store/webhook-queue.ts";
import { Lines } from "../../src/worker/lines.ts";

const due = (organizationId: string, id: string, failingSince: number | null = null) =>
  ({ organizationId, id, failingSince }) as DueEndpoint;
const turns = (lines: Lines, count: number, suits = () => true) =>
  Array.from({ length: count }, () => lines.next(suits)?.endpoint.id ?? null);

describe("turns", () => {
  test("go from one Organization to the next, and to each of its endpoints in turn", () => {
    const lines = new Lines();
    for (const id of ["a1", "a2", "a3"]) lines.note(due("org_a", id));
    lines.note(due("org_b", "b1"));
    expect(turns(lines, 8)).toEqual(["a1", "b1", "a2", "b1", "a3", "b1", "a1", "b1"]);
  });

  test("pass by those that have nothing to do", () => {
    const lines = new Lines();
    for (const id of ["a1", "a2"]) lines.note(due("org_a", id));
    const first = lines.find(due("org_a", "a1"))!;
    expect(lines.next((line) => line !== first)?.endpoint.id).toBe("a2");
    expect(lines.next(() => false)).toBe(null);
  });
});

describe("an endpoint", () => {
  test("has more hands with each quick answer, and one after a slow one", () => {
    const lines = new Lines();
    lines.note(due("org_a", "a1"));
    const line = lines.find(due("org_a", "a1"))!;
    const most = [true, true, true, true, false, true].map((wasQuick) => (line.learn(wasQuick), line.most));
    expect(most).toEqual([4, 8, 16, 16, 1, 2]);
  });

  test("that has only failed lately is slow until it answers", () => {
    const lines = new Lines();
    lines.note(due("org_a", "a1", 1));
    const line = lines.find(due("org_a", "a1"))!;
    expect([line.slow, line.most, line.wanted(true)]).toEqual([true, 1, 1]);
    line.learn(true);
    expect([line.slow, line.most]).toEqual([false, 2]);
  });

  test("gets no further hands while an attempt is overdue, however quick the others are", () => {
    const lines = new Lines();
    lines.note(due("org_a", "a1"));
    const line = lines.find(due("org_a", "a1"))!;
    Object.assign(line, { busy: 1, overdue: 1 });
    line.claimed.push({ at: 0 } as (typeof line.claimed)[number]);
    line.learn(true);
    expect([line.canSend, line.wanted(true), line.slow]).toEqual([false, 0, true]);
    Object.assign(line, { busy: 0, overdue: 0 });
    line.learn(true);
    expect([line.canSend, line.slow]).toEqual([true, false]);
  });

  test("claims one to begin with where those of its Organization that hang have all that may be claimed", () => {
    const lines = new Lines();
    lines.note(due("org_a", "a1"));
    const line = lines.find(due("org_a", "a1"))!;
    expect([line.wanted(true), line.wanted(false)]).toEqual([8, 1]);
    line.claimed.push({ at: 0 } as (typeof line.claimed)[number]);
    expect([line.wanted(true), line.wanted(false)]).toEqual([7, 0]);
  });

  test("is left out when nothing is at work for it, a slow one after some minutes", () => {
    const lines = new Lines();
    for (const id of ["done", "slow", "ready", "claiming"]) lines.note(due("org_a", id));
    for (const id of ["done", "slow", "claiming"]) lines.find(due("org_a", id))!.ready = false;
    lines.find(due("org_a", "claiming"))!.claiming = true;
    const left = (now: number) => (lines.forget(now), [...lines].map(({ endpoint }) => endpoint.id));
    lines.find(due("org_a", "slow"))!.learn(false, 10_000);
    expect(left(20_000)).toEqual(["slow", "ready", "claiming"]);
    expect(left(600_000)).toEqual(["ready", "claiming"]);
  });
});
