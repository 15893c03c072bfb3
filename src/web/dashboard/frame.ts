import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { counted } from "../../domain/words.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import type { Membership } from "../../domain/team/user.ts";
import { ENGLISH } from "../../texts/words.ts";
import { dashboardScriptPath, dashboardStylesPath } from "../assets.ts";
import { layout, stylesheet, type Html } from "../layout.ts";
import { tokenField } from "./token-field.ts";
import { SECTION_GROUPS, sectionsOf, type SectionGroup, type SectionName } from "./sections.ts";
import type { UserRequest, DashboardRequest } from "./request.ts";

/**
 * `section`: the entry of the navigation that is marked; null: no entry. `head`: further elements of the head.
 * `actions`: links and buttons beside the heading. `lead`: a line below the heading. `searched`: the text of the
 * search, to be shown again.
 */
export type DashboardPage = {
  section: SectionName | null;
  title: string;
  body: Html;
  head?: Html | undefined;
  actions?: Html | undefined;
  lead?: Html | string | undefined;
  searched?: string;
};

/** A page before the sign-in, or of no Organization: one panel in the middle. */
export function panelPage(ctx: Context, title: string, body: Html): Html {
  const panel = html`<main class="message dashboard-panel">
<div class="panel">
<p class="product">Billow</p>
<h1>${title}</h1>
${body}
</div>
</main>`;
  const head = stylesheet(dashboardStylesPath(ctx));
  return layout(ctx, { words: ENGLISH, organization: null, title: `${title} · Billow`, head, body: panel });
}

const mark = ({ mode }: Pick<Membership, "mode">) =>
  mode === "sandbox" ? html` <span class="mark">Sandbox</span>` : "";

/**
 * The present Organization. With several ones, or for an owner of the installation, a list that opens without a script.
 */
function organizationSwitch({ organization, memberships, base, ownsInstallation }: DashboardRequest): Html {
  const current = html`<bdi>${displayName(organization)}</bdi>${mark(organization)}`;
  const others = memberships.filter(({ organizationId }) => organizationId !== organization.id);
  if (others.length === 0 && !ownsInstallation) return html`<p class="organization">${current}</p>`;
  const entry = (membership: Membership) =>
    html`<li><a href="${base}/${membership.organizationId}"><bdi>${membership.name}</bdi>${mark(membership)}</a></li>`;
  return html`<details class="organization">
<summary><span class="hidden">Organization:</span> ${current}</summary>
<ul aria-label="Other Organizations">${others.map(entry)}
${ownsInstallation ? html`<li><a href="${base}/new-organization">New Organization</a></li>` : ""}</ul>
</details>`;
}

function searchForm({ self }: DashboardRequest, searched: string): Html {
  return html`<form class="search" role="search" action="${self}/search">
<label class="hidden" for="q">Search</label>
<input id="q" name="q" type="search" value="${searched}" placeholder="Search" maxlength="320"
 autocomplete="off" spellcheck="false" autocapitalize="off" dir="auto">
<button class="button small other" type="submit" aria-label="Search"><svg viewBox="0 0 24 24" aria-hidden="true">
<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L21 21"/></svg></button>
</form>`;
}

/** On a phone the entries fold away below the word "Menu". On a desk they are always shown, by dashboard.css. */
function navigation({ role, self, organization }: DashboardRequest, current: SectionName | null): Html {
  const entry = ({ name, path, label }: ReturnType<typeof sectionsOf>[number]) =>
    html`<li><a href="${self}${path}"${name === current ? html` aria-current="page"` : ""}>${label}</a></li>`;
  const group = (wanted: SectionGroup) => {
    const shown = sectionsOf(role, organization.mode, wanted);
    return shown.length === 0 ? "" : html`<ul>${shown.map(entry)}</ul>`;
  };
  return html`<details class="menu"><summary>Menu</summary>
<nav aria-label="Dashboard">${SECTION_GROUPS.map(group)}</nav>
</details>`;
}

export function signOutForm({ base, token }: Pick<UserRequest, "base" | "token">): Html {
  return html`<form method="post" action="${base}/sign-out">${tokenField(token)}
<button class="link-like" type="submit">Sign out</button></form>`;
}

/** The keys of dashboard.js, which shows this list. Speech input would press them, so they can be turned off. */
const KEYS = html`<details class="keys" hidden data-keys>
<summary>Keyboard</summary>
<ul>
<li><kbd>/</kbd> to the search</li>
<li><kbd>j</kbd> <kbd>k</kbd> next row, previous row</li>
<li><kbd>o</kbd> open the row</li>
<li><kbd>n</kbd> <kbd>p</kbd> next page, previous page</li>
</ul>
<label><input type="checkbox" checked> Use these keys</label>
</details>`;

/**
 * The browser shows a page only once END is parsed. Without these, a slow device paints the first rows of a table, and
 * the columns move with the rows that follow. A link to `#content` is not enough: Chromium stops waiting at the first
 * tag of that element. Browsers that don't know `rel="expect"` paint as before.
 */
const WAITS = html`<link rel="expect" href="#page-end" blocking="render">`;
const END = html`<i id="page-end" hidden></i>`;

/** The age of a page with rows of the replica. */
function ageNote({ age }: DashboardRequest): Html | "" {
  const milliseconds = age();
  if (milliseconds === null) return "";
  return html`<p class="note">As of ${counted(Math.ceil(milliseconds / 1000), "second")} ago</p>`;
}

/** A page of an Organization's dashboard: the Organization, the navigation, the person, and the page's own content. */
export function dashboardPage(request: DashboardRequest, page: DashboardPage): Html {
  const { section, title, body, head, actions, lead, searched = "" } = page;
  const { ctx, user, role, organization, base } = request;
  const frame = html`<a class="skip" href="#content">Skip to the content</a>
<div class="dashboard">
<header class="side">
${organizationSwitch(request)}
${searchForm(request, searched)}
${navigation(request, section)}
<div class="person">
<p><a href="${base}/account"><bdi>${user.name}</bdi></a><br><span class="note">${ROLE_NAMES[role]}</span></p>
${signOutForm(request)}
</div>
${KEYS}
</header>
<main id="content">
<div class="heading">
<h1>${title}</h1>
${actions === undefined ? "" : html`<div class="actions">${actions}</div>`}
</div>
${lead === undefined ? "" : html`<p class="lead">${lead}</p>`}
${body}
${ageNote(request)}
</main>
</div>
${END}`;
  const styles = html`${WAITS}
${stylesheet(dashboardStylesPath(ctx))}
<script src="${dashboardScriptPath(ctx)}" type="module"></script>
${head ?? ""}`;
  const named = `${title} · ${displayName(organization)} · Billow`;
  return layout(ctx, { words: ENGLISH, organization: null, title: named, head: styles, body: frame });
}
