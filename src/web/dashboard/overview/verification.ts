import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Organization } from "../../../domain/organization/organization.ts";
import { counted } from "../../../domain/words.ts";
import type { Verification } from "../../../store/verifications.ts";
import { basePath } from "../../assets.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import type { Need } from "./need.ts";

const COMMAND = html`<code>node bin/billow.mjs verify</code>`;

/** Further rules that do not hold are counted. */
const MOST_RULES = 5;

/** The rules that did not hold at the last check. */
export function verifyNeeds(ctx: Context, verification: Verification | null, zone: string): Need[] {
  if (verification === null) return [];
  const { checkedAt, disagreements } = verification;
  const guide = { href: `${basePath(ctx)}/docs/operating/verify`, action: "About the check" };
  const needOf = (text: Html | string): Need => ({ tone: "bad", label: "Data check failed", text, ...guide });
  const needs = disagreements.slice(0, MOST_RULES).map(({ rule, says, count }) =>
    needOf(html`${says} <code>${rule}</code>, ${counted(count, "case")}, found by ${COMMAND} at
${time(checkedAt, zone)}.`),
  );
  const more = disagreements.length - needs.length;
  return more > 0 ? [...needs, needOf(`${counted(more, "further rule")} did not hold.`)] : needs;
}

/** A line about the last check, so that an old or missing one is noticed. A sandbox may go without checks. */
export function checkLine(
  verification: Verification | null,
  { mode, timeZone }: Pick<Organization, "mode" | "timeZone">,
): Html | "" {
  if (verification === null)
    return mode === "sandbox"
      ? ""
      : html`<p class="note">The data of this Organization has never been checked. Run ${COMMAND}
each night.</p>`;
  const found =
    verification.disagreements.length === 0 ? "The last check found no fault" : "The last check found faults";
  return html`<p class="note">${found}, ${time(verification.checkedAt, timeZone)} (${COMMAND}).</p>`;
}
