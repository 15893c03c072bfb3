import { html } from "hono/html";
import { earlierReportsOf, type EarlierReportRow } from "../../../store/earlier-reports.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyText, time } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { DISPUTE_REASON_WORDS } from "../lists/disputes.ts";
import { table } from "../table.ts";
import { part, type CustomerPageData } from "./part.ts";

/** The most rows of the part. The provider's own pages have all of them. */
const MOST = 50;

const KINDS = { refund: "Refund", dispute: "Dispute" };

function row({ zone }: CustomerPageData, report: EarlierReportRow): Html {
  const { ref, chargeRef, kind, status, reason, amount, currency, evidenceDueAt, createdAt } = report;
  const badge = report.kind === "refund" ? statusBadge("refund", report.status) : statusBadge("dispute", report.status);
  const due = evidenceDueAt !== null && (status === "open" || status === "inquiry");
  return html`<tr id="${ref}">
<th scope="row">${KINDS[kind]} of ${moneyText(amount, currency)}</th>
<td>${badge}
<span class="note">${reason === null ? "" : DISPUTE_REASON_WORDS[reason]}
${due ? html`Send the evidence by ${time(evidenceDueAt, zone)}.` : ""}</span></td>
<td>${time(createdAt, zone)}</td>
<td class="wide">${shownId(chargeRef)}</td>
<td class="wide">${shownId(ref)}</td>
</tr>`;
}

const wide = (label: string) => ({ label, isWide: true });
const HEADINGS = ["Amount", "State", "Noticed", wide("Charge"), wide("Id")];

export const readEarlier = ({ ctx, request, customer }: CustomerPageData): Promise<EarlierReportRow[]> =>
  earlierReportsOf(ctx.db.stale, request.organization.id, customer.id, MOST);

/** Refunds and disputes of charges from before the import; empty without one. */
export function earlierPart(pageData: CustomerPageData, reports: readonly EarlierReportRow[]): Html | "" {
  if (reports.length === 0) return "";
  const rows = reports.map((report) => row(pageData, report));
  const why = html`<p class="note">Another system made these charges before the import. Handle a dispute in the
provider's dashboard. No invoice here changes.</p>`;
  return part(
    "earlier",
    "Charged before the import",
    html`${why}${table("Charged before the import", HEADINGS, rows)}`,
  );
}
