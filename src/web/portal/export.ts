import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import type { Html } from "../layout.ts";
import { panelPage } from "./email.ts";
import type { PortalRequest } from "./request.ts";
import { section } from "./section.ts";

/** The way to the data of the account on the home page; empty if the seller does not allow it (rule I10a). */
export function exportSection({ organization, self, words }: PortalRequest): Html | "" {
  if (!portalAllows(organization, "export")) return "";
  const { title, download } = words.portalExport;
  return section("export", title, [], "", html`<p class="aside"><a href="${self}/export">${download}</a></p>`);
}

/** Names the contents of the file before its download. */
export function exportPage(ctx: Context, request: PortalRequest): Html {
  const { organization, self, words } = request;
  const { title, about, holds, format, secret, download } = words.portalExport;
  const content = html`<p>${about.markup({ seller: html`<bdi>${displayName(organization)}</bdi>` })}</p>
<p>${holds}</p>
<p>${format}</p>
<p>${secret}</p>
<a class="button" href="${self}/export/file" download>${download}</a>
<a class="button other" href="${self}">${words.portal.toAccount}</a>`;
  return panelPage(ctx, request, { title, content });
}
