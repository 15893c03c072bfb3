import { expect, test } from "vitest";
import { faultOfPassword } from "./user.ts";

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
