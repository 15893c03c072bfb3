import { html } from "hono/html";
import type { Html } from "../../layout.ts";
import { guideLink } from "../components/guide-link.ts";
import { notice } from "../components/notice.ts";
import { OBSTACLES } from "../refusal.ts";
import { hiddenFields, type Sent } from "../sent-form.ts";
import { isFilling, type SandboxPageData } from "./page-data.ts";

const CONTENT = html`<p>A company with some 40 Customers in nine countries: monthly and yearly plans, one-time
Products, Benefits of each type and a Discount; half a year of purchases, renewals, upgrades and cancellations; a failed
renewal in dunning, a refund, a dispute, a trial and an open Checkout.</p>`;

function when({ goesBack, organization }: SandboxPageData): Html {
  if (!goesBack)
    return html`<p>There is a Checkout already, so the clock can’t go back. The clock ends half a year after its
present time.</p>`;
  return organization.clockAt === null
    ? html`<p>The purchases are in the last half year. At the end, the clock stands at the present time. After that,
only an advance moves the clock.</p>`
    : html`<p>The purchases are in the half year before the present time of the clock. At the end, the clock shows
this time again.</p>`;
}

const form = ({ request }: SandboxPageData, sent: Sent, label: string) => html`<form method="post"
 action="${request.self}/sandbox/fill" class="steps" data-once>
${hiddenFields(sent)}
<button class="button small" type="submit">${label}</button>
</form>`;

/** The way to another sandbox. */
function newSandboxLink({ request: { ctx, base, ownsInstallation } }: SandboxPageData): Html {
  if (ownsInstallation) return html`<a href="${base}/new-organization">New Organization</a>`;
  return guideLink(ctx, "operating/team#owners-of-the-installation", "How to create a sandbox");
}

/** The offer to fill an empty sandbox, or the reason why this sandbox can't be filled. */
export function fillPart(pageData: SandboxPageData, sent: Sent): Html | "" {
  const { fill, obstacle } = pageData;
  if (isFilling(pageData)) return "";
  const body = () => {
    if (fill !== null && fill.done < fill.steps)
      return html`${notice("warning", `${fill.fault ?? ""} ${fill.done} of ${fill.steps} steps are done.`)}
<p>Billow can continue with the remaining steps.</p>
${form(pageData, sent, "Continue filling")}`;
    if (obstacle !== null)
      return html`<p class="note">${OBSTACLES[obstacle]} A sample company needs a new sandbox.
${newSandboxLink(pageData)}</p>`;
    return html`${CONTENT}
${when(pageData)}
${notice("hint", "The company stays in this sandbox. No button removes the data later.")}
${form(pageData, sent, "Fill this sandbox")}`;
  };
  return html`<section aria-labelledby="fill"><h2 id="fill">Sample company</h2>
${body()}</section>`;
}
