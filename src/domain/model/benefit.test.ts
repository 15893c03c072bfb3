import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { planGrants, type BenefitGrant } from "./benefit.ts";

function grant(benefitId: string, status: BenefitGrant["status"]): BenefitGrant {
  return {
    organizationId: "org_1",
    id: `bgr_${benefitId}`,
    customerId: "cus_1",
    benefitId,
    benefitVersion: 1,
    subscriptionId: "sub_1",
    invoiceId: null,
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
    const { revoke, restore, make } = planGrants(entitled.split(" ").filter(Boolean), grantsOf(held));
    expect({
      revoke: revoke.map((each) => each.benefitId),
      restore: restore.map((each) => each.benefitId),
      make,
    }).toEqual(expected);
  });

  it("become the same from any start, and then stay the same", () => {
    const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
    const held = fc.uniqueArray(fc.record({ id: fc.constantFrom(..."abcdefgh"), active: fc.boolean() }), {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(ids, held, (entitled, before) => {
        const grants = before.map(({ id, active }) => grant(id, active ? "active" : "revoked"));
        const { revoke, restore, make } = planGrants(entitled, grants);
        const changed = new Map<string, BenefitGrant["status"]>([
          ...revoke.map((each) => [each.id, "revoked"] as const),
          ...restore.map((each) => [each.id, "active"] as const),
        ]);
        expect(changed.size).toBe(revoke.length + restore.length);
        const after = [
          ...grants.map((each) => ({ ...each, status: changed.get(each.id) ?? each.status })),
          ...make.map((benefitId) => grant(benefitId, "active")),
        ];
        const active = after.filter((each) => each.status === "active").map((each) => each.benefitId);
        expect(active.sort()).toEqual(entitled.toSorted());
        expect(planGrants(entitled, after)).toEqual({ revoke: [], restore: [], make: [] });
      }),
    );
  });
});
