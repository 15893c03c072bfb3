import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { signInTo, startPortalStory, startWebClient } from "../support/portal.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let cookie: string;
let forms: Record<string, string>;

beforeAll(async () => {
  const { portal, subscription, ...started } = await startPortalStory();
  story = started.story;
  await story.plan("team", 6000, { name: "Team" });
  const { data } = await story.ok(story.app.manage("GET", "/products?key=team"));
  const plan = `${portal}/subscriptions/${subscription.id}`;
  forms = {
    home: portal,
    details: `${portal}/details`,
    "e-mail": `${portal}/email`,
    card: `${portal}/card`,
    plan: `${plan}/plan/${(data as Json[])[0]!.id}`,
    cancellation: `${plan}/cancel`,
  };
  cookie = (await signInTo(story, subscription.customerId)).cookie!;
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const TEXTS = [
  ..."|-1|1e9|DE|KP|US|JP|XX|California|CA|10119|DE811569869|en|de-AT|%00|__proto__|constructor|a@b.c|update".split(
    "|",
  ),
  ..."2026-03-01T09:00:00Z|+999999-01-01T00:00:00Z|<script>alert(1)</script>|'; DROP TABLE customers; --".split("|"),
  "\u0000",
  "a\u0000b",
  "\u202eevil",
  "\ufeff",
  "\ufdfa".repeat(32),
  "ß".repeat(40),
  "x".repeat(5000),
  "\r\nSet-Cookie: a=b",
];
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "grapheme", maxLength: 40 }));

/** The fields of each form. Each one is left out or has any text. */
const FIELDS: Record<string, string[]> = {
  home: ["email"],
  details: "name companyName country line1 line2 postalCode city state taxId language action".split(" "),
  "e-mail": ["email"],
  card: ["number", "expiry", "cvc", "action"],
  plan: ["expectedAmount", "expectedPrice", "shownAt"],
  cancellation: ["reason"],
};

describe("any text in a form of the portal gets an answer that is no fault of ours", () => {
  test.each(Object.entries(FIELDS))("%s", async (name, fields) => {
    const values = Object.fromEntries(fields.map((field) => [field, text]));
    const path = forms[name]!;
    await fc.assert(
      fc.asyncProperty(fc.record(values, { requiredKeys: [] }), async (typed) => {
        const there = startWebClient(story.app.url, cookie);
        const sent = await there.post(path, typed as Record<string, string>);
        expect(sent.status, JSON.stringify(typed).slice(0, 500)).toBeLessThan(500);
        expect(sent.text).not.toContain("<script>alert");
        // The account is shown with all that was stored.
        const home = await startWebClient(story.app.url, cookie).get(forms["home"]!);
        expect([home.status, home.text.includes("<script>alert")]).toEqual([200, false]);
      }),
      { numRuns: name === "details" ? 40 : 12 },
    );
  });
});
