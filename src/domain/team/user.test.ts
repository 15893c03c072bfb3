import { describe, expect, test } from "vitest";
import { instant } from "../calendar.ts";
import { entryOf, faultOfPassword } from "./user.ts";

test.each([
  ["correct horse battery", null],
  ["größere Wörter 12", null],
  ["😀😁😂😃😄😅😆😇😈😉😊😋", null],
  ["😀😁😂😃", "at least 12"],
  ["eleven char", "at least 12"],
  ["x".repeat(257), "at most 256"],
  ["aaaaaaaaaaaaaaaa", "more different"],
  ["Ada@Example.com", "other than your name"],
  ["a broken \ud800 character", "is broken"],
])("%j", (password, fault) => {
  const found = faultOfPassword(password, ["Ada Lovelace", "ada@example.com", ""]);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toContain(fault);
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
  ] as const)("of a %s Organization", (mode, user, places, entry) => {
    expect(entryOf(mode, user, places)).toBe(entry);
  });
});
