import { html } from "hono/html";
import { emailsUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Words } from "../../texts/words.ts";
import type { PageContext } from "../environment.ts";
import type { Html } from "../layout.ts";
import { pathOf } from "./link.ts";

/**
 * The way to the e-mail that a page has announced, in a sandbox. The mailbox holds the e-mails to all Customers of the
 * sandbox, so the link is for visitors from this machine only, as on the page at `/`.
 */
export function sandboxMail(
  ctx: Context,
  { env }: Pick<PageContext, "env">,
  { frame }: Words,
  { id, mode }: Organization,
): Html | "" {
  if (mode !== "sandbox") return "";
  const mailbox = env.isLocal
    ? html`<a href="${pathOf(emailsUrl(ctx, id))}">${frame.sandboxMailbox}</a>`
    : frame.sandboxMailbox;
  return html`<p class="aside">${frame.sandboxMail.markup({ mailbox })}</p>`;
}
