import { html } from "hono/html";
import type { LicenseKeyProperties } from "../../../domain/benefit/benefit.ts";
import { presentGrantedBenefit } from "../../../resources/benefit-grant.ts";
import { grantReason } from "../../../resources/timeline.ts";
import type { ReadGrant } from "../../../store/benefit-grants.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id as shownId, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { table } from "../table.ts";
import type { Scene } from "./part.ts";

/** A license key with the number of its activations. */
function keyOf({ benefit, properties, activations }: ReadGrant): Html | "" {
  if (benefit.type !== "license_key") return "";
  const { activationLimit } = benefit.properties as LicenseKeyProperties;
  const limit = activationLimit === null ? "" : ` of ${activationLimit}`;
  return html` ${shownId((properties as { key: string }).key)} <span class="note">Activations:
${activations}${limit}</span>`;
}

function row({ self, zone }: Scene, grant: ReadGrant): Html {
  const { id, benefit, status, reason, grantedAt, revokedAt, expiresAt, subscriptionId, invoiceId } = grant;
  const isActive = status === "active";
  const ended = revokedAt === null ? "" : html`Until ${time(revokedAt, zone)}`;
  const until = expiresAt === null ? "" : html`Planned until ${time(expiresAt, zone)}`;
  const source =
    subscriptionId === null
      ? html`<a href="${self}/invoices#${invoiceId}">Invoice</a>`
      : html`<a href="#${subscriptionId}">Subscription</a>`;
  return html`<tr id="${id}">
<th scope="row"><bdi>${benefit.name}</bdi></th>
<td>${isActive ? badge("good", "Active") : badge("quiet", "Revoked")}
<span class="note">${isActive ? until : ended}</span></td>
<td>${grantReason({ benefit: presentGrantedBenefit(benefit), status, reason })}${keyOf(grant)}</td>
<td class="wide">${source}</td>
<td class="wide">${time(grantedAt, zone)}</td>
<td class="wide">${shownId(id)}</td>
</tr>`;
}

const wide = (label: string) => ({ label, isWide: true });

/** The grants of a Customer, newest first, each with the reason for its status. */
export function grantTable(scene: Scene, grants: readonly ReadGrant[]): Html {
  if (grants.length === 0)
    return emptyState("There is no access. A Product with Benefits grants them with its purchase.");
  const headings = ["Benefit", "Status", "Why", wide("From"), wide("Granted"), wide("Id")];
  return table(
    "Access",
    headings,
    grants.map((grant) => row(scene, grant)),
  );
}
