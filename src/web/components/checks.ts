import { html } from "hono/html";
import { EMAIL, UNSEEN } from "../../resources/fields.ts";
import { LINE } from "../../resources/patterns.ts";
import type { Html } from "../layout.ts";

/**
 * A rule of the server for the trimmed value of a field, and the words of its fault. `checks.js` checks the rules in
 * their order before a form is sent, so that a mistake is found without a request. An empty value fits every rule but
 * `required`.
 */
export type Check =
  | [rule: "required", words: string]
  | [rule: "match" | "without", words: string, pattern: string, flags: string]
  | [rule: "most", words: string, characters: number]
  | [rule: "number", incomplete: string, wrong: string]
  | [rule: "expiry", incomplete: string, past: string, earliest: number]
  | [rule: "cvc", incomplete: string, three: string, four: string];

export const required = (words: string): Check => ["required", words];
export const rejects = (words: string, { source, flags }: RegExp): Check => ["without", words, source, flags];

/** A text of one line, as the server accepts it. */
export const lineOf = (words: string, most: number): Check[] => [
  ["most", words, most],
  ["match", words, LINE, ""],
];

/** An e-mail address, as the server accepts it. */
export const emailAddress = (words: string): Check[] => [
  ["most", words, 320],
  ["match", words, EMAIL.source, EMAIL.flags],
  rejects(words, UNSEEN),
];

/** The attribute of an input that holds its rules. */
export function checksMark(checks: readonly Check[] = []): Html | "" {
  return checks.length === 0 ? "" : html`data-checks="${JSON.stringify(checks)}"`;
}
