import type { Context } from "../context.ts";
import { messagePage } from "./components/message.ts";
import type { Html } from "./layout.ts";

const NOTHING_HERE =
  "There is no page at this address. Check that the whole link was copied, or ask the sender of the link.";
const OURS =
  "This is our fault. If you were paying, load the page again: it shows the result of the payment. " +
  "You are not charged twice.";
const GONE =
  "Links to files work for a short time, while access lasts. Get a new link from the page where you found this one.";

const PROBLEMS: Record<number, { title: string; text: string }> = {
  400: { title: "Not sent completely", text: "Your input did not arrive as you typed it. Go back and send it again." },
  403: {
    title: "Sent from somewhere else",
    text: "Forms are accepted only from our own pages. Open the link again and use its form.",
  },
  404: { title: "Page not found", text: NOTHING_HERE },
  405: { title: "Not possible here", text: "This page can't be used in that way. Open it in a browser." },
  410: { title: "This link is no longer good", text: GONE },
  413: { title: "Too much text", text: "Your text is longer than this page accepts. Go back and shorten it." },
  415: {
    title: "Not sent by a form",
    text: "This page accepts its own form only. Open the link and fill in the form there.",
  },
  429: { title: "Too many attempts", text: "Wait a minute and try again. The last attempt was not carried out." },
  500: { title: "Something went wrong", text: OURS },
  503: { title: "Not available at the moment", text: `Please try again in a moment. ${OURS}` },
};

/** Any other status is shown as 500. */
export function problemPage(ctx: Context, status: number): Html {
  return messagePage(ctx, { organization: null, icon: "stopped", ...(PROBLEMS[status] ?? PROBLEMS[500]!) });
}
