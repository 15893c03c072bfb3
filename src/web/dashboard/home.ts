import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import type { Place } from "../../domain/team/user.ts";
import type { Html } from "../layout.ts";
import { panelPage, signOutForm } from "./frame.ts";
import type { Person } from "./request.ts";

/** For an owner of the installation. */
export const newOrganizationLink = ({ base }: Pick<Person, "base">): Html =>
  html`<p class="older"><a href="${base}/new-organization">New Organization</a></p>`;

/** The choice of an Organization, for a person with several memberships or without one. */
export function choicePage(ctx: Context, person: Person): Html {
  const { places, base, user } = person;
  const entry = ({ organizationId, name, mode, role }: Place) => html`<li>
<a href="${base}/${organizationId}"><bdi>${name}</bdi></a>
<span class="note">${mode === "sandbox" ? "Sandbox" : "Live"} · ${ROLE_NAMES[role]}</span></li>`;
  const list =
    places.length === 0
      ? html`<p>You are not a member of any Organization. An owner can invite you.</p>`
      : html`<ul class="choice">${places.map(entry)}</ul>`;
  const body = html`${list}
${person.ownsInstallation ? newOrganizationLink(person) : ""}
<div class="aside">Signed in as <bdi>${user.email}</bdi>. ${signOutForm(person)}</div>`;
  return panelPage(ctx, places.length === 0 ? "No Organization" : "Choose an Organization", body);
}
