import { html } from "hono/html";
import { createPlan, OtherRefused } from "../../../actions/catalogue/create-plan.ts";
import { createProduct } from "../../../actions/catalogue/products.ts";
import type { Origin } from "../../../actions/origin.ts";
import type { Context } from "../../../context.ts";
import { keysLike } from "../../../domain/catalogue/suggested-key.ts";
import type { Product } from "../../../domain/model/product.ts";
import { AppError, type Fault } from "../../../errors.ts";
import type { CreateProductParams } from "../../../resources/product.ts";
import type { Html } from "../../layout.ts";
import { checkField, OPTIONAL, textField } from "../fields.ts";
import { fault } from "../form-values.ts";
import { refusalOf, typed, type Sent } from "../sent-form.ts";
import { filledRows } from "./prices.ts";
import { readNewProduct } from "./product-values.ts";

type Form = Pick<Sent, "fields">;

/** The Products of the form: the plan as it is billed first, and the same plan by the year, if it is wanted. */
export type NewPlan = { params: CreateProductParams; yearly: CreateProductParams | null };

/** The fields of the plan by the year that show their own faults. */
export const YEARLY_NAMES = ["alsoYearly", "yearlyKey"] as const;

export const wantsYearly = ({ fields }: Form): boolean => fields.has("alsoYearly") && fields.get("sold") !== "once";

/** The box, and the key of the second Product. The prices of a year stand beside the other prices. */
export const yearlyFields = (sent: Sent): Html => html`${checkField(sent, "alsoYearly", {
  legend: "Another period",
  choices: [["yes", "Also sell by the year", "A second Product of the same plan, with its own prices below."]],
})}
<div class="only-yearly">
${textField(sent, "yearlyKey", {
  label: "Key of the Product by the year",
  mark: OPTIONAL,
  maxlength: 64,
  hint: "Left empty: the key of the Product with -year.",
})}
</div>`;

/** The form as that of the Product by the year. */
function yearlyForm(form: Form): Form {
  const fields = new URLSearchParams([...form.fields].filter(([name]) => !name.startsWith("prices.")));
  const key = typed(form, "key");
  const proposed = key === "" ? "" : keysLike(key, "year")[0]!;
  fields.set("key", typed(form, "yearlyKey") || proposed);
  fields.set("interval", "year");
  fields.set("intervalCount", "1");
  for (const [n, { currency, yearly }] of filledRows(form.fields).entries()) {
    fields.set(`prices.${n}.currency`, currency);
    fields.set(`prices.${n}.amount`, yearly);
  }
  return { fields };
}

/** A fault of the Product by the year, at the field of the form that is its own; null: both Products share the field. */
function atYearly(each: Fault): Fault[] {
  const [, n] = /^\/prices\/(\d+)\/amount$/.exec(each.pointer) ?? [];
  if (n !== undefined) return [{ ...each, pointer: `/prices/${n}/yearly` }];
  return each.pointer === "/key" ? [{ ...each, pointer: "/yearlyKey" }] : [];
}

/** The value, or the faults that were thrown. @throws every other error */
function readOrFaults<T>(read: () => T): { value: T } | { faults: readonly Fault[] } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof AppError && error.parts.errors) return { faults: error.parts.errors };
    throw error;
  }
}

/** The bodies of the POSTs from the form. @throws AppError `validation_failed` */
export function readNewPlan(form: Form): NewPlan {
  if (!wantsYearly(form)) return { params: readNewProduct(form), yearly: null };
  const first = readOrFaults(() => readNewProduct(form));
  const second = readOrFaults(() => readNewProduct(yearlyForm(form)));
  // Twelve months are a year, too: the plan would be made twice.
  const count = typed(form, "intervalCount") || "1";
  const isYear = ["1 year", "12 month"].includes(`${count} ${typed(form, "interval")}`);
  const errors = [
    ...("faults" in first ? first.faults : []),
    ...("faults" in second ? second.faults.flatMap(atYearly) : []),
    ...(isYear ? [fault("alsoYearly", "The Product is billed by the year already.")] : []),
  ];
  if ("faults" in first || "faults" in second || errors.length > 0) throw new AppError("validation_failed", { errors });
  if (first.value.key !== null && first.value.key === second.value.key)
    throw new AppError("validation_failed", { errors: [fault("yearlyKey", "Choose another key than the first one.")] });
  return { params: first.value, yearly: second.value };
}

/** Makes one Product, or both in one transaction. @throws Refusal, AppError with the faults of the second Product */
export async function createNewPlan(
  ctx: Context,
  origin: Origin<Product>,
  { params, yearly }: NewPlan,
  { by }: Sent["request"],
): Promise<Product> {
  if (yearly === null) return createProduct(ctx, origin, params);
  return createPlan(ctx, origin, { params, other: yearly, by }).catch((error: unknown): never => {
    if (!(error instanceof OtherRefused)) throw error;
    const { faults } = refusalOf(error.refusal);
    const errors = faults.flatMap(atYearly);
    throw errors.length > 0 ? new AppError("validation_failed", { errors }) : error.refusal;
  });
}
