import { html } from "hono/html";
import { ownOrigin } from "../../actions/origin.ts";
import { pauseInPortal } from "../../actions/subscription/pause.ts";
import type { Context } from "../../context.ts";
import { addCalendar, type Instant } from "../../domain/calendar.ts";
import { longestPause } from "../../domain/model/pause.ts";
import { Refusal } from "../../domain/refusal.ts";
import { portalStylesPath } from "../assets.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import type { PortalRequest } from "./request.ts";

/** The longest pause that the page offers, in months; 0: none (rule S8l). */
export const monthsOffered = (
  { organization: { portalPause } }: Pick<PortalRequest, "organization">,
  { subscription, outlook }: Holding,
): number => {
  if (outlook === null || outlook.open.length > 0) return 0;
  return longestPause(subscription, portalPause, outlook.now);
};

/** Asks a Customer for the length of the pause. */
export function pausePage(ctx: Context, request: PortalRequest, holding: Holding): Html {
  const { organization, self, words } = request;
  const { subscription, product: name } = holding;
  const { portalPause: said, portal, day } = words;
  const zone = organization.timeZone;
  const begins = subscription.currentPeriodEnd;
  const product = html`<bdi>${name}</bdi>`;
  const until = (count: number): Instant => addCalendar(begins, zone, `P${count}M`);
  const choices = Array.from({ length: monthsOffered(request, holding) }, (_, n) => n + 1);
  const choice = (count: number) => {
    const text = said.choice({ months: said.months({ count }), day: day(until(count), zone) });
    const first = count === 1 ? html` checked` : "";
    return html`<label class="choice-line"><input type="radio" name="months" value="${count}"${first}> ${text}</label>`;
  };
  const form = html`<p>${said.pauseText({ day: day(begins, zone) })}</p>
<p>${organization.portalPause?.access === "keep" ? said.on : said.off}</p>
<form method="post" data-once>
<fieldset>
<legend>${said.howLong}</legend>
${choices.map(choice)}
</fieldset>
<button class="button" type="submit">${said.pauseSubmit({ day: day(begins, zone) })}</button>
</form>`;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${said.pauseTitle.markup({ product })}</h1>
${choices.length === 0 ? html`<p>${said.notNow}</p>` : form}
<a class="button other" href="${self}">${portal.toAccount}</a>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: said.pauseTitle({ product: name }), head, body });
}

/** Schedules the chosen pause. Returns whether that was possible now. */
export async function schedulePause(
  ctx: Context,
  { subscription: { organizationId, id } }: Holding,
  months: number,
): Promise<boolean> {
  try {
    return await pauseInPortal(ctx, ownOrigin(organizationId), id, months);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "not_found") throw error;
    return false;
  }
}
