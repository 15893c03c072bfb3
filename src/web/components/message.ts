import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { layout, merchantName, type Html, type Page } from "../layout.ts";
import { icon, type IconName } from "./icon.ts";

type MessagePage = Omit<Page, "body"> & { icon: IconName; text: Html | string; more?: Html | undefined };

/** A page with one message and the links or buttons that lead on. */
export function messagePage(ctx: Context, { icon: sign, text, more, ...page }: MessagePage): Html {
  const body = html`<main class="message">
<div class="panel">
${page.organization ? merchantName(page.organization) : ""}
${icon(sign)}
<h1>${page.title}</h1>
<p>${text}</p>
${more ?? ""}
</div>
</main>`;
  return layout(ctx, { ...page, body });
}
