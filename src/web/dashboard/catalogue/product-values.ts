import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Metadata, Product } from "../../../domain/model/product.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Fault } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { INTERVALS } from "../../../resources/fields.ts";
import { CreateProductParams, presentProduct, UpdateProductParams } from "../../../resources/product.ts";
import { typed, typedOrNull, type Sent } from "../sent-form.ts";
import { readMetadata, writtenMetadata } from "./metadata.ts";
import { mendPrice, readPrices, validPrices, writtenPrices } from "./prices.ts";
import { mendQuantity, picturedQuantity, readQuantity, writtenQuantity } from "./quantity.ts";
import { differing, mendMetadata, parsedForm, typedNumber } from "../form-values.ts";

type Form = Pick<Sent, "fields">;

const isRecurring = ({ fields }: Form): boolean => fields.get("sold") !== "once";

/** The chosen Benefits: those that the Product has already, in their order, then the others. */
function chosenBenefits({ fields }: Form, current: readonly string[]): string[] {
  const chosen = [...new Set(fields.getAll("benefitIds"))];
  return [...current.filter((id) => chosen.includes(id)), ...chosen.filter((id) => !current.includes(id))];
}

const mend = (fields: URLSearchParams) => (each: Fault) => mendMetadata(mendQuantity(mendPrice(fields, each)));

/** The body of a POST from the form. @throws AppError `validation_failed` */
export function readNewProduct(form: Form): CreateProductParams {
  const { prices, faults: priceFaults } = readPrices(form.fields);
  const { metadata, faults: metadataFaults } = readMetadata(form, {});
  const { body: quantity, faults: quantityFaults } = readQuantity(form);
  const recurring = isRecurring(form)
    ? {
        interval: typed(form, "interval"),
        intervalCount: typedNumber(form, "intervalCount"),
        trialDays: typedNumber(form, "trialDays"),
        group: typedOrNull(form, "group"),
      }
    : {};
  const body = {
    key: typedOrNull(form, "key"),
    name: typed(form, "name"),
    description: typedOrNull(form, "description"),
    trialCard: typedOrNull(form, "trialCard") ?? "required",
    prices,
    benefitIds: chosenBenefits(form, []),
    metadata,
    ...quantity,
    ...recurring,
  };
  const faults = [...priceFaults, ...quantityFaults, ...metadataFaults];
  return parsedForm(CreateProductParams, body, { faults, mend: mend(form.fields) });
}

/** The changed fields of the form of a Product. @throws AppError `validation_failed` */
export function readProductChanges(form: Form, product: Product): UpdateProductParams {
  const { prices, faults: priceFaults } = readPrices(form.fields);
  const { metadata, faults: metadataFaults } = readMetadata(form, product.metadata);
  const { body: quantity, faults: quantityFaults } = readQuantity(form);
  const body = {
    name: typed(form, "name"),
    description: typedOrNull(form, "description"),
    prices,
    benefitIds: chosenBenefits(form, product.benefitIds),
    metadata,
    ...quantity,
  };
  const faults = [...priceFaults, ...quantityFaults, ...metadataFaults];
  return differing(
    parsedForm(UpdateProductParams, body, { faults, mend: mend(form.fields) }),
    presentProduct(product),
  ) as UpdateProductParams;
}

/** A Product as the fields of its form. */
export function productFields(product: Product): URLSearchParams {
  return new URLSearchParams([
    ["version", String(product.version)],
    ["name", product.name],
    ["description", product.description ?? ""],
    ...writtenPrices(product.prices),
    ...writtenQuantity(product),
    ...product.benefitIds.map((id): [string, string] => ["benefitIds", id]),
    ["metadata", writtenMetadata(product.metadata)],
  ]);
}

/** The first fields of a new Product that is the plan of another one with another period. */
export function siblingFields(product: Product): [string, string][] {
  const { name, description, interval, groupKey, benefitIds } = product;
  return [
    ["name", name],
    ["description", description ?? ""],
    ["interval", interval === "year" ? "month" : "year"],
    ["group", groupKey ?? ""],
    ...writtenQuantity(product),
    ...benefitIds.map((id): [string, string] => ["benefitIds", id]),
  ];
}

const wholeNumber = (form: Form, name: string, most: number): number | null => {
  const read = typedNumber(form, name);
  return Number.isInteger(read) && Number(read) > 0 && Number(read) <= most ? Number(read) : null;
};

/** The most units of a period, and days of a trial, that a picture shows. */
const MOST_SHOWN = 3650;

/**
 * The Product of a form as far as it is filled in, for a picture. `product`: the current Product; null: a new one is
 * made.
 */
export function picturedProduct(organization: Organization, form: Form, product: Product | null): Product {
  const interval = isRecurring(form) ? (INTERVALS.find((each) => each === typed(form, "interval")) ?? "month") : null;
  const fresh = {
    organizationId: organization.id,
    id: newId("prd"),
    key: null,
    groupKey: typedOrNull(form, "group"),
    interval,
    intervalCount: interval === null ? null : (wholeNumber(form, "intervalCount", MOST_SHOWN) ?? 1),
    trialDays: interval === null ? null : wholeNumber(form, "trialDays", MOST_SHOWN),
    trialCard: typed(form, "trialCard") === "optional" ? ("optional" as const) : ("required" as const),
    archived: false,
    metadata: {} as Metadata,
    syncAt: null,
    syncCursor: null,
    version: 0,
    eventSequence: 0,
    createdAt: organization.createdAt,
    updatedAt: organization.updatedAt,
  };
  return {
    ...(product ?? fresh),
    name: typed(form, "name") || "Name of the Product",
    description: typedOrNull(form, "description"),
    prices: validPrices(form.fields),
    benefitIds: chosenBenefits(form, product?.benefitIds ?? []),
    ...picturedQuantity(form),
  };
}

/** The Benefits of a Product among those of the form, in the Product's order. */
export function benefitsAmong(benefits: readonly Benefit[], ids: readonly string[]): Benefit[] {
  const known = new Map(benefits.map((each) => [each.id, each]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
