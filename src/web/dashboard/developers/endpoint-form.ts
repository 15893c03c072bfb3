import { html } from "hono/html";
import { EVENT_TYPES, subjectOf } from "../../../domain/event.ts";
import { valueInWords } from "../../../domain/words.ts";
import type { WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import type { Html } from "../../layout.ts";
import { checkField, OPTIONAL, textField } from "../fields.ts";
import { hiddenFields, refusalNotice, refusedField, typed, typedOrNull, type Sent } from "../sent-form.ts";
import { endpointPath } from "./paths.ts";

/** The noun of the events of each subject, as a legend. */
const NOUNS = [...Map.groupBy(EVENT_TYPES, subjectOf)].map(([subject, types]) => {
  const noun = valueInWords(subject);
  return { subject, legend: noun.charAt(0).toUpperCase() + noun.slice(1), types };
});

const ALL = [["*", "All types", "Also the types that a later version adds. Untick the box to choose."]] as const;
const STATE = [["yes", "Enabled", "A disabled endpoint gets no deliveries. They are skipped."]] as const;
const MOST_URL = 2_048;

/** The chosen types, and the other fields as the management API takes them. @throws AppError without a type */
export function bodyOf(sent: Sent): { url: string; description: string | null; events: string[] } {
  const chosen = sent.fields.getAll("events");
  if (chosen.length === 0)
    throw refusedField("events", "required", "Choose at least one type of event, or “All types”.");
  const events = chosen.includes("*") ? ["*"] : [...new Set(chosen)];
  return { url: typed(sent, "url"), description: typedOrNull(sent, "description"), events };
}

/** The form of an endpoint. `endpoint` null: the form adds one. */
export function endpointForm(sent: Sent, endpoint: WebhookEndpoint | null): Html {
  const { self } = sent.request;
  const events = endpoint?.events ?? ["*"];
  const isEnabled = endpoint?.status === "enabled" ? ["yes"] : [];
  const types = ({ legend, types: each }: (typeof NOUNS)[number]) =>
    checkField({ ...sent, refusal: null }, "events", {
      legend,
      choices: each.map((type) => [type, type]),
      known: events,
    });
  return html`${refusalNotice(sent, ["url", "description", "events"])}
<form method="post" data-once novalidate>
${hiddenFields(sent)}
<div class="narrow">
${textField(sent, "url", {
  label: "URL",
  required: true,
  maxlength: MOST_URL,
  placeholder: "https://example.com/billow",
  known: endpoint?.url ?? "",
  hint: "Billow posts each event to this address of your backend.",
})}
${textField(sent, "description", {
  label: "Description",
  mark: OPTIONAL,
  maxlength: 256,
  known: endpoint?.description ?? "",
})}
${endpoint === null ? "" : checkField(sent, "enabled", { legend: "State", choices: STATE, known: isEnabled })}
</div>
${checkField(sent, "events", { legend: "Events", choices: ALL, known: events })}
<div class="nouns">${NOUNS.map(types)}</div>
<p class="actions">
<button class="button small" type="submit">${endpoint === null ? "Add the endpoint" : "Save"}</button>
<a href="${endpoint === null ? `${self}/developers/webhooks` : endpointPath(self, endpoint.id)}">Not now</a></p>
</form>`;
}
