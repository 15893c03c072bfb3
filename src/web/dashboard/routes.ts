import type { Hono } from "hono";
import type { Context } from "../../context.ts";
import type { PageEnvironment } from "../environment.ts";
import { accountPages } from "./account-routes.ts";
import { auditLogPages } from "./audit-log.ts";
import { customerPages } from "./customer/routes.ts";
import { cataloguePages } from "./catalogue/routes.ts";
import { developerPages } from "./developers/routes.ts";
import { dashboardGuardOf } from "./guard.ts";
import { importPages } from "./imports/routes.ts";
import { invitationPages } from "./invitation-routes.ts";
import { checkoutPage } from "./lists/checkout-page.ts";
import { creditNotePage } from "./invoice/credit-note-page.ts";
import { documentFiles } from "./invoice/document.ts";
import { invoicePage } from "./invoice/page.ts";
import { listPages } from "./lists/routes.ts";
import { newPasswordPages } from "./new-password-routes.ts";
import { newOrganizationPages } from "./new-organization.ts";
import { openIdPages } from "./open-id-routes.ts";
import { overviewPages } from "./overview/routes.ts";
import { reportPages } from "./reports/routes.ts";
import { sandboxPages } from "./sandbox/routes.ts";
import { priceChangePages } from "./price-change/routes.ts";
import { searchPages } from "./search/routes.ts";
import { setUpPages } from "./set-up-routes.ts";
import { settingsPages } from "./settings/routes.ts";
import { codePages, confirmPages, signInPages } from "./sign-in-routes.ts";
import { teamPages } from "./team.ts";
import { html } from "hono/html";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import type { Membership } from "../../domain/team/user.ts";
import type { Html } from "../layout.ts";
import { panelPage, signOutForm } from "./frame.ts";
import type { UserRequest } from "./request.ts";

/** For an owner of the installation. */
const newOrganizationLink = ({ base }: Pick<UserRequest, "base">): Html =>
  html`<p class="older"><a href="${base}/new-organization">New Organization</a></p>`;

/** The choice of an Organization, for a person with several memberships or without one. */
function choicePage(ctx: Context, request: UserRequest): Html {
  const { memberships, base, user } = request;
  const entry = ({ organizationId, name, mode, role }: Membership) => html`<li>
<a href="${base}/${organizationId}"><bdi>${name}</bdi></a>
<span class="note">${mode === "sandbox" ? "Sandbox" : "Live"} · ${ROLE_NAMES[role]}</span></li>`;
  const list =
    memberships.length === 0
      ? html`<p>You are not a member of any Organization. An owner can invite you.</p>`
      : html`<ul class="choice">${memberships.map(entry)}</ul>`;
  const body = html`${list}
${request.ownsInstallation ? newOrganizationLink(request) : ""}
<div class="aside">Signed in as <bdi>${user.email}</bdi>. ${signOutForm(request)}</div>`;
  return panelPage(ctx, memberships.length === 0 ? "No Organization" : "Choose an Organization", body);
}

/** `/dashboard`: the pages of the people behind an Organization. */
export function dashboardPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const guard = dashboardGuardOf(ctx);
  // These paths come before those of an Organization.
  setUpPages(ctx, app, guard);
  signInPages(ctx, app, guard);
  codePages(ctx, app, guard);
  confirmPages(ctx, app, guard);
  newPasswordPages(ctx, app, guard);
  openIdPages(ctx, app, guard);
  accountPages(ctx, app, guard);
  invitationPages(ctx, app, guard);
  newOrganizationPages(ctx, app, guard);
  teamPages(ctx, app, guard);
  settingsPages(ctx, app, guard);
  auditLogPages(ctx, app, guard);
  searchPages(ctx, app, guard);
  listPages(ctx, app, guard);
  reportPages(ctx, app, guard);
  invoicePage(ctx, app, guard);
  creditNotePage(ctx, app, guard);
  documentFiles(ctx, app, guard);
  cataloguePages(ctx, app, guard);
  priceChangePages(ctx, app, guard);
  importPages(ctx, app, guard);
  // The path of a new Checkout comes before the path of one Checkout.
  customerPages(ctx, app, guard);
  checkoutPage(ctx, app, guard);
  sandboxPages(ctx, app, guard);
  developerPages(ctx, app, guard);
  app.get(
    "/dashboard",
    guard.known(async (c, request) => {
      const [only, ...others] = request.memberships;
      if (only && others.length === 0) return c.redirect(`${request.base}/${only.organizationId}`, 303);
      return c.html(choicePage(ctx, request));
    }),
  );
  overviewPages(ctx, app, guard);
}
