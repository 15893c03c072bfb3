import { html } from "hono/html";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";

/** The buyer's own part of a Benefit: a key, a note or files. */
function gives({ properties }: BenefitGrantResource): Html | string {
  if ("key" in properties) return html`<p><code>${properties.key}</code></p>`;
  if ("note" in properties) return properties.note === null ? "" : html`<p><bdi>${properties.note}</bdi></p>`;
  if (!("files" in properties)) return "";
  const links = properties.files.map(({ name, url }) => html`<li><a href="${url}"><bdi>${name}</bdi></a></li>`);
  return html`<ul>${links}</ul>`;
}

function benefitEntry(grant: BenefitGrantResource): Html {
  const { name, description } = grant.benefit;
  return html`<li>
<h3><bdi>${name}</bdi></h3>
${description === null ? "" : html`<p class="note"><bdi>${description}</bdi></p>`}
${gives(grant)}
</li>`;
}

/** The access that a Customer has now. Empty without any access. */
export function benefitsSection({ grants }: Account): Html | "" {
  return grants.length === 0 ? "" : section("benefits", "Your access", grants.map(benefitEntry), "");
}
