import { describe, expect, test } from "vitest";
import { instant } from "../calendar.ts";
import { requestToAnswer, type SignInEmail } from "./portal.ts";

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
