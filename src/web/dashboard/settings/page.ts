import { allows } from "../../../domain/team/role.ts";
import { html } from "hono/html";
import { settingsScriptPath, settingsStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { tabs } from "../components/tabs.ts";
import { dashboardPage } from "../frame.ts";
import type { DashboardRequest } from "../request.ts";
import { SETTINGS, tabOf, TABS, type TabName } from "./tabs.ts";

/** The tabs that the person may open. The team has pages of its own. */
function navigation({ self, role }: DashboardRequest, current: TabName): Html {
  const shown = TABS.filter(({ permission }) => allows(role, permission));
  const entries = shown.map(({ name, path, label }) => ({
    href: `${self}${SETTINGS}${path}`,
    label,
    isCurrent: name === current,
  }));
  const team = allows(role, "team") ? [{ href: `${self}/team`, label: "Team", isCurrent: false }] : [];
  return tabs("Settings", [...entries, ...team]);
}

/** A page of the settings. `title`: the heading, by default that of the tab. */
export function settingsPage(
  request: DashboardRequest,
  tab: TabName,
  { title = tabOf(tab).label, lead, body }: { title?: string; lead?: string; body: Html },
): Html {
  const head = html`${stylesheet(settingsStylesPath(request.ctx))}
<script src="${settingsScriptPath(request.ctx)}" type="module"></script>`;
  const section = allows(request.role, "settings") ? "settings" : "taxes";
  return dashboardPage(request, {
    section,
    title,
    lead,
    head,
    body: html`${navigation(request, tab)}
${body}`,
  });
}
