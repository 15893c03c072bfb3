import { expect, test } from "vitest";
import { maskedEmail } from "./masked-email.ts";

test.each([
  ["ada@example.com", "a•••@e•••.com"],
  ["a@b.de", "a•••@b•••.de"],
  ["ada.lovelace@mail.example.co.uk", "a•••@m•••.uk"],
  ["玄@例え.jp", "玄•••@例•••.jp"],
  ["😀x@example.com", "😀•••@e•••.com"],
])("%s is shown as %s", (email, masked) => expect(maskedEmail(email)).toBe(masked));
