import type * as z from "zod";
import type { CheckoutField } from "../../../domain/model/checkout-field.ts";
import { newPaymentLink, type PaymentLink } from "../../../domain/model/payment-link.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Fault } from "../../../errors.ts";
import { CreatePaymentLinkParams, UpdatePaymentLinkParams } from "../../../resources/payment-link.ts";
import { differing, parsedForm, typedNumber } from "../form-values.ts";
import { typed, typedOrNull, type Sent } from "../sent-form.ts";
import { chosenIn } from "./link-order.ts";
import { readFields, writtenFields } from "./own-fields.ts";

type Form = Pick<Sent, "fields">;

export const [LEAST, MOST] = ["quantityChange.minimum", "quantityChange.maximum"] as const;
export const NAMES = [
  "name",
  "products",
  "currency",
  "quantity",
  LEAST,
  MOST,
  "discountCode",
  "allowDiscountCodes",
  "locale",
  "successUrl",
] as const;

/** Both limits empty: the quantity is fixed. One of them empty: the default of the API. */
function rangeIn(form: Form): object | null {
  const [minimum, maximum] = [LEAST, MOST].map((name) => typedNumber(form, name));
  const range = { ...(minimum !== null && { minimum }), ...(maximum !== null && { maximum }) };
  return Object.keys(range).length === 0 ? null : range;
}

function bodyOf(form: Form): object {
  return {
    name: typed(form, "name"),
    products: chosenIn(form).map((productId) => ({ productId })),
    currency: typedOrNull(form, "currency"),
    quantity: typedNumber(form, "quantity"),
    quantityChange: rangeIn(form),
    discountCode: typedOrNull(form, "discountCode"),
    allowDiscountCodes: typed(form, "allowDiscountCodes") !== "no",
    locale: typedOrNull(form, "locale"),
    successUrl: typedOrNull(form, "successUrl"),
  };
}

const mend = (each: Fault): Fault =>
  each.pointer === "/products" && each.code === "too_few" ? { ...each, message: "Choose at least one Product." } : each;

/** `current`: the own fields of the link so far. */
function readLink<Schema extends z.ZodType>(schema: Schema, form: Form, current: readonly CheckoutField[] | null) {
  const { fields, faults } = readFields(form, current);
  return parsedForm(schema, { ...bodyOf(form), fields }, { mend, faults });
}

/** The body of a POST from the form. @throws AppError `validation_failed` */
export const readNewLink = (form: Form): CreatePaymentLinkParams => readLink(CreatePaymentLinkParams, form, null);

/** The changed fields of the form of a link. @throws AppError `validation_failed` */
export function readLinkChanges(form: Form, link: PaymentLink): UpdatePaymentLinkParams {
  const body = readLink(UpdatePaymentLinkParams, form, link.fields);
  const current = { ...link, products: link.productIds.map((productId) => ({ productId, productKey: null })) };
  return differing(body, current) as UpdatePaymentLinkParams;
}

/** A link as the fields of its form. */
export function linkFields(link: PaymentLink): URLSearchParams {
  const { quantityChange: range } = link;
  return new URLSearchParams([
    ["version", String(link.version)],
    ["name", link.name],
    ...link.productIds.flatMap((id): [string, string][] => [
      ["products", id],
      ["order", id],
    ]),
    ["currency", link.currency ?? ""],
    ["quantity", String(link.quantity ?? "")],
    [LEAST, String(range?.minimum ?? "")],
    [MOST, String(range?.maximum ?? "")],
    ["discountCode", link.discountCode ?? ""],
    ["allowDiscountCodes", link.allowDiscountCodes ? "yes" : "no"],
    ["locale", link.locale ?? ""],
    ["successUrl", link.successUrl ?? ""],
    ...writtenFields(link.fields),
  ]);
}

/** The link of a form for a picture; null: the form has a fault, or no Product yet. */
export function picturedLink({ id }: Organization, form: Form, now: Instant): PaymentLink | null {
  const name = typedOrNull(form, "name") ?? "Name";
  const parsed = CreatePaymentLinkParams.safeParse({ ...bodyOf(form), name });
  if (!parsed.success) return null;
  const { products, ...terms } = parsed.data;
  return newPaymentLink(id, { ...terms, productIds: products.flatMap(({ productId }) => productId ?? []) }, now);
}
