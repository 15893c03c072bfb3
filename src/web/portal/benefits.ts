import { html } from "hono/html";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { benefitName } from "../../texts/phrases.ts";
import { linkedText } from "../components/linked-text.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { filesPart, keyPart } from "./license-parts.ts";
import { section } from "./section.ts";
import type { Visit } from "./request.ts";

/** The buyer's own part of a Benefit: a key, a note or files. */
function gives(visit: Visit, grant: BenefitGrantResource): Html | string {
  const { properties } = grant;
  if ("key" in properties) return keyPart(visit, grant, properties);
  if ("files" in properties) return filesPart(visit, grant, properties);
  return "note" in properties && properties.note !== null ? html`<p><bdi>${linkedText(properties.note)}</bdi></p>` : "";
}

function benefitEntry(visit: Visit, grant: BenefitGrantResource): Html {
  const { benefit, properties } = grant;
  const { name, description } = benefit;
  return html`<li>
<h3><bdi>${benefitName(visit.words, { name, properties })}</bdi></h3>
${description === null ? "" : html`<p class="note"><bdi>${description}</bdi></p>`}
${gives(visit, grant)}
</li>`;
}

/** The access that a Customer has now. Empty without any access. */
export function benefitsSection(visit: Visit, { grants }: Account): Html | "" {
  const entries = grants.map((grant) => benefitEntry(visit, grant));
  return grants.length === 0 ? "" : section("benefits", visit.words.portal.access, entries, "");
}
