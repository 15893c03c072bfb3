import { html } from "hono/html";
import { activationLimitOf, type LicenseKeyProperties } from "../../../domain/model/benefit.ts";
import { allows } from "../../../domain/team/role.ts";
import { presentGrantedBenefit } from "../../../resources/benefit-grant.ts";
import { presentPage } from "../../../resources/page.ts";
import { grantReason } from "../../../resources/timeline.ts";
import { listGrants, type ReadGrant } from "../../../store/benefit-grants.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id as shownId, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { table } from "../table.ts";
import { maskedKey } from "./license-key.ts";
import { listOf, type PageRequest, type CustomerPageData } from "./part.ts";

/** A masked license key, a link to the whole key for roles that may see the key, and the number of activations. */
function keyOf(
  { request, self }: CustomerPageData,
  { id, benefit, properties, activations, quantity }: ReadGrant,
): Html | "" {
  if (benefit.type !== "license_key") return "";
  const activationLimit = activationLimitOf(benefit.properties as LicenseKeyProperties, quantity);
  const limit = activationLimit === null ? "" : ` of ${activationLimit}`;
  const { key } = properties as { key: string };
  const whole = allows(request.role, "customers")
    ? html` <a href="${self}/access/${id}/key">Show the key<span class="hidden"> of ${benefit.name}</span></a>`
    : "";
  return html` <code class="id">${maskedKey(key)}</code>${whole} <span class="note">Activations:
${activations}${limit}</span>`;
}

function row(pageData: CustomerPageData, grant: ReadGrant): Html {
  const { self, zone } = pageData;
  const { id, benefit, status, reason, grantedAt, revokedAt, expiresAt, subscriptionId, invoiceId, quantity } = grant;
  const isActive = status === "active";
  const ended = revokedAt === null ? "" : html`Until ${time(revokedAt, zone)}`;
  const until = expiresAt === null ? "" : html`Planned until ${time(expiresAt, zone)}`;
  const source =
    subscriptionId === null
      ? html`<a href="${self}?at=${invoiceId}#${invoiceId}">Invoice</a>`
      : html`<a href="${self}?at=${subscriptionId}#${subscriptionId}">Subscription</a>`;
  return html`<tr id="${id}">
<th scope="row"><bdi>${benefit.name}</bdi>${quantity === 1 ? "" : html` <span class="note">× ${quantity}</span>`}</th>
<td>${isActive ? badge("good", "Active") : badge("quiet", "Revoked")}
<span class="note">${isActive ? until : ended}</span></td>
<td class="sentence">
${grantReason({ benefit: presentGrantedBenefit(benefit), status, reason })}${keyOf(pageData, grant)}</td>
<td class="wide">${source}</td>
<td class="wide">${time(grantedAt, zone)}</td>
<td class="wide">${shownId(id)}</td>
</tr>`;
}

const wide = (label: string) => ({ label, isWide: true });

/** The grants of a Customer, newest first, each with the reason for its status. */
export function grantTable(pageData: CustomerPageData, grants: readonly ReadGrant[]): Html {
  if (grants.length === 0) return emptyState("There is no access. A purchase grants the Benefits of its Product.");
  const headings = ["Benefit", "Status", "Why", wide("From"), wide("Granted"), wide("Id")];
  return table(
    "Access",
    headings,
    grants.map((grant) => row(pageData, grant)),
  );
}

/** The most grants on the Customer's page. */
export const MOST_GRANTS = 100;

/** A page of the grants of a Customer. */
export async function readGrants({ ctx, request, customer }: CustomerPageData, wanted: PageRequest) {
  const rows = await listGrants(ctx.db.stale, request.organization.id, { ...wanted, customerId: customer.id });
  const { data: grants, nextCursor: next } = presentPage(rows, wanted.limit, (grant) => grant);
  return { grants, next };
}

/** The grants of a Customer, newest first. */
export const grantList = listOf<ReadGrant[]>({
  name: "access",
  title: "Access",
  cursor: "bgr",
  few: MOST_GRANTS,
  older: "Older access",
  async read(pageData, wanted) {
    const { grants, next } = await readGrants(pageData, wanted);
    return { ids: grants.map(({ id }) => id), next, data: grants };
  },
  draw: grantTable,
});
