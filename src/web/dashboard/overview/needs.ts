import { html } from "hono/html";
import { readProblems } from "../../../actions/organization/problems.ts";
import { portalUrl } from "../../../actions/links.ts";
import type { Context } from "../../../context.ts";
import { realNow } from "../../../clock.ts";
import { HOUR, parseInstant } from "../../../domain/calendar.ts";
import type { Dispute } from "../../../domain/model/dispute.ts";
import { allows } from "../../../domain/team/role.ts";
import type { WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { counted } from "../../../domain/words.ts";
import { presentOrganization, type OrganizationResource, type Problems } from "../../../resources/organization.ts";
import { openEarlierDisputes, type EarlierReportRow } from "../../../store/earlier-reports.ts";
import {
  countOfHeld,
  openDisputes,
  unrecognizedPurchases,
  type Held,
  type Unrecognized,
} from "../../../store/attention.ts";
import { lateStop } from "../../../actions/import/alarm.ts";
import { alarmsOf, type AlarmCounts } from "../../../store/import-cut-overs.ts";
import { listEndpoints } from "../../../store/webhooks.ts";
import { findVerification, type Verification } from "../../../store/verifications.ts";
import { basePath } from "../../assets.ts";
import type { Html } from "../../layout.ts";
import { badge, type Tone } from "../components/badge.ts";
import { moneyText, time } from "../components/cells.ts";
import { endpointPath } from "../developers/paths.ts";
import { IMPORTS } from "../imports/paths.ts";
import { customerPath } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import type { Need } from "./need.ts";
import { readUnpaid, unpaidNeeds, type Unpaid } from "./unpaid-invoices.ts";
import { checkLine, verifyNeeds } from "./verification.ts";

const MOST_DISPUTES = 10;
const MOST_UNRECOGNIZED = 10;

/** The rows behind the matters that wait for a person. `verification`: the last data check; null: there was none. */
export type NeedsData = {
  problems: Problems;
  held: Held;
  disputed: readonly Dispute[];
  /** Disputes of charges from before an import. */
  earlier: readonly EarlierReportRow[];
  unrecognized: readonly Unrecognized[];
  /** The endpoints that are not disabled. */
  endpoints: readonly WebhookEndpoint[];
  verification: Verification | null;
  unpaid: Unpaid;
  imports: AlarmCounts;
};

type Lead = Pick<Need, "href" | "action">;
type Notice = OrganizationResource["notices"][number];

const LABELS: Record<Notice["type"], readonly [tone: Tone, label: string]> = {
  payments_paused: ["bad", "Payments paused"],
  provider_book_differs: ["bad", "Books differ"],
  webhook_endpoint_disabled: ["bad", "Endpoint disabled"],
  refund_failed: ["warn", "Refund failed"],
  seller_country_missing: ["warn", "Country missing"],
  tax_rates_unclear: ["warn", "Tax rates"],
  tax_regions_changed: ["warn", "Tax changed"],
};

/** A page of the documentation, for a matter that no page of the dashboard solves. */
const guide = (ctx: Context, page: string): Lead => ({
  href: `${basePath(ctx)}/docs/${page}`,
  action: "What to do",
});

function heldNeeds(ctx: Context, { subscriptions, invoices, notices }: Held, self: string): Need[] {
  const needs: Need[] = [];
  if (subscriptions > 0)
    needs.push({
      tone: "bad",
      label: "Renewals held",
      text: html`${counted(subscriptions, "Subscription")} waited too long for a worker, so renewals are held. The
operator of the server approves them.`,
      ...guide(ctx, "operating/downtime"),
    });
  if (invoices > 0)
    needs.push({
      tone: "warn",
      label: "Invoices held",
      text: `The payment provider refused ${counted(invoices, "charge")} for a reason that no buyer can solve.`,
      href: `${self}/invoices?status=open`,
      action: "Open invoices",
    });
  if (notices > 0)
    needs.push({
      tone: "warn",
      label: "Notices",
      text: html`${counted(notices, "notice")} of the payment provider belong to no payment here. List them with
<code>GET /manage/v1/provider-notices?status=unmatched</code>.`,
      ...guide(ctx, "operating/provider-notices"),
    });
  return needs;
}

/** Imported subscriptions that both systems charge, or neither. */
function importNeeds({ stopping, problems }: AlarmCounts, { self, role }: DashboardRequest): Need[] {
  const lead = allows(role, "settings")
    ? { href: `${self}${IMPORTS}`, action: "The imports" }
    : { href: null, action: "" };
  const need = (text: string): Need => ({ tone: "bad", label: "Import", text, ...lead });
  return [
    ...(stopping > 0
      ? [need(`Neither Stripe nor Billow charges ${counted(stopping, "subscription")}: a cut-over was cut off.`)]
      : []),
    ...(problems > 0
      ? [need(`Both Stripe and Billow charge ${counted(problems, "subscription")}, or neither of them does.`)]
      : []),
  ];
}

function disputeNeed(dispute: Dispute, { self, organization }: DashboardRequest): Need {
  const { id, customerId, amount, currency, status, evidenceDueAt } = dispute;
  const due = evidenceDueAt === null ? "" : html` Send the evidence by ${time(evidenceDueAt, organization.timeZone)}.`;
  const asks = status === "inquiry" ? "A bank asks about" : "A bank took back";
  return {
    tone: status === "inquiry" ? "warn" : "bad",
    label: status === "inquiry" ? "Inquiry" : "Dispute",
    text: html`${asks} ${moneyText(amount, currency)}.${due}`,
    href: customerPath(self, customerId, id),
    action: "The Customer",
  };
}

function earlierNeed(report: EarlierReportRow, { self, organization }: DashboardRequest): Need {
  const { ref, customerId, amount, currency, status, evidenceDueAt } = report;
  const due = evidenceDueAt === null ? "" : html` Send the evidence by ${time(evidenceDueAt, organization.timeZone)}.`;
  const asks = status === "inquiry" ? "A bank asks about" : "A bank took back";
  return {
    tone: status === "inquiry" ? "warn" : "bad",
    label: status === "inquiry" ? "Inquiry" : "Dispute",
    text: html`${asks} ${moneyText(amount, currency)}, charged before the import.${due}`,
    href: `${customerPath(self, customerId)}#${ref}`,
    action: "The Customer",
  };
}

function unrecognizedNeed({ id, customerId, endedAt }: Unrecognized, { self, organization }: DashboardRequest): Need {
  return {
    tone: "warn",
    label: "Not recognized",
    text: html`A Customer did not recognize a purchase by their e-mail address, and ended it on
${time(endedAt, organization.timeZone)}. Another person may have paid: consider a refund.`,
    href: customerPath(self, customerId, id),
    action: "The Customer",
  };
}

const MOST_ENDPOINTS = 100;
/** A receiver may restart. Failures for longer need a person. */
const FAILING_MILLISECONDS = HOUR;

/** The page of an endpoint, if the person may see it. */
const endpointLink = ({ role, self }: DashboardRequest, endpointId: string) =>
  allows(role, "webhooks")
    ? { href: endpointPath(self, endpointId), action: "The endpoint" }
    : { href: null, action: "" };

function failingNeeds(found: readonly WebhookEndpoint[], request: DashboardRequest): Need[] {
  const isFailing = ({ failingSince }: WebhookEndpoint) =>
    failingSince !== null && failingSince <= realNow() - FAILING_MILLISECONDS;
  return found.filter(isFailing).map(({ id, url, failingSince }) => ({
    tone: "warn",
    label: "Endpoint failing",
    text: html`Every delivery to <bdi>${url}</bdi> has failed since
${time(failingSince!, request.organization.timeZone)}.`,
    ...endpointLink(request, id),
  }));
}

/** The page on which a person can act on a notice, or read about the remedy. */
function leadOf(ctx: Context, request: DashboardRequest, { type, resourceId }: Notice): Lead {
  const { role, self } = request;
  const settings = (path: string, page: string) =>
    allows(role, "settings") ? { href: `${self}/settings${path}`, action: "The settings" } : guide(ctx, page);
  switch (type) {
    case "webhook_endpoint_disabled":
      return endpointLink(request, resourceId);
    case "refund_failed":
      return { href: `${self}/refunds?status=failed`, action: "Failed refunds" };
    case "provider_book_differs":
      return guide(ctx, "operating/verify");
    case "payments_paused":
      return settings("/payments", "operating/payments");
    case "seller_country_missing":
      return settings("", "api-guide/taxes");
    case "tax_rates_unclear":
    case "tax_regions_changed":
      return settings("/taxes", "api-guide/taxes");
  }
}

export async function readNeeds(ctx: Context, { organization: { id } }: DashboardRequest): Promise<NeedsData> {
  const { stale } = ctx.db;
  const [problems, held, disputed, earlier, unrecognized, endpoints, verification, unpaid, imports] =
    // Side by side: the page waits for the slowest read.
    await Promise.all([
      readProblems(stale, id),
      countOfHeld(stale, id),
      openDisputes(stale, id, MOST_DISPUTES),
      openEarlierDisputes(stale, id, MOST_DISPUTES),
      unrecognizedPurchases(stale, id, MOST_UNRECOGNIZED),
      listEndpoints(stale, id, { status: "enabled", limit: MOST_ENDPOINTS }),
      findVerification(stale, id),
      readUnpaid(ctx, id),
      alarmsOf(stale, id, lateStop()),
    ]);
  return { problems, held, disputed, earlier, unrecognized, endpoints, verification, unpaid, imports };
}

/** All matters of an Organization that wait for a person, the gravest first. */
function needsOf(ctx: Context, request: DashboardRequest, data: NeedsData): Need[] {
  const { organization, self } = request;
  const { notices } = presentOrganization(organization, portalUrl(ctx, organization.id), data.problems);
  const noticeNeeds = notices.map((notice): Need => {
    const { type, at, text } = notice;
    const [tone, label] = LABELS[type];
    const since = html` Since ${time(parseInstant(at)!, organization.timeZone)}.`;
    return { tone, label, text: html`${text}${since}`, ...leadOf(ctx, request, notice) };
  });
  const needs = [
    ...importNeeds(data.imports, request),
    ...heldNeeds(ctx, data.held, self),
    ...noticeNeeds,
    ...verifyNeeds(ctx, data.verification, organization),
    ...failingNeeds(data.endpoints, request),
    ...data.disputed.map((each) => disputeNeed(each, request)),
    ...data.earlier.map((each) => earlierNeed(each, request)),
    ...unpaidNeeds(request, data.unpaid),
    ...data.unrecognized.map((each) => unrecognizedNeed(each, request)),
  ];
  const gravity: Tone[] = ["bad", "warn"];
  return needs.toSorted((one, other) => gravity.indexOf(one.tone) - gravity.indexOf(other.tone));
}

/** The list of matters; without one, a sentence. */
export function needsList(ctx: Context, request: DashboardRequest, data: NeedsData): Html {
  const needs = needsOf(ctx, request, data);
  const entry = ({ tone, label, text, href, action }: Need) => html`<li>
${badge(tone, label)}
<p>${text}${href === null ? "" : html` <a href="${href}">${action}</a>`}</p>
</li>`;
  const list =
    needs.length === 0
      ? html`<p class="note">There is no open matter.
Unpaid renewals, disputes, refused charges and failing endpoints appear here.</p>`
      : html`<ul class="needs">${needs.map(entry)}</ul>`;
  return html`<section aria-labelledby="needs"><h2 id="needs">Needs attention</h2>
${list}
${checkLine(ctx, data.verification, request.organization)}</section>`;
}
