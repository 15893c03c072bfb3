import { html } from "hono/html";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { fileSize } from "../../texts/size.ts";
import { copyButton } from "../components/copy.ts";
import type { Html } from "../layout.ts";
import { licensePath, usageText } from "./license.ts";
import type { Visit } from "./request.ts";

type Properties = BenefitGrantResource["properties"];
type Key = Extract<Properties, { key: string }>;
type Files = Extract<Properties, { files: unknown }>;

/** A license key with its number of devices, and the link to the devices. */
export function keyPart(visit: Visit, { id, benefit }: BenefitGrantResource, properties: Key): Html {
  const { key, activationLimit, activations } = properties;
  const { words, organization } = visit;
  const { licenses } = words;
  const which = html`<span class="unseen">: ${benefit.name}</span>`;
  const devices = html`<a href="${licensePath(visit, id)}">${licenses.manage}${which}</a>`;
  return html`<p class="key"><code>${key}</code> ${copyButton(words, key, benefit.name)}</p>
<p class="note">${usageText(words, activations, activationLimit)}</p>
${portalAllows(organization, "manageDevices") ? html`<p>${devices}</p>` : ""}`;
}

/** Files to download. The link of the portal makes the short-lived link at the click. */
export function filesPart({ self, words }: Visit, { id }: BenefitGrantResource, { files }: Files): Html {
  const entry = ({ name, size }: Files["files"][number], file: number) => html`<li>
<a href="${self}/downloads/${id}/${file}"><bdi>${name}</bdi></a> <span class="note">${fileSize(words, size)}</span>
</li>`;
  return html`<ul>${files.map(entry)}</ul>`;
}
