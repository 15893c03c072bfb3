import { formatInstant, formatLocal, parseLocal, type Instant } from "../../../domain/calendar.ts";
import { newDiscount, type Discount } from "../../../domain/model/discount.ts";
import { isCurrency } from "../../../domain/currency.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Fault } from "../../../errors.ts";
import { CreateDiscountParams, UpdateDiscountParams } from "../../../resources/discount.ts";
import { typed, typedOrNull, type Sent } from "../sent-form.ts";
import { readAmount } from "../typed-values.ts";
import { differing, fault, parsedForm, typedNumber } from "../form-values.ts";

type Form = Pick<Sent, "fields">;

/** Basis points of a typed percentage such as 25 or 12.5; null: the field is empty, or has another text. */
function readPercent(text: string): number | null {
  const [, whole, decimals = ""] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + decimals.padEnd(2, "0"));
}

/** A typed time. A time that was not changed keeps its seconds. `before`: the present time. */
function readTime(form: Form, name: string, zone: string, before: Instant | null) {
  const text = typed(form, name);
  if (text === "") return { at: null, faults: [] };
  if (before !== null && formatLocal(before, zone) === text) return { at: formatInstant(before), faults: [] };
  const at = parseLocal(text, zone);
  return at === null
    ? { at: null, faults: [fault(name, "Enter a date and a time such as 2026-10-31T09:30.")] }
    : { at: formatInstant(at), faults: [] };
}

/** The reduction of the form. */
function readOff(form: Form): { body: object; faults: Fault[] } {
  if (form.fields.get("type") !== "fixed") {
    const basisPoints = readPercent(typed(form, "basisPoints"));
    const message = "Enter a percentage such as 25 or 12.5.";
    return {
      body: { type: "percentage", basisPoints },
      faults: basisPoints === null ? [fault("basisPoints", message)] : [],
    };
  }
  const currency = typed(form, "currency").toLowerCase();
  const read = isCurrency(currency) ? readAmount(typed(form, "amount"), currency) : { amount: null };
  const amount = "amount" in read ? read.amount : null;
  const message = "fault" in read ? read.fault : "Enter an amount such as 5.00.";
  return { body: { type: "fixed", amount, currency }, faults: amount === null ? [fault("amount", message)] : [] };
}

/** The API counts in basis points and minor units, and names its fields. This form does not. */
function mend(each: Fault): Fault {
  if (each.pointer === "/basisPoints") return { ...each, message: "A percentage is more than 0 and at most 100." };
  if (each.pointer === "/amount" && each.code === "too_small") return { ...each, message: "Enter an amount above 0." };
  if (each.pointer === "/months" && each.code === "months") return { ...each, message: "Enter the number of months." };
  return each.code === "not_after_start" ? { ...each, message: "The end must be later than the start." } : each;
}

function readLimits(form: Form, zone: string, current: Discount | null) {
  const starts = readTime(form, "startsAt", zone, current?.startsAt ?? null);
  const ends = readTime(form, "endsAt", zone, current?.endsAt ?? null);
  const body = {
    code: typed(form, "code"),
    maxRedemptions: typedNumber(form, "maxRedemptions"),
    startsAt: starts.at,
    endsAt: ends.at,
  };
  return { body, faults: [...starts.faults, ...ends.faults] };
}

/** The body of a POST from the form. @throws AppError `validation_failed` */
export function readNewDiscount(form: Form, { timeZone }: Organization): CreateDiscountParams {
  const limits = readLimits(form, timeZone, null);
  const off = readOff(form);
  const duration = typed(form, "duration");
  const productIds = [...new Set(form.fields.getAll("productIds"))];
  const body = {
    ...limits.body,
    ...off.body,
    duration,
    months: duration === "repeating" ? typedNumber(form, "months") : null,
    productIds: productIds.length === 0 ? null : productIds,
  };
  return parsedForm(CreateDiscountParams, body, { faults: [...off.faults, ...limits.faults], mend });
}

/** The changed fields of the form of a Discount. @throws AppError `validation_failed` */
export function readDiscountChanges(form: Form, { timeZone }: Organization, discount: Discount): UpdateDiscountParams {
  const { body, faults } = readLimits(form, timeZone, discount);
  return differing(parsedForm(UpdateDiscountParams, body, { faults, mend }), discount) as UpdateDiscountParams;
}

/** A Discount as the fields of its form. */
export function discountFields(discount: Discount, { timeZone }: Organization): URLSearchParams {
  const { version, code, maxRedemptions, startsAt, endsAt } = discount;
  return new URLSearchParams([
    ["version", String(version)],
    ["code", code],
    ["maxRedemptions", String(maxRedemptions ?? "")],
    ["startsAt", startsAt === null ? "" : formatLocal(startsAt, timeZone)],
    ["endsAt", endsAt === null ? "" : formatLocal(endsAt, timeZone)],
  ]);
}

const isMonths = (months: unknown): months is number =>
  Number.isInteger(months) && Number(months) > 0 && Number(months) <= 1200;

/** The Discount of a form for a picture; null: the reduction is not typed yet. Its dates and limits do not count. */
export function picturedDiscount(organization: Organization, form: Form, now: Instant): Discount | null {
  const off = readOff(form);
  if (off.faults.length > 0) return null;
  const duration = (["repeating", "forever"] as const).find((each) => each === typed(form, "duration"));
  const months = typedNumber(form, "months");
  const productIds = form.fields.getAll("productIds");
  const wanted = {
    basisPoints: null,
    amount: null,
    currency: null,
    ...(off.body as Pick<Discount, "type">),
    code: typedOrNull(form, "code") ?? "CODE",
    duration: duration ?? ("once" as const),
    months: duration === "repeating" ? (isMonths(months) ? months : 1) : null,
    productIds: productIds.length === 0 ? null : productIds,
    maxRedemptions: null,
    startsAt: null,
    endsAt: null,
  };
  return newDiscount(organization.id, wanted, now);
}
