import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divide, fewestConnections, usualConnections, type Duty } from "./limits.ts";

const figures = (duty: Duty, most: number | null) =>
  Object.fromEntries([...divide(duty, most)].map(([part, { reads, transactions }]) => [part, [reads, transactions]]));

describe("the connections of a process", () => {
  test.each<[Duty, number | null, object]>([
    // what the process does, its most connections, and its parts with their connections for reads and transactions
    ["all", null, { requests: [2, 16], work: [2, 10], deliveries: [2, 10], probes: [1, 1] }],
    ["all", 44, { requests: [2, 17], work: [2, 10], deliveries: [2, 9], probes: [1, 1] }],
    ["all", 20, { requests: [1, 8], work: [1, 4], deliveries: [1, 3], probes: [1, 1] }],
    ["all", 10, { requests: [1, 2], work: [1, 2], deliveries: [1, 1], probes: [1, 1] }],
    ["serve", null, { requests: [2, 16], probes: [1, 1] }],
    ["serve", 100, { requests: [2, 96], probes: [1, 1] }],
    ["serve", 5, { requests: [1, 2], probes: [1, 1] }],
    ["work", 12, { work: [2, 5], deliveries: [2, 3] }],
    ["work", 5, { work: [1, 2], deliveries: [1, 1] }],
    ["command", 3, { work: [1, 2] }],
  ])("of duty %s and figure %s", (duty, most, parts) => {
    expect(figures(duty, most)).toEqual(parts);
  });

  test("are exactly as many as the operator says, and each part has some", () => {
    const duties = fc.constantFrom<Duty>("all", "serve", "work", "command");
    fc.assert(
      fc.property(duties, fc.integer({ min: 0, max: 500 }), (duty, more) => {
        const most = fewestConnections(duty) + more;
        const parts = [...divide(duty, most).values()];
        expect(parts.reduce((total, { reads, transactions }) => total + reads + transactions, 0)).toBe(most);
        expect(parts.every(({ reads, transactions }) => reads >= 1 && transactions >= 1)).toBe(true);
      }),
    );
  });

  test("are no fewer than each part needs", () => {
    expect([fewestConnections("all"), usualConnections("all")]).toEqual([10, 44]);
    expect(() => divide("all", 9)).toThrow(RangeError);
  });
});
