import type {
  Benefit,
  BenefitProperties,
  BenefitType,
  CustomProperties,
  DownloadProperties,
  FeatureProperties,
  LicenseKeyProperties,
} from "../../../domain/model/benefit.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Fault } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { BENEFIT_TYPES, CreateBenefitParams, type UpdateBenefitParams } from "../../../resources/benefit.ts";
import { typed, typedOrNull, type Sent } from "../sent-form.ts";
import { readMetadata, writtenMetadata } from "./metadata.ts";
import { differing, fault, mendMetadata, parsedForm, typedNumber } from "../form-values.ts";

type Form = Pick<Sent, "fields">;
type File = { path: string; name: string };

/** The rows that a form can have: the files of a Benefit. */
const MOST_FILES = 50;

export const typeIn = (form: Form): BenefitType =>
  BENEFIT_TYPES.find((type) => type === form.fields.get("type")) ?? "feature";

/** The rows of files that are filled in, in their order. */
export const filledFiles = (form: Form): File[] =>
  [...Array(MOST_FILES).keys()]
    .map((n) => ({ path: typed(form, `properties.files.${n}.path`), name: typed(form, `properties.files.${n}.name`) }))
    .filter(({ path, name }) => path !== "" || name !== "");

/** The value of a feature, by the chosen kind. */
function readValue(form: Form): { value: boolean | number | string; faults: Fault[] } {
  const kind = form.fields.get("kind") ?? "yes";
  if (kind === "yes" || kind === "no") return { value: kind === "yes", faults: [] };
  const text = typed(form, "properties.value");
  if (kind !== "number") return { value: text, faults: [] };
  const isNumber = /^-?\d{1,15}(\.\d{1,9})?$/.test(text);
  return isNumber
    ? { value: Number(text), faults: [] }
    : { value: 0, faults: [fault("properties.value", "Enter a number such as 10 or 2.5.")] };
}

const isChosen = ({ fields }: Form, name: string): boolean => fields.get(name) === "true";

function readProperties(form: Form, type: BenefitType): { properties: object; faults: Fault[] } {
  switch (type) {
    case "feature": {
      const { value, faults } = readValue(form);
      const feature = typedOrNull(form, "properties.feature");
      const perUnit = typeof value !== "boolean" && isChosen(form, "properties.perUnit");
      return { properties: { feature, value, perUnit }, faults };
    }
    case "license_key":
      return {
        properties: {
          prefix: typedOrNull(form, "properties.prefix"),
          activationLimit: typedNumber(form, "properties.activationLimit"),
          perUnit: isChosen(form, "properties.limitPerUnit"),
        },
        faults: [],
      };
    case "download": {
      const files = filledFiles(form).map(({ path, name }) => ({ path, name: name || null }));
      const faults = files.length === 0 ? [fault("properties.files.0.path", "Name at least one file.")] : [];
      return { properties: { files }, faults };
    }
    case "custom":
      return { properties: { note: typedOrNull(form, "properties.note") }, faults: [] };
  }
}

/** The body of a POST from the form. `benefit`: the present Benefit; null: a new one. @throws AppError */
export function readBenefit(form: Form, benefit: Benefit | null): CreateBenefitParams {
  const type = benefit?.type ?? typeIn(form);
  const { properties, faults } = readProperties(form, type);
  const { metadata, faults: others } = readMetadata(form, benefit?.metadata ?? {});
  const body = {
    type,
    key: benefit === null ? typedOrNull(form, "key") : benefit.key,
    name: typed(form, "name"),
    description: typedOrNull(form, "description"),
    metadata,
    properties,
  };
  return parsedForm(CreateBenefitParams, body, { faults: [...faults, ...others], mend: mendMetadata });
}

/** The properties as a request has them: files without their sizes, and `perUnit` also if it is false. */
function asTyped({ type, properties }: Benefit): object {
  if (type === "feature" || type === "license_key") return { perUnit: false, ...properties };
  return type === "download"
    ? { files: (properties as DownloadProperties).files.map(({ path, name }) => ({ path, name })) }
    : properties;
}

/** The changed fields of the form of a Benefit. @throws AppError `validation_failed` */
export function readBenefitChanges(form: Form, benefit: Benefit): UpdateBenefitParams {
  const { name, description, metadata, properties } = readBenefit(form, benefit);
  const current = { ...benefit, properties: asTyped(benefit) };
  return differing({ name, description, metadata, properties }, current) as UpdateBenefitParams;
}

const chosen = (name: string, perUnit: true | undefined): [string, string][] => (perUnit ? [[name, "true"]] : []);

function propertyFields(type: BenefitType, properties: BenefitProperties): [string, string][] {
  switch (type) {
    case "feature": {
      const { feature, value, perUnit } = properties as FeatureProperties;
      const kind = typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "number" ? "number" : "text";
      return [
        ["properties.feature", feature],
        ["kind", kind],
        ["properties.value", typeof value === "boolean" ? "" : String(value)],
        ...chosen("properties.perUnit", perUnit),
      ];
    }
    case "license_key": {
      const { prefix, activationLimit, perUnit } = properties as LicenseKeyProperties;
      return [
        ["properties.prefix", prefix ?? ""],
        ["properties.activationLimit", String(activationLimit ?? "")],
        ...chosen("properties.limitPerUnit", perUnit),
      ];
    }
    case "download":
      return (properties as DownloadProperties).files.flatMap(({ path, name }, n): [string, string][] => [
        [`properties.files.${n}.path`, path],
        [`properties.files.${n}.name`, name],
      ]);
    case "custom":
      return [["properties.note", (properties as CustomProperties).note ?? ""]];
  }
}

/** A Benefit as the fields of its form. */
export const benefitFields = (benefit: Benefit): URLSearchParams =>
  new URLSearchParams([
    ["version", String(benefit.version)],
    ["type", benefit.type],
    ["name", benefit.name],
    ["description", benefit.description ?? ""],
    ...propertyFields(benefit.type, benefit.properties),
    ["metadata", writtenMetadata(benefit.metadata)],
  ]);

/** The properties of a form as far as they are filled in. */
function picturedProperties(form: Form, type: BenefitType): BenefitProperties {
  switch (type) {
    case "feature":
      return { feature: typed(form, "properties.feature"), value: true };
    case "license_key": {
      const prefix = typed(form, "properties.prefix").toUpperCase();
      return { prefix: /^[A-Z0-9]{1,16}$/.test(prefix) ? prefix : null, activationLimit: null };
    }
    case "download":
      return {
        files: filledFiles(form).map(({ path, name }) => ({ path, name: name || path.split("/").at(-1)!, size: 0 })),
      };
    case "custom":
      return { note: typedOrNull(form, "properties.note") };
  }
}

/** The Benefit of a form, for a picture. */
export function picturedBenefit(organization: Organization, form: Form, benefit: Benefit | null): Benefit {
  const type = benefit?.type ?? typeIn(form);
  const { createdAt, updatedAt } = organization;
  return {
    organizationId: organization.id,
    id: newId("bft"),
    key: null,
    type,
    name: typed(form, "name") || "Name of the Benefit",
    description: typedOrNull(form, "description"),
    properties: picturedProperties(form, type),
    metadata: {},
    deletedAt: null,
    syncAt: null,
    syncCursor: null,
    shownVersion: 1,
    version: 1,
    createdAt,
    updatedAt,
  };
}
