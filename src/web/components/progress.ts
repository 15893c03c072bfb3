import { html } from "hono/html";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

const after = (content: string): Html => html`<noscript><meta http-equiv="refresh" content="${content}"></noscript>`;

/** Without a script, a page that awaits an answer loads itself again. */
export const RELOAD = after("3");

/** As `RELOAD`, for a page whose address may have a fragment: a browser would only scroll to this fragment. */
export const reload = (self: string): Html => after(`3; url=${self}`);

/**
 * A link that reloads the page. With a script, pages.js polls for the progress and reloads the page only if the
 * progress differs from `progress`, so that reading or listening is not interrupted. `self`: the page's own path.
 */
export function lookAgain({ frame }: Words, self: string, progress: string): Html {
  return html`<p class="aside" data-poll="${self}/status" data-progress="${progress}">
<a href="${self}">${frame.refresh}</a></p>`;
}
