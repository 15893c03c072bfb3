import { describe, expect, test } from "vitest";
import { HOUR, instant } from "../calendar.ts";
import { liveSecrets, rotated, wants } from "./webhook.ts";

const NOW = instant(Date.UTC(2026, 0, 31));

test("an endpoint wants all events, or those that it names", () => {
  expect(wants({ events: ["*"] }, "invoice.paid")).toBe(true);
  expect(wants({ events: ["invoice.paid", "invoice.voided"] }, "invoice.paid")).toBe(true);
  expect(wants({ events: ["invoice.paid"] }, "invoice.voided")).toBe(false);
});

describe("secrets", () => {
  const at = (hours: number) => instant(NOW + hours * HOUR);
  const first = { secret: "1", previousSecrets: [] };

  test("the one before signs, too, until its time is over", () => {
    const endpoint = rotated(first, "2", at(1), NOW);
    expect([liveSecrets(endpoint, instant(at(1) - 1)), liveSecrets(endpoint, at(1))]).toEqual([["2", "1"], ["2"]]);
  });

  test("a second rotation cuts nobody off, whenever the overlaps end", () => {
    const endpoint = rotated(rotated(first, "2", at(168), NOW), "3", at(1), NOW);
    expect([0, 2, 168].map((hours) => liveSecrets(endpoint, at(hours)))).toEqual([["3", "2", "1"], ["3", "1"], ["3"]]);
  });

  test("without an overlap only the new one signs from now on", () => {
    expect(liveSecrets(rotated(rotated(first, "2", at(168), NOW), "3", NOW, NOW), NOW)).toEqual(["3"]);
  });

  test("six sign at most", () => {
    const endpoint = ["2", "3", "4", "5", "6", "7", "8"].reduce(
      (before, next) => rotated(before, next, at(1), NOW),
      rotated(first, "1b", at(1), NOW),
    );
    expect(liveSecrets(endpoint, NOW)).toEqual(["8", "7", "6", "5", "4", "3"]);
  });
});
