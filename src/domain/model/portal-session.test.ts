import { describe, expect, test } from "vitest";
import { instant } from "../calendar.ts";
import { requestToAnswer, whyNoSignIn, type SignInEmail } from "./portal-session.ts";

const by = (askedFrom: string) => ({ askedFrom, askedAt: instant(0) });
const sent = (count: number, askedFrom: string | null): SignInEmail[] =>
  Array.from({ length: count }, () => ({ askedFrom, isFresh: false }));

describe("requestToAnswer", () => {
  test.each([
    ["no request", [], [], null],
    ["the first request", [by("ada")], [], "ada"],
    ["the fifth by a client", [by("ada")], sent(4, "ada"), "ada"],
    ["the sixth by a client", [by("ada")], sent(5, "ada"), null],
    ["another's beside it", [by("eve"), by("ada")], sent(5, "eve"), "ada"],
    ["one that can still be used", [by("ada")], [{ askedFrom: "eve", isFresh: true }], null],
    ["the twentieth in all", [by("ada")], sent(19, null), "ada"],
    ["one more", [by("ada")], sent(20, null), null],
  ])("%s", (_, requests, lately, answered) => {
    expect(requestToAnswer(requests, lately)?.askedFrom ?? null).toBe(answered);
  });
});

test.each([
  ["no e-mail yet", [], null],
  ["an e-mail that can still be used", [{ askedFrom: "eve", isFresh: true }], "fresh"],
  ["a fresh e-mail as the last of too many", [...sent(20, null), { askedFrom: "eve", isFresh: true }], "fresh"],
  ["four by this client", sent(4, "ada"), null],
  ["five by this client", sent(5, "ada"), "too_many"],
  ["five by another client", sent(5, "eve"), null],
  ["twenty in all", sent(20, null), "too_many"],
])("whyNoSignIn: %s", (_, lately, why) => {
  expect(whyNoSignIn(lately, "ada")).toBe(why);
});
