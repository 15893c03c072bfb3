import { html } from "hono/html";
import { TRIGGERS, type Trigger } from "../../../actions/scenario/recipes.ts";
import { triggerEvent } from "../../../actions/scenario/trigger.ts";
import { subjectOf } from "../../../domain/event.ts";
import { valueInWords } from "../../../domain/words.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import { formPages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { faultAt, hiddenFields, originOf, refusalNotice, refusedField, typed, type Sent } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { requireSandbox } from "./page-data.ts";

type Triggering = { request: DashboardRequest; done: Html | "" };

function options(chosen: string): Html[] {
  const groups = [...Map.groupBy(TRIGGERS, subjectOf)];
  const option = (type: Trigger) =>
    html`<option value="${type}"${type === chosen ? html` selected` : ""}>${type}</option>`;
  return groups.map(
    ([subject, types]) => html`<optgroup label="${valueInWords(subject)}">${types.map(option)}</optgroup>`,
  );
}

function page({ request, done }: Triggering, sent: Sent): Html {
  const fault = faultAt(sent, "type");
  const body = html`${done}
${refusalNotice(sent, ["type"])}
<form method="post" class="narrow" data-once>
${hiddenFields(sent)}
<div class="field">
<label for="type">Event</label>
<select id="type" name="type" ${faultMark("type", fault, "hint")}>${options(typed(sent, "type"))}</select>
<p class="hint" id="type-hint">Billow creates a Product and a Customer, and makes a real change that has this event.
Both stay in the sandbox. Some events take a few seconds.</p>
${faultText("type", fault)}
</div>
<button class="button small" type="submit">Trigger the event</button>
<p><a href="${request.self}/sandbox">Back to the sandbox</a></p>
</form>`;
  return dashboardPage(request, { section: "sandbox", title: "Trigger an event", body });
}

/** `/sandbox/trigger`: makes an event of a type happen, as the command `billow trigger`. */
export const triggerPages = formPages<Triggering, Trigger>({
  path: `${ROOT}/sandbox/trigger`,
  permission: "sandbox",
  load(c, request) {
    requireSandbox(request);
    const triggered = "The event was triggered. The list of events shows the event.";
    return { request, done: doneNotice(c, { triggered }) };
  },
  page,
  read(_, sent) {
    const type = TRIGGERS.find((each) => each === typed(sent, "type"));
    if (type === undefined) throw refusedField("type", "invalid_value", "Choose an event of the list.");
    return type;
  },
  async act({ request: { ctx, organization } }, type, sent) {
    // The recipe has many transactions, so the form is claimed in one of its own before them.
    const origin = originOf<null>(sent, { operation: "triggerEvent", body: { type } });
    await origin.transaction(ctx, () => Promise.resolve(null));
    const { recorded } = await triggerEvent(ctx, organization.id, type);
    if (!recorded) throw refusedField("type", "not_happened", "The event was not triggered. Try again.");
  },
  after: (_, { self }) => `${self}/sandbox/trigger?done=triggered`,
});
