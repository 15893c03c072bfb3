import type { Hono } from "hono";
import { html } from "hono/html";
import { createCustomerPortalSession } from "../../../actions/customer/portal-sessions.ts";
import type { PortalLink } from "../../../actions/customer/portal-links.ts";
import { portalUrl } from "../../../actions/links.ts";
import type { Context } from "../../../context.ts";
import { SUPPORT_LINK_HOURS } from "../../../domain/customer/portal.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { secret } from "../components/secret.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { hiddenFields, originOf, refusalNotice, type Sent } from "../sent.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";

const TITLE = "Link to the portal";

function page(scene: Scene, sent: Sent): Html {
  const { ctx, visit, customer, self } = scene;
  const portal = portalUrl(ctx, visit.organization.id);
  const effect = html`<p>The link signs the browser in to the portal as <bdi>${customer.email}</bdi>, once, within
${SUPPORT_LINK_HOURS} hours. Each person with the link can use the link, so give the link only to this Customer. The
Customer can also sign in with a link by e-mail, at <a href="${portal}">${portal}</a>.</p>`;
  const panel = confirmPanel({ hidden: hiddenFields(sent), effect, label: "Create the link", back: self });
  return deedPage(scene, TITLE, html`${refusalNotice(sent)}${panel}`);
}

async function act(ctx: Context, scene: Scene, sent: Sent): Promise<{ page: Html }> {
  const { id } = scene.customer;
  const what = { operation: "createCustomerPortalSession", resourceId: id, customerId: id };
  const { url } = await createCustomerPortalSession(ctx, originOf<PortalLink>(sent, what), id, null, true);
  const body = html`<p>This page shows the link only once. The link works once, within
${SUPPORT_LINK_HOURS} hours.</p>
${secret("Link to the portal", url)}`;
  return { page: deedPage(scene, TITLE, body) };
}

/** `…/customers/{customerId}/portal-link`: a link that signs a Customer in. Only the answer to the form shows it. */
export function portalLinkPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/portal-link`,
    permission: "customers",
    asksAgain: true,
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page,
    act: (scene, sent) => act(ctx, scene, sent),
    after: ({ self }) => `${self}/portal-link`,
  });
}
