import { describe, expect, test } from "vitest";
import { organizationWith } from "../../test/support/organization.ts";
import { instant } from "../domain/calendar.ts";
import { ENGLISH } from "../texts/words.ts";
import { formatEmail } from "./email-content.ts";

const LETTER = { subject: "Hello", heading: "Hello", blocks: [{ text: "A text." }] };
const ADDRESSES = {
  supportEmail: "help@acme.example",
  supportUrl: "https://acme.example/help?a=1&b=2",
  termsUrl: "https://acme.example/terms",
  privacyUrl: "https://acme.example/privacy",
  websiteUrl: "https://acme.example",
};

describe("the foot of a letter", () => {
  test("links to the seller", () => {
    const { text, html } = formatEmail(LETTER, organizationWith(ADDRESSES), ENGLISH);
    expect(text.slice(text.indexOf("-- \n"))).toBe(
      [
        "-- ",
        "You are receiving this e-mail because you are a customer of Seller.",
        "Contact Seller: https://acme.example/help?a=1&b=2",
        "help@acme.example",
        "Terms: https://acme.example/terms",
        "Privacy: https://acme.example/privacy",
        "https://acme.example",
        "",
      ].join("\n"),
    );
    const footer = html.slice(html.indexOf("<footer"));
    expect([...footer.matchAll(/href="([^"]+)"[^>]*>([^<]+)</g)].map(([, url, label]) => [label, url])).toEqual([
      ["Contact Seller", "https://acme.example/help?a=1&amp;b=2"],
      ["help@acme.example", "mailto:help@acme.example"],
      ["Terms", "https://acme.example/terms"],
      ["Privacy", "https://acme.example/privacy"],
      ["acme.example", "https://acme.example"],
    ]);
  });

  test("writes out an address that is the only way to the seller", () => {
    const { text } = formatEmail(LETTER, organizationWith({ supportEmail: "help@acme.example" }), ENGLISH);
    expect(text).toMatch(/Contact Seller: help@acme\.example\n$/);
  });

  test("has no links without addresses, and none in a letter to the seller", () => {
    const { text, html } = formatEmail(LETTER, organizationWith(), ENGLISH);
    expect(text).toMatch(/a customer of Seller\.\n$/);
    expect(html.slice(html.indexOf("<footer"))).not.toContain("<a");
    expect(formatEmail(LETTER, organizationWith(ADDRESSES), "seller").text).not.toContain("https:");
  });
});

test("a date stays on one line of a letter, and markup in a text stays text", () => {
  const day = ENGLISH.day(instant(Date.parse("2026-03-10T12:00:00Z")), "UTC");
  const content = { ...LETTER, subject: `Until ${day}`, blocks: [{ text: `<b>${day}</b> & <i>` }] };
  const { subject, text, html } = formatEmail(content, organizationWith(), ENGLISH);
  expect(html).toContain(">&lt;b&gt;10\u00a0March\u00a02026&lt;/b&gt; &amp; &lt;i&gt;</p>");
  expect(text).toContain("\n<b>10 March 2026</b> & <i>\n");
  expect(subject).toBe("[Sandbox] Until 10 March 2026");
});

test("a letter has colours for dark mail programs, and text that stays readable on a dark ground", () => {
  const { html } = formatEmail(
    LETTER,
    organizationWith({ branding: { displayName: null, accentColor: "#0a0a40", logoUrl: null } }),
    ENGLISH,
  );
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  const [, dark] = /@media screen and \(prefers-color-scheme: dark\) \{(.*?)\n\}/s.exec(html)!;
  const named = [...dark!.matchAll(/^ {2}\.(\w+) /gm)].map(([, name]) => name!);
  expect(named).toEqual(["ground", "surface", "line", "soft", "accent"]);
  for (const name of named.filter((each) => each !== "line")) expect(html).toMatch(new RegExp(`class="${name}"`));
  expect(dark).not.toContain("color: #0a0a40");
});
