import * as z from "zod";
import { formatInstant, parseInstant, type Instant, type Interval } from "../domain/calendar.ts";
import { COUNTRIES, isCountry } from "../domain/tax/country.ts";
import { CURRENCIES, isCurrency } from "../domain/currency.ts";
import { MAX_AMOUNT } from "../domain/money.ts";
import { canonicalLocale, isLocale, LOCALE_PATTERN } from "../domain/locale.ts";
import type { CardSnapshot } from "../domain/model/payment.ts";
import type { TaxId } from "../domain/tax/tax-id.ts";
import { checkTaxId, TAX_ID_VERIFICATIONS } from "../domain/tax/tax-id.ts";
import { idPattern, type IdPrefix } from "../ids.ts";
import { LINE, LINE_OR_EMPTY, LINES, NAME, oneOfWords } from "./patterns.ts";

// E-mail addresses that look valid; no mail is sent to check them. Letters of any script are allowed (RFC 6531).
export const EMAIL =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]{1,64}@[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)+$/u;
// Invisible characters make one address look like another, or change the direction of text. U+FFFD stands for lost
// bytes.
export const UNSEEN = /[\p{Cf}\uFFFD]/u;
const KEY = /^[a-z0-9_-]{1,64}$/;

export const INTERVALS = ["day", "week", "month", "year"] as const satisfies readonly Interval[];

/**
 * The result of a failed check: a stable code and a message. `among`: the possible values, of which a similar one is
 * added to the message.
 */
export function fault(code: string, message: string, among: readonly string[] = []) {
  return { error: message, params: { code, among } };
}

/** The faults of bodies and queries that name a Customer or a Product twice, or not at all. */
export const ONE_CUSTOMER = {
  path: ["customerId"],
  ...fault("one_customer", "Name the Customer by exactly one of `customerId` and `externalCustomerId`."),
};
export const ONE_PRODUCT = {
  path: ["productId"],
  ...fault("one_product", "Name the Product by exactly one of `productId` and `productKey`."),
};

/** As `fault`, for a check that adds its own issues. `path` leads from the checked value to the wrong one. */
export function issue(code: string, message: string, path: (string | number)[] = []) {
  return { code: "custom" as const, path, message, params: { code } };
}

/** At most `max` characters (Unicode code points, before trimming), as JSON Schema counts them. */
export function atMost(max: number) {
  return (value: string, check: z.RefinementCtx<string>) => {
    if (value.length <= max || (value.length <= 2 * max && [...value].length <= max)) return;
    check.addIssue({ code: "too_big", origin: "string", maximum: max, inclusive: true, input: value });
  };
}

function trimmed(max: number, least: 0 | 1, pattern: string, message: string) {
  const regex = new RegExp(pattern);
  return z
    .string()
    .superRefine(atMost(max))
    .trim()
    .min(least)
    .refine((value) => value === "" || (regex.test(value) && value.isWellFormed()), fault("invalid_format", message))
    .meta({ minLength: least, maxLength: max, pattern });
}

/** A line of text, trimmed, not empty, of at most `max` characters. */
export function text(max: number) {
  return trimmed(max, 1, LINE, "Control characters are not allowed.");
}

/** Like `text`, with line breaks and tabs allowed. */
export function multiline(max: number) {
  return trimmed(max, 1, LINES, "Control characters other than line breaks and tabs are not allowed.");
}

/** A field that may be left out or null. Both mean the same. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null as never);
}

export const email = z
  .string()
  .superRefine(atMost(320))
  .trim()
  .refine((value) => EMAIL.test(value) && !UNSEEN.test(value), fault("invalid_email", "This is not an e-mail address."))
  .meta({
    format: "idn-email",
    maxLength: 320,
    description:
      "At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script.",
  });

/** The caller's own name of a Product or Benefit. */
export const key = z.string().trim().regex(KEY, "A key is 1 to 64 of a-z, 0-9, _ and -.");

export const currency = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    isCurrency,
    fault("invalid_currency", "This is not an active ISO 4217 currency for payments, such as usd.", [
      ...CURRENCIES.keys(),
    ]),
  )
  .meta({ pattern: oneOfWords(CURRENCIES.keys()), description: "ISO 4217. Upper case is accepted too." });

export const country = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCountry, fault("invalid_country", "This is not an ISO 3166-1 alpha-2 country code."))
  .meta({ pattern: oneOfWords(COUNTRIES), description: "ISO 3166-1 alpha-2. Lower case is accepted too." });

export const locale = z
  .string()
  .trim()
  .refine(isLocale, fault("invalid_locale", "This is not a language tag. Send a tag such as de or en-GB."))
  .overwrite(canonicalLocale)
  .meta({ pattern: LOCALE_PATTERN, description: "A language tag (BCP 47) such as `de` or `en-GB`." });

export const addressParams = z.strictObject({
  country,
  line1: orNull(text(256)),
  line2: orNull(text(256)),
  postalCode: orNull(text(32)),
  city: orNull(text(128)),
  state: orNull(text(128)),
});

/** An example of a valid number for messages, by type. */
const TAX_ID_HINTS: Readonly<Record<string, string>> = {
  eu_vat: " and prefix, such as DE811569869",
  gb_vat: ", such as GB980780684",
};

/**
 * A tax id that fits its type, in its stored form (rule X3). If the type has no check, the tax id stays as it was
 * given.
 */
export const taxIdParams = z
  .strictObject({
    type: z
      .string()
      .trim()
      .regex(/^[a-z0-9_]{1,32}$/, "A type is 1 to 32 of a-z, 0-9 and _, such as eu_vat."),
    value: text(64).meta({
      description:
        "If there is a check for the type, the value is stored in upper case without spaces, dots and dashes.",
    }),
    verification: z.string().optional().meta({ description: "Ignored. A tax id can be sent as it was read." }),
  })
  .superRefine((given, check) => {
    if (checkTaxId(given).verification !== "failed") return;
    const wanted = `Check its digits${TAX_ID_HINTS[given.type] ?? ""}.`;
    check.addIssue(
      issue("invalid_tax_id", `This is not a valid number of the type ${given.type}. ${wanted}`, ["value"]),
    );
  })
  .overwrite((given) => checkTaxId(given).taxId);

/** Whole numbers beyond this limit are not exact. Finite numbers beyond it have no fraction. */
const MOST = Number.MAX_SAFE_INTEGER;
export const finite = z.number().min(-MOST).max(MOST);

const NO_CONTROL = "Control characters are not allowed.";
const metadataValue = z.union([trimmed(500, 0, LINE_OR_EMPTY, NO_CONTROL), finite, z.boolean()]);
const metadataKey = z
  .string()
  .superRefine(atMost(40))
  .regex(new RegExp(NAME), NO_CONTROL)
  .meta({ minLength: 1, maxLength: 40, pattern: NAME });

export const metadataParams = z
  .record(metadataKey, metadataValue)
  .refine((entries) => Object.keys(entries).length <= 50, fault("too_many_keys", "At most 50 keys are allowed."))
  .meta({
    maxProperties: 50,
    description: "At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans.",
  });

/** An absolute http(s) URL without credentials, kept as it was written. */
export const httpUrl = text(2048)
  .refine(isHttpUrl, fault("invalid_url", "This is not an absolute http or https URL without credentials."))
  .meta({ format: "uri" });

export function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** RFC 3339, read as an `Instant`. */
export const instantParam = z
  .string()
  .trim()
  .meta({ format: "date-time" })
  .transform((value, check): Instant => {
    const parsed = parseInstant(value);
    if (parsed !== null) return parsed;
    check.addIssue(issue("invalid_time", "This is not an RFC 3339 date-time such as 2026-01-31T00:00:00Z."));
    return z.NEVER;
  });

const AMOUNT = "a whole number in the currency's minor unit, such as 1999 cents for 19.99 usd.";

/** An amount of money in a request. A schema that describes the field has to name the unit, too. */
export function amountParam(least: number) {
  return z
    .int({
      error: ({ input }) => (input === undefined ? `This is missing: it must be ${AMOUNT}` : `This must be ${AMOUNT}`),
    })
    .min(least)
    .max(MAX_AMOUNT)
    .meta({ description: "In the currency's minor unit: 1999 is 19.99 usd, or 1999 jpy." });
}

// The fields of answers.

export function id(prefix: IdPrefix) {
  return z.string().regex(new RegExp(idPattern(prefix)));
}

export const timestamp = z.string().meta({ format: "date-time", description: "RFC 3339 in UTC with milliseconds." });
export const amount = z.int().meta({ description: "In the currency's minor unit (cents for usd)." });
export const currencyCode = z
  .string()
  .regex(/^[a-z]{3}$/)
  .meta({ description: "ISO 4217, lower case." });
export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: "ISO 3166-1 alpha-2, upper case." });
export const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export const address = z.object({
  country: countryCode,
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  postalCode: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
});
/** A tax id as it was when a document was made. */
export const partyTaxId = z.object({ type: z.string(), value: z.string() });
export const taxId = partyTaxId.extend({
  verification: z.enum(TAX_ID_VERIFICATIONS).meta({
    description:
      "`format`: format and check digits are right. `unsupported`: there is no check for this type. `failed`: " +
      "the value is wrong and " +
      "was stored before the check. Only `format` can lead to reverse charge. More values may be added.",
  }),
});

/** A stored tax id, verified now. */
export function presentTaxId(stored: TaxId | null): z.infer<typeof taxId> | null {
  return stored && { ...stored, verification: checkTaxId(stored).verification };
}
export const card = z.object({
  type: z.literal("card"),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
});

/** The fields of a card that may be shown, without the row's other columns. */
export function presentCard({ type, brand, last4, expMonth, expYear }: CardSnapshot): z.infer<typeof card> {
  return { type, brand, last4, expMonth, expYear };
}

export function time(at: Instant): string;
export function time(at: Instant | null): string | null;
export function time(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

/** A strong ETag (RFC 9110) of a row's version and of values in the representation that come from elsewhere. */
export function etag(version: number, ...derived: (string | false)[]): string {
  return `"${[version, ...derived.filter((mark) => mark !== false)].join("-")}"`;
}
