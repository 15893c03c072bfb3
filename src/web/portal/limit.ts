import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows, type PortalAction } from "../../domain/model/portal-settings.ts";
import { messagePage } from "../components/message.ts";
import { contactLink } from "../components/seller-footer.ts";
import type { PageContext } from "../environment.ts";
import type { Html } from "../layout.ts";
import type { Portal, Visit } from "./request.ts";

/** The seller does not allow a deed in the portal (rule I10). */
export function limitPage(ctx: Context, { organization, self, words }: Portal): Html {
  const { title, text } = words.portalLimit;
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  return messagePage(ctx, {
    words,
    organization,
    icon: "stopped",
    title,
    text: text.markup({ seller }),
    more: html`${contactLink(words, organization)}<a class="button" href="${self}">${words.portal.toAccount}</a>`,
  });
}

/** Answers 403 in place of `answer` if the seller does not allow the deed in the portal (rule I10). */
export function allowing<Rest extends unknown[]>(
  ctx: Context,
  deed: PortalAction,
  answer: (c: PageContext, visit: Visit, ...rest: Rest) => Promise<Response>,
): (c: PageContext, visit: Visit, ...rest: Rest) => Promise<Response> {
  return async (c, visit, ...rest) => {
    if (portalAllows(visit.organization, deed)) return answer(c, visit, ...rest);
    return c.html(limitPage(ctx, visit), 403);
  };
}
