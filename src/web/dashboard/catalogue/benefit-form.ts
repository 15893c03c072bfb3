import { html } from "hono/html";
import type { Benefit, BenefitType } from "../../../domain/model/benefit.ts";
import { formatLicenseKey, LICENSE_KEY_BYTES } from "../../../domain/model/license-key.ts";
import { presentBenefitGrant } from "../../../resources/benefit-grant.ts";
import { BENEFIT_TYPES } from "../../../resources/benefit.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { grantEntry } from "../../components/grant-entry.ts";
import type { Html } from "../../layout.ts";
import { benefitList } from "../../portal/plans.ts";
import { areaField, checkField, OPTIONAL, radioField, textField } from "../fields.ts";
import { EDIT, type Sent } from "../sent-form.ts";
import { benefitFields, filledFiles, picturedBenefit } from "./benefit-values.ts";
import { filled, picturedForm } from "./frame.ts";
import { metadataPart } from "./metadata.ts";
import { BENEFITS } from "./resources.ts";
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
    quantity: 1,
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
<div class="paper"><div class="deliverables"><ul>${grantEntry(ENGLISH, shown)}</ul></div></div>`;
}

const KINDS = [
  ["yes", "Yes", "The Customer has the feature."],
  ["no", "No"],
  ["number", "A number", "Such as the number of projects in a plan."],
  ["text", "A text"],
] as const;

const VALUE_PER_UNIT = [
  ["true", "The number is that of one unit", "A Customer with 5 units has 5 times the number."],
] as const;
const LIMIT_PER_UNIT = [
  ["true", "The maximum is that of one unit", "A key of 5 units has 5 times as many devices."],
] as const;

function featureFields(sent: Sent): Html {
  return html`<div class="of-feature">
${textField(sent, "properties.feature", {
  label: "Name of the feature in programs",
  mark: OPTIONAL,
  maxlength: 64,
  hint: "Such as exports. If the field is empty, the key of the Benefit is the name.",
})}
${radioField(sent, "kind", { legend: "Value", choices: KINDS })}
<div class="only-valued">
${textField(sent, "properties.value", { label: "The number or the text", maxlength: 256 })}
${checkField(sent, "properties.perUnit", { legend: "Quantity", choices: VALUE_PER_UNIT })}
</div>
</div>`;
}

function licenseFields(sent: Sent): Html {
  return html`<div class="of-license_key">
${textField(sent, "properties.prefix", {
  label: "Key prefix",
  mark: OPTIONAL,
  maxlength: 16,
  hint: "Up to 16 letters and digits, such as ACME.",
})}
${textField(sent, "properties.activationLimit", {
  label: "Maximum devices of a key",
  mark: OPTIONAL,
  maxlength: 6,
  inputmode: "numeric",
  hint: "Leave the field empty for any number of devices.",
})}
${checkField(sent, "properties.limitPerUnit", { legend: "Quantity", choices: LIMIT_PER_UNIT })}
</div>`;
}

function downloadFields(sent: Sent): Html {
  const { id } = sent.request.organization;
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
${textField(shown, `properties.files.${n}.name`, { label: `Name of file ${n + 1}`, mark: OPTIONAL, maxlength: 128 })}
</div>`;
  return html`<div class="of-download">
<p class="hint">Put the files below <code>downloads/${id}</code> of the data directory first.
A path begins below this folder.</p>
${rows.map((_, n) => row(n))}
<button class="button small other" type="submit" name="${EDIT}" value="file">Add a file</button>
</div>`;
}

const noteFields = (sent: Sent): Html => html`<div class="of-custom">
${areaField(sent, "properties.note", {
  label: "Note",
  mark: OPTIONAL,
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
  const choices = BENEFIT_TYPES.map((type) => [type, TYPE_NAMES[type], DUTIES[type]] as const);
  return html`${radioField(sent, "type", { legend: "Type", choices })}
${BENEFIT_TYPES.map((type) => PROPERTY_FIELDS[type](sent))}`;
}

/** The form of a new Benefit, or of the fields that can change later, with its picture. */
export function benefitForm(benefit: Benefit | null, given: Sent): { title: string; body: Html } {
  const sent = filled(given, benefit === null ? FIRST : benefitFields(benefit));
  const key = textField(sent, "key", {
    label: "Key",
    mark: OPTIONAL,
    maxlength: 64,
    hint: "The name of the Benefit in your programs. The key never changes, and no later Benefit can have the key.",
  });
  const fields = html`${textField(sent, "name", {
    label: "Name",
    maxlength: 256,
    hint: "Buyers see the name in the Checkout.",
  })}
${benefit === null ? key : ""}
${areaField(sent, "description", { label: "Description", mark: OPTIONAL, maxlength: 2000 })}
${benefit === null ? typeFields(sent) : PROPERTY_FIELDS[benefit.type](sent)}
${metadataPart(sent)}`;
  const names = [...NAMES, ...fileNames(sent), "properties.files.0.path"];
  const drawn = benefitPicture(picturedBenefit(given.request.organization, sent, benefit));
  return picturedForm(BENEFITS, benefit, sent, { names, fields, drawn });
}
