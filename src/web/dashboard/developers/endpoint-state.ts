import { html } from "hono/html";
import type { WebhookDelivery, WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import type { EndpointHealth } from "../../../store/endpoint-health.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { exactTime, time } from "../components/cells.ts";
import { notice } from "../components/notice.ts";

/** The state of an endpoint at `now`, in a word or two. */
export function endpointBadge({ status, disabledReason, pausedUntil, failingSince }: WebhookEndpoint, now: number) {
  if (status === "disabled" && disabledReason !== "by_hand") return badge("bad", "Disabled by Billow");
  if (status === "disabled") return badge("quiet", "Disabled");
  if (pausedUntil !== null && pausedUntil > now) return badge("warn", "Paused");
  return failingSince === null ? badge("good", "Active") : badge("bad", "Failing");
}

/** The meaning of the state, for an endpoint that gets deliveries. */
export const endpointMeaning = ({ status, failingSince }: WebhookEndpoint): string => {
  if (status === "disabled") return "Gets no deliveries.";
  return failingSince === null
    ? "Gets each new event of its types."
    : "The newest deliveries failed. Billow tries again for five days, then disables the endpoint.";
};

/** The reasons why an attempt got no answer (`PostError`). */
const ERRORS: Readonly<Record<string, string>> = {
  invalid_url: "The URL can't be called.",
  https_required: "The URL must begin with https.",
  address_not_allowed: "The host has an address that is neither public nor allowed.",
  dns_failed: "The name of the host has no address.",
  connection_failed: "The connection was refused or broken off.",
  tls_failed: "The certificate of the host is not valid, or the host has no TLS.",
  timeout: "There was no answer in time.",
  bad_response: "The answer was not valid HTTP.",
};

/** The outcome of the last attempt in a sentence; null: there was no attempt. */
export function outcomeOf({ responseStatus, error }: WebhookDelivery): string | null {
  if (responseStatus !== null) return `The receiver answered ${responseStatus}.`;
  return error === null ? null : (ERRORS[error] ?? `The attempt failed (${error}).`);
}

/** The outcome of the last attempt in a cell. */
export function answerCell({ responseStatus, error }: WebhookDelivery): Html | string {
  if (responseStatus !== null) return String(responseStatus);
  return error === null ? html`<span class="note">None</span>` : html`<code>${error}</code>`;
}

const GONE =
  "The receiver answered 410, so Billow disabled the endpoint. Enable the endpoint when the receiver is back.";
const FAILED =
  "Every attempt failed for five days, so Billow disabled the endpoint. Repair the receiver, enable the endpoint, " +
  "and send the failed deliveries again.";

/** The trouble of an endpoint, its cause, and the next attempt. Empty for an endpoint without trouble. */
export function endpointTrouble(
  endpoint: WebhookEndpoint,
  { nextAttemptAt, failure }: EndpointHealth,
  zone: string,
  now: number,
): Html | "" {
  const { status, disabledReason, disabledAt, failingSince, pausedUntil } = endpoint;
  if (status === "disabled") {
    if (disabledReason === "by_hand")
      return notice("hint", "The endpoint is disabled, so its deliveries are skipped. To send events again, edit it.");
    const since = disabledAt === null ? "" : html` Since ${time(disabledAt, zone)}.`;
    return notice("warning", html`${disabledReason === "gone" ? GONE : FAILED}${since}`);
  }
  if (pausedUntil !== null && pausedUntil > now)
    return notice(
      "warning",
      html`The receiver asked for a pause. No delivery is sent before ${time(pausedUntil, zone)}.`,
    );
  if (failingSince === null) return "";
  const cause = failure === null ? null : outcomeOf(failure);
  const next =
    nextAttemptAt === null
      ? "No further attempt is scheduled."
      : html`Next attempt: ${exactTime(nextAttemptAt, zone)}.`;
  return notice(
    "warning",
    html`Every attempt has failed since ${time(failingSince, zone)}. ${cause ?? ""} ${next} After five days without a
success, Billow disables the endpoint.`,
  );
}
