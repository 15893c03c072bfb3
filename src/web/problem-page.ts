import type { Context } from "../context.ts";
import { messagePage } from "./components/message.ts";
import type { Html } from "./layout.ts";

const NOTHING_HERE = "There is nothing at this address. Check that the link was copied whole, or ask whoever sent it to you.";
const OURS = "This is our fault. If you were paying, load the page again: it says what became of it, and you are not charged twice.";
const GONE = "Links to files work for a short time, while access lasts. Get a new one where you found this.";

const PROBLEMS: Record<number, { title: string; text: string }> = {
  400: { title: "Not sent whole", text: "What was sent did not arrive as it was typed. Go back and send it again." },
  403: { title: "Sent from somewhere else", text: "Forms are only taken from our own pages. Open the link again and fill it in there." },
  404: { title: "Nothing here", text: NOTHING_HERE },
  405: { title: "Not possible here", text: "This page can't be used in that way. Open it in a browser." },
  410: { title: "This link is no longer good", text: GONE },
  413: { title: "Too much text", text: "What was sent is longer than this page takes. Go back and shorten it." },
  415: { title: "Not sent by a form", text: "This page takes what its own form sends. Open the link and fill it in there." },
  429: { title: "Too many attempts", text: "Wait a minute and try again. The last attempt was not carried out." },
  500: { title: "Something went wrong", text: OURS },
  503: { title: "Not available at the moment", text: `Please try again in a moment. ${OURS}` },
};

/** Any other status is shown as 500. */
export function problemPage(ctx: Context, status: number): Html {
  return messagePage(ctx, { organization: null, icon: "stopped", ...(PROBLEMS[status] ?? PROBLEMS[500]!) });
}
