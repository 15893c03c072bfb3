import { html } from "hono/html";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";
import type { Visit } from "./visit.ts";

/** A license key. The button to copy the key needs a script, which shows the button. */
function keyOf({ portal }: Words, benefit: string, key: string): Html {
  return html`<p class="key"><code>${key}</code>
<button class="button other small" type="button" data-copy="${key}" hidden
 aria-label="${portal.copyKey({ benefit })}">${portal.copy}</button>
<span class="note" role="status" data-copied="${portal.copied}"></span></p>`;
}

/** The buyer's own part of a Benefit: a key, a note or files. */
function gives(words: Words, { benefit, properties }: BenefitGrantResource): Html | string {
  if ("key" in properties) return keyOf(words, benefit.name, properties.key);
  if ("note" in properties) return properties.note === null ? "" : html`<p><bdi>${properties.note}</bdi></p>`;
  if (!("files" in properties)) return "";
  const links = properties.files.map(({ name, url }) => html`<li><a href="${url}"><bdi>${name}</bdi></a></li>`);
  return html`<ul>${links}</ul>`;
}

function benefitEntry(words: Words, grant: BenefitGrantResource): Html {
  const { name, description } = grant.benefit;
  return html`<li>
<h3><bdi>${name}</bdi></h3>
${description === null ? "" : html`<p class="note"><bdi>${description}</bdi></p>`}
${gives(words, grant)}
</li>`;
}

/** The access that a Customer has now. Empty without any access. */
export function benefitsSection({ words }: Visit, { grants }: Account): Html | "" {
  const entries = grants.map((grant) => benefitEntry(words, grant));
  return grants.length === 0 ? "" : section("benefits", words.portal.access, entries, "");
}
