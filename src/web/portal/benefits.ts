import { html } from "hono/html";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { benefitName } from "../../texts/phrases.ts";
import { linkedText } from "../components/linked-text.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";
import type { PortalRequest } from "./request.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { fileSize } from "../../texts/size.ts";
import { copyButton } from "../components/copy.ts";
import { licensePath, usageText } from "./license.ts";

type Properties = BenefitGrantResource["properties"];
type Key = Extract<Properties, { key: string }>;
type Files = Extract<Properties, { files: unknown }>;

/** A license key with its number of devices, and the link to the devices. */
function keyPart(request: PortalRequest, { id, benefit }: BenefitGrantResource, properties: Key): Html {
  const { key, activationLimit, activations } = properties;
  const { words, organization } = request;
  const { licenses } = words;
  const which = html`<span class="unseen">: ${benefit.name}</span>`;
  const devices = html`<a href="${licensePath(request, id)}">${licenses.manage}${which}</a>`;
  return html`<p class="key"><code>${key}</code> ${copyButton(words, key, benefit.name)}</p>
<p class="note">${usageText(words, activations, activationLimit)}</p>
${portalAllows(organization, "manageDevices") ? html`<p>${devices}</p>` : ""}`;
}

/** Files to download. The link of the portal makes the short-lived link at the click. */
function filesPart({ self, words }: PortalRequest, { id }: BenefitGrantResource, { files }: Files): Html {
  const entry = ({ name, size }: Files["files"][number], file: number) => html`<li>
<a href="${self}/downloads/${id}/${file}"><bdi>${name}</bdi></a> <span class="note">${fileSize(words, size)}</span>
</li>`;
  return html`<ul>${files.map(entry)}</ul>`;
}

/** The buyer's own part of a Benefit: a key, a note or files. */
function gives(request: PortalRequest, grant: BenefitGrantResource): Html | string {
  const { properties } = grant;
  if ("key" in properties) return keyPart(request, grant, properties);
  if ("files" in properties) return filesPart(request, grant, properties);
  return "note" in properties && properties.note !== null ? html`<p><bdi>${linkedText(properties.note)}</bdi></p>` : "";
}

function benefitEntry(request: PortalRequest, grant: BenefitGrantResource): Html {
  const { benefit, properties } = grant;
  const { name, description } = benefit;
  return html`<li>
<h3><bdi>${benefitName(request.words, { name, properties })}</bdi></h3>
${description === null ? "" : html`<p class="note"><bdi>${description}</bdi></p>`}
${gives(request, grant)}
</li>`;
}

/** The access that a Customer has now. Empty without any access. */
export function benefitsSection(request: PortalRequest, { grants }: Account): Html | "" {
  const entries = grants.map((grant) => benefitEntry(request, grant));
  return grants.length === 0 ? "" : section("benefits", request.words.portal.access, entries, "");
}
