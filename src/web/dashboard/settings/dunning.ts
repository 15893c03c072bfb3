import { html } from "hono/html";
import type { Dunning } from "../../../domain/model/retry-schedule.ts";
import type { UpdateOrganizationParams } from "../../../resources/organization.ts";
import { counted } from "../../../domain/words.ts";
import type { Html } from "../../layout.ts";
import { notice } from "../components/notice.ts";
import { textField } from "../fields.ts";
import { refusedField, typed, type Sent } from "../sent-form.ts";
import { dunningLine } from "./dunning-line.ts";
import { group } from "./fields.ts";
import { parsedSettings, saveOrPreview, settingsForm, settingsFormOf, type SettingsData } from "./form.ts";

const RETRIES = "dunning.retryDays";
const GRACE = "dunning.graceDays";
const DAYS = /^\d{1,4}$/;

/** @throws AppError `validation_failed` */
function readDunning(sent: Sent): NonNullable<UpdateOrganizationParams["dunning"]> {
  const days = typed(sent, RETRIES)
    .split(/[\s,;]+/)
    .filter((each) => each !== "");
  if (!days.every((day) => DAYS.test(day)))
    throw refusedField(RETRIES, "invalid_days", "Enter the days in their order, such as 3, 7, 14, 21.");
  const grace = typed(sent, GRACE);
  if (!DAYS.test(grace)) throw refusedField(GRACE, "invalid_days", "Enter a number of days, such as 7.");
  const { dunning } = parsedSettings({ dunning: { retryDays: days.map(Number), graceDays: Number(grace) } });
  return dunning!;
}

/** The typed dunning; null: the typed values have a fault. */
function typedDunning(sent: Sent): Dunning | null {
  try {
    return readDunning(sent);
  } catch {
    return null;
  }
}

const daysOf = (list: readonly number[]) => list.join(", ");

function fields(sent: Sent, { retryDays, graceDays }: Dunning): Html {
  return group(
    "After a failed charge",
    html`${textField(sent, RETRIES, {
      label: "Retries, in days after the failure",
      maxlength: 100,
      known: daysOf(retryDays),
      hint: "1 to 10 days in their order, each from 1 to 365. If the last retry fails, the Subscription ends.",
    })}
${textField(sent, GRACE, {
  label: "Days until the access ends",
  maxlength: 4,
  inputmode: "numeric",
  known: String(graceDays),
  hint: "From 0 to 365. The access comes back with the payment.",
})}`,
  );
}

function page(data: SettingsData, sent: Sent): Html {
  const { retryDays, graceDays } = data.organization;
  const stored = { retryDays, graceDays };
  const wanted = sent.isSent ? typedDunning(sent) : null;
  const isOther = wanted !== null && JSON.stringify(wanted) !== JSON.stringify(stored);
  const shown = isOther ? wanted : stored;
  const said = isOther
    ? notice("hint", "This is the time line of the typed values. They are not saved yet.")
    : sent.isSent && wanted === null
      ? notice("hint", "The typed values have a fault, so this is the saved time line. Save to see the fault.")
      : "";
  const length = counted(shown.retryDays.at(-1)!, "day");
  return html`${said}
${dunningLine(shown)}
<p class="hint">If each retry fails, the Subscription ends ${length} after the first failure. Subscriptions that are
past due keep the schedule of their first failure.</p>
${settingsFormOf(data, sent, [RETRIES, GRACE], fields(sent, stored), saveOrPreview("Preview"))}`;
}

/** `…/settings/dunning`: the steps after a failed charge, as a time line. */
export const dunningPages = settingsForm({
  tab: "dunning",
  lead: "The steps after a charge has failed. Each retry charges the card on file again.",
  read: (sent) => ({ dunning: readDunning(sent) }),
  page,
});
