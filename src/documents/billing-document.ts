import { createHash } from "node:crypto";
import { formatDate, parseInstant } from "../domain/calendar.ts";
import { formatMoney } from "../domain/currency.ts";
import { partInWords } from "../domain/discount/discount.ts";
import type { Organization } from "../domain/organization/organization.ts";
import { addressLines } from "../domain/tax/address-lines.ts";
import { countryName } from "../domain/tax/country.ts";
import { percent } from "../domain/words.ts";
import type { InvoiceResource } from "../resources/invoice.ts";

export type Fact = { name: string; value: string };
/** A seller or buyer, line by line. */
export type PartyBlock = { heading: string; name: string; lines: string[] };
/** `notes`: the period, a discount, the tax rate. */
export type DocumentLine = { description: string; notes: string[]; amount: string };
export type DocumentTotal = Fact & { strong: boolean };
/** A payment or a refund. `how` names the card or the balance; `note` names the credit note of a refund. */
export type Movement = { date: string; how: string; note: string | null; amount: string };

/** The contents of an invoice or credit note in words, for both PDF and page. Plain text in any script. */
export type BillingDocument = {
  kind: "Invoice" | "Credit note";
  number: string;
  /** RFC 3339. */
  issuedAt: string;
  /** True for an Organization in which no real money moves. */
  sandbox: boolean;
  status: { tone: "done" | "due" | "void"; text: string };
  facts: Fact[];
  seller: PartyBlock;
  buyer: PartyBlock;
  lines: DocumentLine[];
  totals: DocumentTotal[];
  movements: { heading: string; rows: Movement[] };
  notes: string[];
};

/** `organization`: the issuer. */
export type IssuedDocument = { document: BillingDocument; organization: Organization };

type Party = InvoiceResource["seller"] & Partial<Pick<InvoiceResource["buyer"], "companyName">>;
type TaxTotal = Pick<
  InvoiceResource["taxes"][number],
  "name" | "basisPoints" | "inclusive" | "reverseCharge" | "taxableAmount" | "taxAmount"
>;
type PlainLine = Pick<
  InvoiceResource["lines"][number],
  "description" | "amount" | "discountAmount" | "discountedPart" | "taxRate" | "periodStart" | "periodEnd"
>;

/** Writes amounts of one currency and dates of one time zone. Each value is formatted once: many lines are alike. */
export class Wording {
  readonly #currency: string;
  readonly #timeZone: string;
  readonly #amounts = new Map<number, string>();
  readonly #days = new Map<string, string>();

  constructor(currency: string, timeZone: string) {
    this.#currency = currency;
    this.#timeZone = timeZone;
  }

  /**
   * Money as the pages write it, so that `US$` and `CN¥` name the currency. Plain spaces: lines don't break there.
   */
  money(amount: number): string {
    return this.#amounts.getOrInsertComputed(amount, () =>
      formatMoney(amount, this.#currency).replaceAll("\u00a0", " "),
    );
  }

  /** The date of an RFC 3339 instant: `1 March 2026`. */
  day(at: string): string {
    return this.#days.getOrInsertComputed(at, () => formatDate(parseInstant(at)!, this.#timeZone));
  }

  /** The part of a period that a discount covers: `, for 3 of 12 months`; empty for the whole period. */
  part(part: PlainLine["discountedPart"]): string {
    if (part === null) return "";
    const [start, until, end] = [parseInstant(part.start)!, parseInstant(part.until)!, parseInstant(part.end)!];
    return `, ${partInWords({ start, until, end }, this.#timeZone)}`;
  }

  /** From the first day to the day on which the next period begins. Empty without a period. */
  span(start: string | null, end: string | null): string[] {
    return start === null || end === null ? [] : [`${this.day(start)} – ${this.day(end)}`];
  }
}

/** The company comes first, then the person. A party without either is shown by its e-mail address. */
export function partyBlock(heading: string, { name, companyName = null, email, address, taxId }: Party): PartyBlock {
  const [first = "", ...others] = [companyName, name, email].filter((line) => line !== null);
  const lines = [
    ...others,
    ...(address ? [...addressLines(address), countryName(address.country)] : []),
    ...(taxId ? [`Tax ID: ${taxId.value}`] : []),
  ];
  return { heading, name: first, lines };
}

export function documentLine(line: PlainLine, wording: Wording): DocumentLine {
  const { description, amount, discountAmount, discountedPart, taxRate, periodStart, periodEnd } = line;
  const tax =
    taxRate &&
    (taxRate.reverseCharge ? "reverse charge" : percent(taxRate.basisPoints) + (taxRate.inclusive ? " included" : ""));
  const notes = [
    ...wording.span(periodStart, periodEnd),
    ...(discountAmount === 0 ? [] : [`Discount ${wording.money(-discountAmount)}${wording.part(discountedPart)}`]),
    ...(taxRate ? [`${taxRate.name} ${tax}`] : []),
  ];
  return { description, notes, amount: wording.money(amount) };
}

function taxRow(
  { name, basisPoints, reverseCharge, taxableAmount, taxAmount }: TaxTotal,
  wording: Wording,
): Omit<DocumentTotal, "strong"> {
  const rate = reverseCharge ? `${name}, reverse charge,` : `${name} ${percent(basisPoints)}`;
  return { name: `${rate} on ${wording.money(taxableAmount)}`, value: wording.money(taxAmount) };
}

type Sums = Pick<InvoiceResource, "subtotalAmount" | "discountAmount" | "totalAmount"> & { taxes: readonly TaxTotal[] };

/**
 * The rows from the subtotal to the total, with the tax of each rate: above the total if the tax comes on top, below
 * if it is included.
 */
export function totalRows(
  { subtotalAmount, discountAmount, totalAmount, taxes }: Sums,
  wording: Wording,
): DocumentTotal[] {
  const onTop = taxes.filter((tax) => !tax.inclusive);
  const inside = taxes.filter((tax) => tax.inclusive);
  const row = (name: string, amount: number) => ({ name, value: wording.money(amount), strong: false });
  return [
    row("Subtotal", subtotalAmount),
    ...(discountAmount === 0 ? [] : [row("Discount", -discountAmount)]),
    ...onTop.map((tax) => ({ ...taxRow(tax, wording), strong: false })),
    { ...row("Total", totalAmount), strong: true },
    ...inside.map((tax) => {
      const { name, value } = taxRow(tax, wording);
      return { name: `of which ${name}`, value, strong: false };
    }),
  ];
}

/** The same words give the same ETag. `version`: the version of the code that draws the document. */
export function documentETag(document: BillingDocument, version: string): string {
  return `"${createHash("sha256").update(version).update(JSON.stringify(document)).digest("base64url")}"`;
}

/** Needs no escaping: the number of an invoice or credit note has only letters, digits and hyphens. */
export function fileName({ number }: BillingDocument): string {
  return `${number}.pdf`;
}

/**
 * The headers of a PDF. A browser shows the PDF, and saves it under the document's number. `version`: the version of
 * the code that draws the PDF.
 */
export function pdfHeaders(document: BillingDocument, version: string) {
  return {
    "Content-Type": "application/pdf",
    "Content-Disposition": `inline; filename="${fileName(document)}"`,
    ETag: documentETag(document, version),
  };
}

/** The note on a refund to a card that failed late. */
export const failureOf = (card: string, failedAt: string, wording: Wording): string =>
  `The refund to ${card} failed on ${wording.day(failedAt)}`;
