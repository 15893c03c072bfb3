import type { Hono } from "hono";
import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { allows } from "../../../domain/team/role.ts";
import { isId } from "../../../ids.ts";
import { text } from "../../../resources/fields.ts";
import { shownAgain } from "../../components/field.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { emptyState } from "../components/empty-state.ts";
import type { DashboardGuard } from "../guard.ts";
import { dashboardPage } from "../frame.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { find } from "./find.ts";
import type { Hit } from "./hit.ts";

const typedText = text(320);

const ADVICE =
  "The search knows ids, parts of names, companies, e-mail addresses and your own ids of Customers, parts of names " +
  "of Products and Benefits, numbers of invoices and credit notes, license keys, the last four digits of a card, " +
  "codes of Discounts, and the pages of this dashboard.";

function hits(found: readonly Hit[]): Html {
  const entry = ({ label, text: detail, path }: Hit) => html`<li><a href="${path}"><bdi>${label}</bdi></a>
${detail === "" ? "" : html`<span class="note"><bdi>${detail}</bdi></span>`}</li>`;
  const group = ([kind, each]: [string, Hit[]]) => html`<h2>${kind}</h2>
<ul class="hits">${each.map(entry)}</ul>`;
  return html`${[...Map.groupBy(found, ({ kind }) => kind)].map(group)}`;
}

const NO_REQUEST =
  "There is no request with this id. The log has the changes and the refused requests of your API keys, for a week.";

function searchPage(request: DashboardRequest, typed: string, found: readonly Hit[]): Html {
  const missing = isId("req", typed) && allows(request.role, "events") ? html`${NO_REQUEST}` : null;
  const none = missing ?? (typed === "" ? ADVICE : html`There is no “<bdi>${typed}</bdi>”. ${ADVICE}`);
  const body = found.length === 0 ? emptyState(none) : hits(found);
  return dashboardPage(request, { section: null, title: "Search", body, searched: typed });
}

/** `/dashboard/{organizationId}/search`: leads to the only hit, or shows the hits by kind. */
export function searchPages(_: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/search`,
    signedIn("read", async (c, request) => {
      const given = c.req.query("q") ?? "";
      const typed = typedText.safeParse(given);
      const { organization, self, base, role } = request;
      const look = { ctx: request.ctx, organizationId: organization.id, self, base, role, mode: organization.mode };
      const found = typed.success ? await find({ ...look, typed: typed.data }) : [];
      const [only, ...others] = found;
      if (only && others.length === 0) return c.redirect(only.path, 303);
      return c.html(searchPage(request, shownAgain(given.trim()), found));
    }),
  );
}
