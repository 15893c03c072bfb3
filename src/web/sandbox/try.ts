import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { openTryUrl, type TryPage } from "../../actions/links.ts";
import { tryLinksOf, type TryLinks } from "../../actions/sandbox/try-links.ts";
import { tryCheckout, tryPortal } from "../../actions/sandbox/try.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { organizations } from "../../store/organizations.ts";
import { pathOf } from "../components/link.ts";
import { ENGLISH } from "../../texts/words.ts";
import { messagePage } from "../components/message.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { RequestLimit } from "../guards.ts";
import type { Html } from "../layout.ts";

/** @throws HTTPException 404 for anything but the whole link of a sandbox */
async function open(ctx: Context, c: PageContext, page: TryPage): Promise<Organization> {
  const id = openTryUrl(ctx, page, c.req.param("secret") ?? "");
  const organization = id === null ? null : await organizations.find(ctx.db.read, id);
  if (organization?.mode !== "sandbox") throw new HTTPException(404);
  return organization;
}

function noCustomerPage(ctx: Context, organization: Organization, { checkout }: TryLinks): Html {
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    icon: "late",
    title: "No customer yet",
    text: "The portal shows a customer’s subscriptions and invoices. Buy something first, then open this page again.",
    more: checkout === null ? undefined : html`<a class="button" href="${pathOf(checkout)}">Try a Checkout</a>`,
  });
}

/**
 * `/sandbox/try/checkout/{secret}` makes a Checkout of a Product for sale and leads to it.
 * `/sandbox/try/portal/{secret}` leads to the portal of the newest Customer. Both need no key, so that
 * a person can try a sandbox by a link.
 */
export function tryPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const visits = new RequestLimit();
  app.get("/sandbox/try/checkout/:secret", async (c) => {
    const organization = await open(ctx, c, "checkout");
    visits.count(c.env.client);
    const url = await tryCheckout(ctx, organization);
    if (url === null) throw new HTTPException(404);
    return c.redirect(pathOf(url), 303);
  });
  app.get("/sandbox/try/portal/:secret", async (c) => {
    const organization = await open(ctx, c, "portal");
    visits.count(c.env.client);
    const url = await tryPortal(ctx, organization);
    if (url !== null) return c.redirect(pathOf(url), 303);
    return c.html(noCustomerPage(ctx, organization, await tryLinksOf(ctx, organization)));
  });
}
