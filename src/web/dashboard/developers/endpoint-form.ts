import { html } from "hono/html";
import { EVENT_TYPES, subjectOf } from "../../../domain/event.ts";
import { valueInWords } from "../../../domain/words.ts";
import { field, shownAgain } from "../../components/field.ts";
import type { Html } from "../../layout.ts";
import { choices } from "../components/choices.ts";
import { faultAt, hiddenFields, refusalNotice, refusedField, typed, typedOrNull, type Sent } from "../sent.ts";

/** The noun of the events of each subject, as a legend. */
const NOUNS = [...Map.groupBy(EVENT_TYPES, subjectOf)].map(([subject, types]) => {
  const noun = valueInWords(subject);
  return { subject, legend: noun.charAt(0).toUpperCase() + noun.slice(1), types };
});

const ALL = [
  { value: "*", label: "All types", hint: "Also the types that a later version adds. Untick the box to choose." },
];

/** The values of a form about an endpoint. `isEnabled` null: the form does not ask. */
export type EndpointValues = { url: string; description: string; events: readonly string[]; isEnabled: boolean | null };

/** The values as they were sent, to be shown again. */
export function sentValues(sent: Sent, asksEnabled: boolean): EndpointValues {
  return {
    url: shownUrl(typed(sent, "url")),
    description: shownAgain(typed(sent, "description")),
    events: sent.fields.getAll("events"),
    isEnabled: asksEnabled ? sent.fields.has("enabled") : null,
  };
}

const MOST_URL = 2_048;
/** A URL may be longer than the texts of other fields. */
const shownUrl = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, MOST_URL);

/** The chosen types, and the other fields as the management API takes them. @throws AppError without a type */
export function bodyOf(sent: Sent): { url: string; description: string | null; events: string[] } {
  const chosen = sent.visit.form.getAll("events");
  if (chosen.length === 0)
    throw refusedField("events", "required", "Choose at least one type of event, or “All types”.");
  const events = chosen.includes("*") ? ["*"] : [...new Set(chosen)];
  return { url: typed(sent, "url"), description: typedOrNull(sent, "description"), events };
}

function eventChoices(chosen: readonly string[], fault: string | undefined): Html {
  const group = ({ legend, types }: (typeof NOUNS)[number]) =>
    choices({ name: "events", legend, choices: types.map((type) => ({ value: type, label: type })), chosen });
  return html`${choices({ name: "events", legend: "Events", choices: ALL, chosen, fault })}
<div class="nouns">${NOUNS.map(group)}</div>`;
}

/** The form of an endpoint. `label`: the button. `back`: where "Not now" leads. */
export function endpointForm(
  sent: Sent,
  { url, description, events, isEnabled }: EndpointValues,
  { label, back }: { label: string; back: string },
): Html {
  const enabled = [
    { value: "yes", label: "Enabled", hint: "A disabled endpoint gets no deliveries. They are skipped." },
  ];
  return html`${refusalNotice(sent, ["url", "description", "events"])}
<form method="post" data-once novalidate>
${hiddenFields(sent)}
<div class="narrow">
${field({
  name: "url",
  label: "URL",
  inputmode: "text",
  autocomplete: "off",
  required: true,
  maxlength: MOST_URL,
  placeholder: "https://example.com/billow",
  value: url,
  hint: "Billow posts each event to this address of your backend.",
  fault: faultAt(sent, "url"),
})}
${field({
  name: "description",
  label: "Description",
  mark: "optional",
  inputmode: "text",
  autocomplete: "off",
  required: false,
  maxlength: 256,
  value: description,
  fault: faultAt(sent, "description"),
})}
${
  isEnabled === null
    ? ""
    : choices({ name: "enabled", legend: "State", choices: enabled, chosen: isEnabled ? ["yes"] : [] })
}
</div>
${eventChoices(events, faultAt(sent, "events"))}
<p class="deeds"><button class="button small" type="submit">${label}</button> <a href="${back}">Not now</a></p>
</form>`;
}
