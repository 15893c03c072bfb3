import { describe, expect, test } from "vitest";
import { instant } from "../calendar.ts";
import { entryOf, faultOfPassword } from "./user.ts";

test.each([
  ["correct horse battery", null],
  ["größere Wörter 12", null],
  ["😀😁😂😃😄😅😆😇😈😉😊😋", null],
  ["😀😁😂😃", "too_short"],
  ["eleven char", "too_short"],
  ["x".repeat(257), "too_long"],
  ["aaaaaaaaaaaaaaaa", "too_uniform"],
  ["Ada@Example.com", "guessable"],
  ["a broken \ud800 character", "broken_character"],
])("%j", (password, fault) => {
  expect(faultOfPassword(password, ["Ada Lovelace", "ada@example.com", ""])).toBe(fault);
});

describe("the entry by an invitation", () => {
  const [LIVE, SANDBOX] = [{ mode: "live" }, { mode: "sandbox" }] as const;
  const proven = { emailProvenAt: instant(0) };
  const unproven = { emailProvenAt: null };
  test.each([
    ["live", null, [], "new"],
    ["sandbox", null, [], "new"],
    ["sandbox", unproven, [], "sign_in"],
    ["sandbox", unproven, [SANDBOX], "sign_in"],
    ["live", unproven, [], "claim"],
    ["live", unproven, [SANDBOX, SANDBOX], "claim"],
    ["live", unproven, [SANDBOX, LIVE], "sign_in"],
    ["live", proven, [], "sign_in"],
    ["live", proven, [SANDBOX], "sign_in"],
  ] as const)("of a %s Organization", (mode, user, memberships, entry) => {
    expect(entryOf(mode, user, memberships)).toBe(entry);
  });
});
