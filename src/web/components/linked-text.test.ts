import { describe, expect, test } from "vitest";
import { linkedText } from "./linked-text.ts";

const linked = (url: string, text = url) => `<a href="${url}" rel="noopener nofollow">${text}</a>`;

describe("the web addresses in a seller's text", () => {
  test.each([
    ["See https://help.example/a.", `See ${linked("https://help.example/a")}.`],
    ["(https://help.example/a)", `(${linked("https://help.example/a")})`],
    ["https://help.example/a_(b)", linked("https://help.example/a_(b)")],
    ["https://help.example/aをご覧ください。", `${linked("https://help.example/a")}をご覧ください。`],
    ["http://a.example/ http://b.example/", `${linked("http://a.example/")} ${linked("http://b.example/")}`],
    ["https://a.example/?b=1&c=2", linked("https://a.example/?b=1&amp;c=2")],
  ])("become links: %s", (text, html) => {
    expect(String(linkedText(text))).toBe(html);
  });

  test.each([
    "javascript:alert(1)",
    "mailto:a@b.example",
    "ftp://a.example",
    "https://",
    "https://[",
    "help@a.example",
  ])("stay a text: %s", (text) => {
    expect(String(linkedText(text))).toBe(text);
  });

  test("bring no markup", () => {
    expect(String(linkedText('https://a.example/"><script>'))).not.toMatch(/<script|href="[^"]*>/);
  });
});
