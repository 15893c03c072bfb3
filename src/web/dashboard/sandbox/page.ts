import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { sandboxScriptPath, sandboxStylesPath } from "../../assets.ts";
import { pathOf } from "../../components/link.ts";
import { testCards } from "../../components/test-cards.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { refusalNotice, type Sent } from "../sent-form.ts";
import { advancedNotice } from "./advance-notice.ts";
import { clockState, stepForms } from "./clock.ts";
import { fillPart } from "./fill.ts";
import { recentActivityPart } from "./recent-activity.ts";
import { isAdvancing, isFilling, type SandboxPageData } from "./page-data.ts";
import { timeLine } from "./time-line.ts";

const isGoing = (pageData: SandboxPageData) => isAdvancing(pageData) || isFilling(pageData);

/** The part of the page that changes while the clock is advanced. `data-live`: the address of the next look. */
export function livePart(pageData: SandboxPageData): Html {
  const { request, organization, now, due, days } = pageData;
  const { self } = request;
  const line = { now, zone: organization.timeZone, self, days, due };
  const isOver = !isGoing(pageData);
  const activity = recentActivityPart(request, pageData.activity, pageData.emails);
  const look = isOver ? "" : html` data-live="${self}/sandbox/progress"`;
  return html`<div id="live" data-page="${self}/sandbox"${look}>
${clockState(pageData)}
${isOver ? "" : activity}
${timeLine(line)}
${isOver ? activity : ""}
</div>`;
}

function tools({ organization, request: { ctx, self } }: SandboxPageData): Html {
  return html`<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
<ul class="tools">
<li><a href="${pathOf(emailsUrl(ctx, organization.id))}">E-mails of this sandbox</a></li>
<li><a href="${self}/sandbox/trigger">Trigger an event</a></li>
<li><a href="${self}/checkouts?status=open">Open Checkouts</a>, to be paid with a test card</li>
</ul>
${testCards(ENGLISH)}</section>`;
}

/** `/dashboard/{organizationId}/sandbox` */
export function sandboxPage(pageData: SandboxPageData, sent: Sent): Html {
  const { request, moved } = pageData;
  const { ctx } = request;
  const isEmpty = pageData.obstacle === null && pageData.fill === null;
  const fill = fillPart(pageData, sent);
  const body = html`${pageData.done}${moved && advancedNotice(request, moved)}
${refusalNotice(sent, ["to"])}
${isEmpty ? fill : ""}
<section aria-labelledby="clock"><h2 id="clock">Clock</h2>
${stepForms(pageData, sent)}
${livePart(pageData)}</section>
${isEmpty ? "" : fill}
${tools(pageData)}`;
  const head = html`${stylesheet(sandboxStylesPath(ctx))}
<script src="${sandboxScriptPath(ctx)}" type="module"></script>`;
  const lead = "A sandbox moves no real money. Advance the clock to test renewals, trials and retries.";
  return dashboardPage(request, { section: "sandbox", title: "Sandbox", body, head, lead });
}
