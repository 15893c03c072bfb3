import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { MAX_AMOUNT } from "../money.ts";
import { activationLimitOf, MOST_PER_UNIT, planGrants, valueOf, type BenefitGrant } from "./benefit.ts";
import { MOST_UNITS } from "./quantity.ts";

function grant(benefitId: string, status: BenefitGrant["status"], quantity = 1): BenefitGrant {
  return {
    organizationId: "org_1",
    id: `bgr_${benefitId}`,
    customerId: "cus_1",
    benefitId,
    benefitVersion: 1,
    subscriptionId: "sub_1",
    invoiceId: null,
    quantity,
    status,
    properties: {},
    activations: 0,
    reason: "purchased",
    grantedAt: at("2025-06-01"),
    revokedAt: status === "revoked" ? at("2025-06-02") : null,
    version: 1,
    eventSequence: 1,
    createdAt: at("2025-06-01"),
    updatedAt: at("2025-06-01"),
  };
}

/** `a`: an active grant; `-a`: a revoked grant. */
const grantsOf = (held: string) =>
  held
    .split(" ")
    .flatMap((each) =>
      each === "" ? [] : [each.startsWith("-") ? grant(each.slice(1), "revoked") : grant(each, "active")],
    );

describe("entitled and granted (rules B1, B2)", () => {
  test.each([
    ["a purchase", "a b", "", { revoke: [], restore: [], make: ["a", "b"] }],
    ["no change", "a b", "a b", { revoke: [], restore: [], make: [] }],
    ["another Product that shares one", "b c", "a b", { revoke: ["a"], restore: [], make: ["c"] }],
    ["an end", "", "a b", { revoke: ["a", "b"], restore: [], make: [] }],
    ["a recovery brings the same rows back", "a b", "-a -b", { revoke: [], restore: ["a", "b"], make: [] }],
    ["a revoked Benefit stays so without an entitlement", "b", "-a b", { revoke: [], restore: [], make: [] }],
    ["all at once", "b c d", "a b -c", { revoke: ["a"], restore: ["c"], make: ["d"] }],
    ["a Benefit twice", "a a", "", { revoke: [], restore: [], make: ["a"] }],
  ])("%s", (_, entitled, held, expected) => {
    const { revoke, restore, make } = planGrants(entitled.split(" ").filter(Boolean), grantsOf(held), 1);
    expect({
      revoke: revoke.map((each) => each.benefitId),
      restore: restore.map((each) => each.benefitId),
      make,
    }).toEqual(expected);
  });

  it("become the same from any start, and then stay the same", () => {
    const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
    const quantity = fc.constantFrom(1, 2, 3);
    const row = fc.record({ id: fc.constantFrom(..."abcdefgh"), active: fc.boolean(), quantity });
    const held = fc.uniqueArray(row, {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(ids, held, quantity, (entitled, before, sold) => {
        const grants = before.map((each) => grant(each.id, each.active ? "active" : "revoked", each.quantity));
        const { revoke, restore, adjust, make } = planGrants(entitled, grants, sold);
        const adjusted = new Set([...adjust, ...restore].map(({ id }) => id));
        const changed = new Map<string, BenefitGrant["status"]>([
          ...revoke.map((each) => [each.id, "revoked"] as const),
          ...restore.map((each) => [each.id, "active"] as const),
        ]);
        expect(changed.size).toBe(revoke.length + restore.length);
        const after = [
          ...grants.map((each) => ({
            ...each,
            status: changed.get(each.id) ?? each.status,
            quantity: adjusted.has(each.id) ? sold : each.quantity,
          })),
          ...make.map((benefitId) => grant(benefitId, "active", sold)),
        ];
        const active = after.filter((each) => each.status === "active").map((each) => each.benefitId);
        expect(active.sort()).toEqual(entitled.toSorted());
        const present = after.filter((each) => each.status === "active");
        expect(present.every((each) => each.quantity === sold)).toBe(true);
        expect(planGrants(entitled, after, sold)).toEqual({ revoke: [], adjust: [], restore: [], make: [] });
      }),
    );
  });
});

describe("the numbers of a grant (rule B5)", () => {
  test.each([
    [{ value: 10 }, 5, 10],
    [{ value: 10, perUnit: true as const }, 5, 50],
    [{ value: 10, perUnit: true as const }, 1, 10],
    [{ value: 0, perUnit: true as const }, 7, 0],
    [{ value: -2, perUnit: true as const }, 3, -6],
    [{ value: true }, 5, true],
    [{ value: "gold" }, 5, "gold"],
    [{ value: 2.5 }, 4, 2.5],
  ])("the value of %j for %d units is %j", (properties, quantity, shown) => {
    expect(valueOf(properties, quantity)).toBe(shown);
  });

  test.each([
    [{ activationLimit: 3 }, 5, 3],
    [{ activationLimit: 3, perUnit: true as const }, 5, 15],
    [{ activationLimit: null }, 5, null],
  ])("the limit of %j for %d units is %j", (properties, quantity, shown) => {
    expect(activationLimitOf(properties, quantity)).toBe(shown);
  });

  it("are amounts as in rule M1 for the most units", () => {
    expect(valueOf({ value: MOST_PER_UNIT, perUnit: true }, MOST_UNITS)).toBeLessThanOrEqual(MAX_AMOUNT);
    expect(valueOf({ value: MOST_PER_UNIT + 1, perUnit: true }, MOST_UNITS)).toBeGreaterThan(MAX_AMOUNT);
  });
});
