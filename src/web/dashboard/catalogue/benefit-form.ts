import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Benefit, BenefitType } from "../../../domain/model/benefit.ts";
import { formatLicenseKey, LICENSE_KEY_BYTES } from "../../../domain/model/license-key.ts";
import { presentBenefitGrant } from "../../../resources/benefit-grant.ts";
import { BENEFIT_TYPES } from "../../../resources/benefit.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { grantEntry } from "../../components/grant-entry.ts";
import type { Html } from "../../layout.ts";
import { benefitList } from "../../portal/plans.ts";
import { dashboardPage } from "../frame.ts";
import { hiddenFields, refusalNotice, type Sent } from "../sent.ts";
import { benefitFields, filledFiles, picturedBenefit } from "./benefit-typed.ts";
import { areaField, enterButton, filled, radioField, sentMark, textField } from "./fields.ts";
import { catalogueHead } from "./head.ts";
import { metadataField } from "./metadata.ts";
import { besides, formButtons } from "./picture.ts";
import { TYPE_NAMES } from "./type-names.ts";

const DUTIES: Record<BenefitType, string> = {
  feature: "Your application asks whether a Customer has the feature, and for its value.",
  license_key: "Each Customer gets a key, which your program checks.",
  download: "The buyer downloads files of yours.",
  custom: "The buyer reads a text, such as the way to your community.",
};

const FIRST = new URLSearchParams([
  ["type", "feature"],
  ["kind", "yes"],
]);
const NAMES = [
  "name",
  "key",
  "description",
  "metadata",
  "properties.feature",
  "properties.value",
  "properties.prefix",
  "properties.activationLimit",
  "properties.note",
];
const fileNames = (sent: Sent) =>
  filledFiles(sent).flatMap((_, n) => [`properties.files.${n}.path`, `properties.files.${n}.name`]);

/** A key that no Customer has: each of its bytes is the same. */
const exampleKey = (prefix: string | null) => formatLicenseKey(prefix, new Uint8Array(LICENSE_KEY_BYTES).fill(11));

/** The Benefit as a buyer sees it before and after the purchase. */
export function benefitPicture(benefit: Benefit): Html {
  const { organizationId, properties, createdAt } = benefit;
  const key = "prefix" in properties ? { key: exampleKey(properties.prefix) } : {};
  const grant = {
    organizationId,
    id: "example",
    customerId: "example",
    benefitId: benefit.id,
    benefitVersion: 1,
    subscriptionId: null,
    invoiceId: null,
    status: "active" as const,
    properties: key,
    activations: 0,
    reason: "purchased" as const,
    grantedAt: createdAt,
    revokedAt: null,
    version: 1,
    eventSequence: 1,
    createdAt,
    updatedAt: createdAt,
  };
  const details = { externalCustomerId: null, expiresAt: null, downloadUrl: () => "#picture-title" };
  const shown = presentBenefitGrant(grant, benefit, details);
  return html`<p class="caption">In the Checkout</p>
<div class="paper">${benefitList(ENGLISH, [benefit])}</div>
<p class="caption">After the purchase and in the portal</p>
<div class="paper"><div class="goods"><ul>${grantEntry(ENGLISH, shown)}</ul></div></div>`;
}

function featureFields(sent: Sent): Html {
  return html`<div class="of-feature">
${textField(sent, "properties.feature", {
  label: "Name of the feature in programs",
  mark: "optional",
  maxlength: 64,
  hint: "Such as exports. If the field is empty, the key of the Benefit is the name.",
})}
${radioField(sent, "kind", "Value", [
  ["yes", "Yes", "The Customer has the feature."],
  ["no", "No"],
  ["number", "A number", "Such as the number of projects in a plan."],
  ["text", "A text"],
])}
<div class="only-valued">
${textField(sent, "properties.value", { label: "The number or the text", maxlength: 256 })}
</div>
</div>`;
}

function licenseFields(sent: Sent): Html {
  return html`<div class="of-license_key">
${textField(sent, "properties.prefix", {
  label: "Key prefix",
  mark: "optional",
  maxlength: 16,
  hint: "Up to 16 letters and digits, such as ACME.",
})}
${textField(sent, "properties.activationLimit", {
  label: "Maximum devices of a key",
  mark: "optional",
  maxlength: 6,
  inputmode: "numeric",
  hint: "Leave the field empty for any number of devices.",
})}
</div>`;
}

function downloadFields(sent: Sent): Html {
  const { id } = sent.visit.organization;
  const rows = [...filledFiles(sent), { path: "", name: "" }];
  const fields = new URLSearchParams(
    rows.flatMap(({ path, name }, n): [string, string][] => [
      [`properties.files.${n}.path`, path],
      [`properties.files.${n}.name`, name],
    ]),
  );
  const shown = { ...sent, fields };
  const row = (n: number) => html`<div class="pair">
${textField(shown, `properties.files.${n}.path`, { label: `Path of file ${n + 1}`, maxlength: 512 })}
${textField(shown, `properties.files.${n}.name`, { label: `Name of file ${n + 1}`, mark: "optional", maxlength: 128 })}
</div>`;
  return html`<div class="of-download">
<p class="hint">Put the files below <code>downloads/${id}</code> of the data directory first.
A path begins below this folder.</p>
${rows.map((_, n) => row(n))}
<button class="button small other" type="submit" name="more" value="file">Add a file</button>
</div>`;
}

const noteFields = (sent: Sent): Html => html`<div class="of-custom">
${areaField(sent, "properties.note", {
  label: "Note",
  mark: "optional",
  maxlength: 5000,
  hint: "Addresses that begin with https:// become links.",
})}
</div>`;

const PROPERTY_FIELDS: Record<BenefitType, (sent: Sent) => Html> = {
  feature: featureFields,
  license_key: licenseFields,
  download: downloadFields,
  custom: noteFields,
};

/** The fields of every type. The style sheet shows those of the chosen type. */
function typeFields(sent: Sent): Html {
  return html`${radioField(
    sent,
    "type",
    "Type",
    BENEFIT_TYPES.map((type) => [type, TYPE_NAMES[type], DUTIES[type]] as const),
  )}
${BENEFIT_TYPES.map((type) => PROPERTY_FIELDS[type](sent))}`;
}

/** The form of a new Benefit, or of the fields that can change later, with its picture. */
export function benefitForm(ctx: Context, benefit: Benefit | null, given: Sent): Html {
  const { visit } = given;
  const sent = filled(given, benefit === null ? FIRST : benefitFields(benefit));
  const path = `${visit.self}/benefits`;
  const fixed =
    benefit === null ? "" : html`<input type="hidden" name="version" value="${sent.fields.get("version") ?? ""}">`;
  const key = textField(sent, "key", {
    label: "Key",
    mark: "optional",
    maxlength: 64,
    hint: "The name of the Benefit in your programs. The key never changes, and no later Benefit can have the key.",
  });
  const form = html`<form method="post" class="catalogue" data-once data-pictured novalidate>
${enterButton}${hiddenFields(sent)}${sentMark}${fixed}
${refusalNotice(sent, [...NAMES, ...fileNames(sent), "properties.files.0.path"])}
${textField(sent, "name", { label: "Name", maxlength: 256, hint: "Buyers see the name in the Checkout." })}
${benefit === null ? key : ""}
${areaField(sent, "description", { label: "Description", mark: "optional", maxlength: 2000 })}
${benefit === null ? typeFields(sent) : PROPERTY_FIELDS[benefit.type](sent)}
<details class="more"${sent.fields.get("metadata") ? html` open` : ""}><summary>Metadata</summary>
${metadataField(sent)}</details>
${formButtons(benefit === null ? "Create the Benefit" : "Preview", benefit === null ? path : `${path}/${benefit.id}`)}
</form>`;
  const drawn = benefitPicture(picturedBenefit(visit.organization, sent, benefit));
  const title = benefit === null ? "New Benefit" : `Edit ${benefit.name}`;
  const body = besides(form, "What the buyer will see", drawn);
  return dashboardPage(ctx, visit, { section: "benefits", title, body, head: catalogueHead(ctx) });
}
