import type { Hono } from "hono";
import { html } from "hono/html";
import { createCustomerPortalSession } from "../../../actions/customer/portal-sessions.ts";
import type { PortalLink } from "../../../actions/customer/portal-links.ts";
import { portalUrl } from "../../../actions/links.ts";
import { SentBefore, SentTwice } from "../../../actions/team/form-origin.ts";
import type { Context } from "../../../context.ts";
import { DIRECT_LINK_SECONDS } from "../../../domain/customer/portal.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { isOnce, newOnce } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { hiddenFields, originOf, type Sent } from "../sent.ts";
import type { Visit } from "../visit.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";

const TITLE = "Link to the portal";

function formPage(scene: Scene, visit: Visit, fault = ""): Html {
  const sent: Sent = { visit, fields: visit.form, once: newOnce(), refusal: null };
  const portal = portalUrl(scene.ctx, visit.organization.id);
  const effect = html`<p>The link signs the browser in to the portal as <bdi>${scene.customer.email}</bdi>, once, within
${DIRECT_LINK_SECONDS} seconds. Each person with the link can use the link, so give the link only to this Customer. The
Customer can also sign in with a link by e-mail, at <a href="${portal}">${portal}</a>.</p>`;
  const panel = confirmPanel({ hidden: hiddenFields(sent), effect, label: "Make the link", back: scene.self });
  return deedPage(scene, TITLE, html`${fault === "" ? "" : notice("fault", fault)}${panel}`);
}

function linkPage(scene: Scene, { url }: PortalLink): Html {
  const body = html`<p>This page shows the link only once. The link works once, within
${DIRECT_LINK_SECONDS} seconds.</p>
<p><code class="id">${url}</code></p>`;
  return deedPage(scene, TITLE, body);
}

const USED = "The link of this form was made before. A link is shown only once. Make another link.";

/** `…/customers/{customerId}/portal-link`: a link that signs a Customer in. Only the answer to the form shows the link. */
export function portalLinkPage(ctx: Context, app: Hono<PageEnvironment>, { confirmed }: DashboardDoor): void {
  const path = `${CUSTOMER}/portal-link`;
  app.get(
    path,
    confirmed("customers", async (c, visit) => c.html(formPage(await livingSceneOf(ctx, c, visit), visit))),
  );
  app.post(
    path,
    confirmed("customers", async (c, visit) => {
      const scene = await livingSceneOf(ctx, c, visit);
      if (!isOnce(visit.form)) return c.html(formPage(scene, visit, "This form has no key. Send the form again."), 422);
      const { id } = scene.customer;
      const sent: Sent = { visit, fields: visit.form, once: newOnce(), refusal: null };
      const what = { operation: "createCustomerPortalSession", resourceId: id, customerId: id };
      try {
        const link = await createCustomerPortalSession(ctx, originOf<PortalLink>(sent, what), id, null);
        return c.html(linkPage(scene, link));
      } catch (error) {
        if (error instanceof SentTwice || error instanceof SentBefore) return c.html(formPage(scene, visit, USED), 409);
        throw error;
      }
    }),
  );
}
