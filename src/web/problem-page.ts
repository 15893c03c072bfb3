import { html } from "hono/html";
import type { Context } from "../context.ts";
import type { Words } from "../texts/words.ts";
import { messagePage } from "./components/message.ts";
import type { Html } from "./layout.ts";

const NAMES = {
  400: "incomplete",
  403: "foreign",
  404: "notFound",
  405: "method",
  410: "gone",
  413: "tooLarge",
  415: "notAForm",
  429: "tooMany",
  500: "ours",
  503: "unavailable",
} as const;

/** The problems whose text asks the buyer to load the page again. */
const REPEATED: ReadonlySet<string> = new Set([
  "tooMany",
  "ours",
  "unavailable",
] satisfies (typeof NAMES)[keyof typeof NAMES][]);

/** The statuses that have a page of their own. */
export const PROBLEMS = Object.keys(NAMES).map(Number);

const isKnown = (status: number): status is keyof typeof NAMES => status in NAMES;

/** Any other status is shown as 500. */
export function problemPage(ctx: Context, words: Words, status: number): Html {
  const name = NAMES[isKnown(status) ? status : 500];
  const [title, text] = [words.problem[`${name}Title`], words.problem[name]];
  // An empty address is the page's own. A form that failed is not sent again.
  const more = REPEATED.has(name) ? html`<a class="button" href="">${words.frame.refresh}</a>` : undefined;
  return messagePage(ctx, { words, organization: null, icon: "stopped", title, text, more });
}
