import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { basePath } from "../assets.ts";
import type { Html } from "../layout.ts";

/**
 * The reason why an invitation is not sent to its person, and the place of its link. Null: the invitation is sent. No
 * page shows the link: its reader could make an account in the name of another person.
 */
export const undeliveredNote = (ctx: Context): Html | null =>
  ctx.mailer !== null
    ? null
    : html`This server sends no e-mails yet. The operator of the server finds the e-mail with the link as a file in the
data directory, and gives the link to the person (<a href="${basePath(ctx)}/docs/operating/e-mail">e-mail</a>).`;
