import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { counted } from "../../../domain/words.ts";
import type { Verification } from "../../../store/verifications.ts";
import { basePath } from "../../assets.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { guideLink } from "../components/guide-link.ts";
import type { Need } from "./need.ts";

const GUIDE = { page: "operating/verify", words: "About the check" };

/** Further rules that do not hold are counted. */
const MOST_RULES = 5;

type Zoned = Pick<Organization, "clockAt" | "mode" | "timeZone">;

/** The time of a check. The other dates of the page of a sandbox are by the sandbox's clock, so this one is, too. */
function timeOfCheck({ checkedAt, clockAt }: Verification, { clockAt: ownClock, timeZone }: Zoned): Html {
  if (clockAt !== null) return html`at ${time(clockAt, timeZone)} by the clock of this sandbox`;
  return html`at ${time(checkedAt, timeZone)}${ownClock === null ? "" : " in real time"}`;
}

/** The rules that did not hold at the last check. */
export function verifyNeeds(ctx: Context, verification: Verification | null, organization: Zoned): Need[] {
  if (verification === null) return [];
  const { disagreements } = verification;
  const guide = { href: `${basePath(ctx)}/docs/${GUIDE.page}`, action: GUIDE.words };
  const needOf = (text: Html | string): Need => ({ tone: "bad", label: "Data check failed", text, ...guide });
  const needs = disagreements.slice(0, MOST_RULES).map(({ rule, says, count }) =>
    needOf(html`${says} <code>${rule}</code>, ${counted(count, "case")}, found
${timeOfCheck(verification, organization)}.`),
  );
  const more = disagreements.length - needs.length;
  return more > 0 ? [...needs, needOf(`${counted(more, "further rule")} did not hold.`)] : needs;
}

/** A line about the last check, so that an old or missing one is noticed. A sandbox may go without checks. */
export function checkLine(ctx: Context, verification: Verification | null, organization: Zoned): Html | "" {
  const guide = guideLink(ctx, GUIDE.page, GUIDE.words);
  if (verification === null)
    return organization.mode === "sandbox"
      ? ""
      : html`<p class="note">The data of this Organization has never been checked. The operator of the server should run
the data check each night. ${guide}</p>`;
  const found = verification.disagreements.length === 0 ? "found no fault" : "found faults";
  return html`<p class="note">The last data check ${found}, ${timeOfCheck(verification, organization)}. ${guide}</p>`;
}
