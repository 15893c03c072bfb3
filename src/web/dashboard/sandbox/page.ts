import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { sandboxScriptPath, sandboxStylesPath } from "../../assets.ts";
import { pathOf } from "../../components/link.ts";
import { testCards } from "../../components/test-cards.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { refusalNotice, type Sent } from "../sent-form.ts";
import { clockState, stepForms } from "./clock.ts";
import { fillPart } from "./fill.ts";
import { isAdvancing, isFilling, type SandboxPageData } from "./scene.ts";
import { timeLine } from "./time-line.ts";

const isGoing = (scene: SandboxPageData) => isAdvancing(scene) || isFilling(scene);

/** The part of the page that changes while the clock is advanced. `data-live`: the address of the next look. */
export function livePart(scene: SandboxPageData): Html {
  const { visit, organization, now, due, days } = scene;
  const { self } = visit;
  const line = { now, zone: organization.timeZone, self, days, due };
  const isOver = !isGoing(scene);
  const look = isOver ? "" : html` data-live="${self}/sandbox/progress"`;
  return html`<div id="live" data-page="${self}/sandbox"${look}>
${clockState(scene)}
${isOver ? "" : scene.happened}
${timeLine(line)}
${isOver ? scene.happened : ""}
</div>`;
}

function tools({ organization, visit: { ctx, self } }: SandboxPageData): Html {
  return html`<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
<ul class="tools">
<li><a href="${pathOf(emailsUrl(ctx, organization.id))}">E-mails of this sandbox</a></li>
<li><a href="${self}/sandbox/trigger">Trigger an event</a></li>
<li><a href="${self}/checkouts?status=open">Open Checkouts</a>, to be paid with a test card</li>
</ul>
${testCards(ENGLISH)}</section>`;
}

/** `/dashboard/{organizationId}/sandbox` */
export function sandboxPage(scene: SandboxPageData, sent: Sent): Html {
  const { ctx } = scene.visit;
  const isEmpty = scene.obstacle === null && scene.fill === null;
  const fill = fillPart(scene, sent);
  const body = html`${scene.done}
${refusalNotice(sent, ["to"])}
${isEmpty ? fill : ""}
<section aria-labelledby="clock"><h2 id="clock">Clock</h2>
${stepForms(scene, sent)}
${livePart(scene)}</section>
${isEmpty ? "" : fill}
${tools(scene)}`;
  const head = html`${stylesheet(sandboxStylesPath(ctx))}
<script src="${sandboxScriptPath(ctx)}" type="module"></script>`;
  const lead = "A sandbox moves no real money. Advance the clock to test renewals, trials and retries.";
  return dashboardPage(scene.visit, { section: "sandbox", title: "Sandbox", body, head, lead });
}
