import type { Hono } from "hono";
import type { Context } from "../../context.ts";
import type { PageEnvironment } from "../environment.ts";
import { accountPages } from "./account-routes.ts";
import { auditLogPages } from "./audit-log.ts";
import { customerPages } from "./customer/routes.ts";
import { cataloguePages } from "./catalogue/routes.ts";
import { developerPages } from "./developers/routes.ts";
import { dashboardGuardOf } from "./door.ts";
import { choicePage } from "./home.ts";
import { invitationPages } from "./invitation-routes.ts";
import { checkoutPage } from "./lists/checkout-page.ts";
import { listPages } from "./lists/routes.ts";
import { newPasswordPages } from "./new-password-routes.ts";
import { newOrganizationPages } from "./new-organization.ts";
import { openIdPages } from "./open-id-routes.ts";
import { overviewPages } from "./overview/routes.ts";
import { sandboxPages } from "./sandbox/routes.ts";
import { searchPages } from "./search/routes.ts";
import { setUpPages } from "./set-up-routes.ts";
import { settingsPages } from "./settings/routes.ts";
import { codePages, confirmPages, signInPages } from "./sign-in-routes.ts";
import { teamPages } from "./team-routes.ts";

/** `/dashboard`: the pages of the people behind an Organization. */
export function dashboardPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const door = dashboardGuardOf(ctx);
  // These paths come before those of an Organization.
  setUpPages(ctx, app, door);
  signInPages(ctx, app, door);
  codePages(ctx, app, door);
  confirmPages(ctx, app, door);
  newPasswordPages(ctx, app, door);
  openIdPages(ctx, app, door);
  accountPages(ctx, app, door);
  invitationPages(ctx, app, door);
  newOrganizationPages(ctx, app, door);
  teamPages(ctx, app, door);
  settingsPages(ctx, app, door);
  auditLogPages(ctx, app, door);
  searchPages(ctx, app, door);
  listPages(ctx, app, door);
  cataloguePages(ctx, app, door);
  // The path of a new Checkout comes before the path of one Checkout.
  customerPages(ctx, app, door);
  checkoutPage(ctx, app, door);
  sandboxPages(ctx, app, door);
  developerPages(ctx, app, door);
  app.get(
    "/dashboard",
    door.known(async (c, person) => {
      const [only, ...others] = person.places;
      if (only && others.length === 0) return c.redirect(`${person.base}/${only.organizationId}`, 303);
      return c.html(choicePage(ctx, person));
    }),
  );
  overviewPages(ctx, app, door);
}
