import { describe, expect, it } from "vitest";
import { ENGLISH } from "../texts/words.ts";
import { renewalUpcoming, trialEnding, type AheadFacts } from "./subscription.ts";

const facts: AheadFacts = {
  product: "Pro",
  day: "1 March 2026",
  amount: "US$30.00",
  period: { interval: "month", intervalCount: 1 },
  paidBy: { means: "card", name: "Visa •••• 4242" },
  isDisputed: false,
  seller: "Acme",
  portal: "https://billow.example/portal/org_1",
  portalCard: "https://billow.example/portal/org_1/card",
};

describe.each([
  ["a renewal", renewalUpcoming],
  ["the end of a trial", trialEnding],
])("a letter ahead of %s", (_, write) => {
  it("leads to the portal for a cancellation", () => {
    const { blocks } = write(facts, ENGLISH);
    expect(blocks.at(-1)).toMatchObject({ url: facts.portal });
  });

  it("names the seller if the portal allows no cancellation (rule I10)", () => {
    const { blocks } = write({ ...facts, portal: null }, ENGLISH);
    expect(blocks.at(-1)).toEqual({ text: "To cancel, contact Acme." });
    expect(JSON.stringify(blocks)).not.toContain("sign in to your account");
  });
});
