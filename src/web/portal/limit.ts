import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows, type PortalAction } from "../../domain/model/portal-settings.ts";
import { messagePage } from "../components/message.ts";
import { contactLink } from "../components/seller-footer.ts";
import type { PageContext } from "../environment.ts";
import type { Html } from "../layout.ts";
import type { Portal, PortalRequest } from "./request.ts";

/** The seller does not allow an operation in the portal (rule I10). */
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

/** Answers 403 in place of `answer` if the seller does not allow the operation in the portal (rule I10). */
export function allowing<Rest extends unknown[]>(
  ctx: Context,
  operation: PortalAction,
  answer: (c: PageContext, request: PortalRequest, ...rest: Rest) => Promise<Response>,
): (c: PageContext, request: PortalRequest, ...rest: Rest) => Promise<Response> {
  return async (c, request, ...rest) => {
    if (portalAllows(request.organization, operation)) return answer(c, request, ...rest);
    return c.html(limitPage(ctx, request), 403);
  };
}
