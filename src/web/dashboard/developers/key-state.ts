import { allows } from "../../../domain/team/role.ts";
import type { DashboardRequest } from "../request.ts";
import { html } from "hono/html";
import { refusalOf, type ApiKey } from "../../../domain/organization/api-key.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { time } from "../components/cells.ts";

/** The state of a key at `now`, in a word. */
export function keyBadge(key: ApiKey, now: number): Html {
  if (key.revokedAt !== null) return badge("quiet", "Revoked");
  if (refusalOf(key, now) !== null) return badge("quiet", "Expired");
  return key.replacedBy === null ? badge("good", "Active") : badge("warn", "Being replaced");
}

/** The parts of a key's secret that are no secret: `blw_live_…3kQz`. */
export const keyHint = ({ last4 }: ApiKey, { mode }: Organization): Html =>
  html`<code>blw_${mode === "live" ? "live" : "test"}_…${last4}</code>`;

export function keyScopes({ scopes }: ApiKey): Html {
  return html`${scopes.map((scope, n) => html`${n === 0 ? "" : ", "}<code>${scope}</code>`)}`;
}

/** The last use of a key, exact to the minute. */
export const lastUse = ({ lastUsedAt }: ApiKey, zone: string): Html | string =>
  lastUsedAt === null ? "Never" : time(lastUsedAt, zone);

/** Whether a person may get the secret of a key with these scopes. */
export const mayHold = ({ role }: DashboardRequest, scopes: readonly string[]): boolean =>
  !scopes.includes("manage") || allows(role, "manage_keys");
