import { html } from "hono/html";
import { displayName } from "../../domain/model/organization.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import type { Html } from "../layout.ts";
import { dashboardPage } from "./frame.ts";
import type { Visit } from "./request.ts";

/** The page for a member without the permission. */
export function forbiddenPage(visit: Visit): Html {
  const { organization, role, self } = visit;
  const body = html`<p>Your role in <bdi>${displayName(organization)}</bdi> is “${ROLE_NAMES[role]}”. An owner of
the Organization can give you another role.</p>
<p><a class="button small" href="${self}">Back to the overview</a></p>`;
  return dashboardPage(visit, { section: null, title: "Your role does not allow this", body });
}
