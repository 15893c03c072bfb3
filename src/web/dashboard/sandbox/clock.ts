import { html } from "hono/html";
import { formatInstant, formatDate } from "../../../domain/calendar.ts";
import { counted } from "../../../domain/words.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { faultAt, hiddenFields, typed, type Sent } from "../sent-form.ts";
import { isAdvancing, isFilling, type SandboxPageData } from "./page-data.ts";

/** Where the clock stands, and the progress of an advance or of a filling. A screen reader hears each change. */
export function clockState(pageData: SandboxPageData): Html {
  const { organization, now, fill } = pageData;
  const zone = organization.timeZone;
  const { clockAt, clockTarget, clockDone } = organization;
  const stands = clockAt === null ? "The clock runs with real time" : "The clock stands at";
  const reading = html`<p class="clock">${clockTarget === null && !isFilling(pageData) ? stands : "The clock is at"}
<strong>${time(now, zone)}</strong> <span class="note">${zone}</span></p>`;
  if (isFilling(pageData)) {
    const { done, steps, endsAt } = fill!;
    return html`<div role="status">${reading}
<p><label for="fill-progress">The sandbox is being filled up to ${formatDate(endsAt, zone)}: step ${done} of
${steps}.</label> <progress id="fill-progress" max="${steps}" value="${done}"></progress></p></div>`;
  }
  if (clockTarget === null) {
    const follows = html`<p class="note">After the first advance, the clock moves only when you advance the clock.</p>`;
    return html`<div role="status">${reading}${clockAt === null ? follows : ""}</div>`;
  }
  return html`<div role="status">${reading}
<p>The clock advances to ${time(clockTarget, zone)}. ${counted(clockDone, "due item")}
${clockDone === 1 ? "was" : "were"} carried out.</p></div>`;
}

/** The form that stops the advance or the filling, and a link for a browser without a script. */
function stopForm(pageData: SandboxPageData, sent: Sent): Html {
  const { self } = pageData.request;
  return html`<form method="post" action="${self}/sandbox/stop" class="steps" data-once>
${hiddenFields(sent)}
<button class="button small danger" type="submit">${isFilling(pageData) ? "Stop filling" : "Stop the clock"}</button>
<a class="button small other" href="${self}/sandbox" data-scripted>Refresh</a>
</form>`;
}

/** The steps of the clock: by a day, by a month, to the next thing, and to a date. */
export function stepForms(pageData: SandboxPageData, sent: Sent): Html {
  if (isAdvancing(pageData) || isFilling(pageData)) return stopForm(pageData, sent);
  const { request, due, organization, now } = pageData;
  const action = `${request.self}/sandbox`;
  const next =
    due.length === 0
      ? ""
      : html`<button class="button small other" type="submit" name="step" value="next">Advance to the next due
item</button>`;
  const fault = faultAt(sent, "to");
  return html`<form method="post" action="${action}" class="steps" data-once>
${hiddenFields(sent)}
<button class="button small" type="submit" name="step" value="P1D">Advance by a day</button>
<button class="button small" type="submit" name="step" value="P1M">Advance by a month</button>
${next}
</form>
<form method="post" action="${action}" class="steps" data-once>
${hiddenFields(sent)}
<input type="hidden" name="step" value="to">
<div class="field">
<label for="to">Advance to a day</label>
<input id="to" name="to" type="date" value="${typed(sent, "to")}" min="${formatInstant(now).slice(0, 10)}" required
 ${faultMark("to", fault, "hint")}>
<p class="hint" id="to-hint">To 00:00 in the time zone ${organization.timeZone}. To include the work
of a day, choose the next day.</p>
${faultText("to", fault)}
</div>
<button class="button small other" type="submit">Advance the clock</button>
</form>`;
}
