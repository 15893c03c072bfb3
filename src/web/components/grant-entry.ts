import { html } from "hono/html";
import type { Benefit } from "../../domain/model/benefit.ts";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { benefitName } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { copyButton } from "./copy.ts";
import { linkedText } from "./linked-text.ts";

/** A license key and its button. Without a script there is no button, and a click on the key selects all of it. */
const licenseKey = (words: Words, key: string, benefit: string): Html =>
  html`<p class="key"><code>${key}</code> ${copyButton(words, key, benefit)}</p>`;

/** The buyer's own part of a Benefit: a key, files or a note. A feature has no such part. */
function gives(words: Words, { benefit, properties }: BenefitGrantResource): Html | "" {
  if ("key" in properties) return licenseKey(words, properties.key, benefit.name);
  if ("note" in properties)
    return properties.note === null ? "" : html`<p class="text" dir="auto">${linkedText(properties.note)}</p>`;
  if (!("files" in properties)) return "";
  const links = properties.files.map(({ name, url }) => html`<li><a href="${url}"><bdi>${name}</bdi></a></li>`);
  return html`<ul class="files">${links}</ul>`;
}

function entry({ name, description }: Pick<Benefit, "name" | "description">, more: Html | ""): Html {
  return html`<li>
<h3><bdi>${name}</bdi></h3>
${description === null ? "" : html`<p class="about" dir="auto">${description}</p>`}
${more}
</li>`;
}

const nameOf = (words: Words, { benefit: { name }, properties }: BenefitGrantResource) =>
  benefitName(words, { name, properties });

/** A Benefit that a Customer has now, with its key, files or note. */
export const grantEntry = (words: Words, grant: BenefitGrantResource): Html =>
  entry({ ...grant.benefit, name: nameOf(words, grant) }, gives(words, grant));

/** A Benefit that will be granted in a moment. */
export const awaitedEntry = (words: Words, benefit: Benefit): Html =>
  entry({ ...benefit, name: benefitName(words, benefit) }, html`<p class="about">${words.deliverables.preparing}</p>`);
