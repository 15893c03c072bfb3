import { createHash } from "node:crypto";
import type { Instant } from "../domain/calendar.ts";
import type { Buyer, InvoiceLine, RateTotal } from "../domain/model/invoice.ts";
import { soldUnitsOf } from "../domain/model/line-basis.ts";
import { titleOf, type LineTitle } from "../domain/model/line-title.ts";
import type { Locale } from "../domain/locale.ts";
import { accentColors } from "../domain/organization/accent.ts";
import { displayName, type Organization } from "../domain/model/organization.ts";
import { addressLines } from "../domain/tax/address-lines.ts";
import { sellerLinks, type SellerAddresses } from "../domain/organization/seller-links.ts";
import type { LineTax } from "../domain/tax/tax.ts";
import { partOf, taxNote, unitsAtPrice } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";

/** `url`: the page that the value names. */
export type Fact = { name: string; value: string; url?: string };
/** A seller or buyer, line by line. */
export type PartyBlock = { heading: string; name: string; lines: string[] };
/** `notes`: the period, a discount. `tax`: the rate; empty for a line without tax. */
export type DocumentLine = {
  description: string;
  notes: string[];
  quantity: string;
  unitPrice: string;
  tax: string;
  amount: string;
};
export type DocumentTotal = Fact & { strong: boolean };
/**
 * A payment or a refund. `how`: the card or the balance. `brand`: such as `visa`; null if the means is no card.
 * `note`: the failure of a refund. `document`: the credit note of a refund, with the address of its page.
 */
export type Movement = {
  date: string;
  how: string;
  brand: string | null;
  note: string | null;
  document: { title: string; url: string } | null;
  amount: string;
};

/** The contents of an invoice or credit note in words, for both PDF and page. Plain text in any script. */
export type BillingDocument = {
  /** The language of all its words, and of the words that PDF and page add. */
  locale: Locale;
  /** `Invoice` or `Credit note`. */
  kind: string;
  number: string;
  /** RFC 3339. */
  issuedAt: string;
  /** True for an Organization in which no real money moves. */
  sandbox: boolean;
  brand: { name: string; ground: string; text: string };
  status: { tone: "done" | "due" | "void"; text: string };
  facts: Fact[];
  seller: PartyBlock;
  buyer: PartyBlock;
  lines: DocumentLine[];
  totals: DocumentTotal[];
  movements: { heading: string; rows: Movement[] };
  notes: string[];
  /** Where the seller can be reached: support and website. */
  contacts: string[];
};

/** `organization`: the issuer. */
export type IssuedDocument = { document: BillingDocument; organization: Organization };

/** The part of the issuer that a document shows as it is now. */
export type Issuer = Pick<Organization, "name" | "mode" | "branding" | "timeZone"> & SellerAddresses;

/** The colours of a seller without a colour of its own: those of pages.css. */
const PLAIN = { ground: "#1f4fd8", text: "#1f4fd8" };

/** The parts that all documents of an Organization have in common. */
export function issuedBy(issuer: Issuer): Pick<BillingDocument, "brand" | "sandbox" | "contacts"> {
  const { accentColor } = issuer.branding;
  const { ground, text } = accentColor === null ? PLAIN : accentColors(accentColor.slice(1));
  const contacts = sellerLinks(issuer).filter(({ kind }) => kind !== "terms" && kind !== "privacy");
  return {
    brand: { name: displayName(issuer), ground, text },
    sandbox: issuer.mode === "sandbox",
    contacts: contacts.map(({ shown }) => shown),
  };
}

/** Writes amounts of one currency and dates of one time zone. Each value is formatted once: many lines are alike. */
export class Wording {
  readonly words: Words;
  readonly timeZone: string;
  readonly #currency: string;
  readonly #amounts = new Map<number, string>();
  readonly #days = new Map<Instant, string>();

  constructor(currency: string, timeZone: string, words: Words) {
    this.#currency = currency;
    this.timeZone = timeZone;
    this.words = words;
  }

  money(amount: number): string {
    return this.#amounts.getOrInsertComputed(amount, () => this.words.money(amount, this.#currency));
  }

  /** The number of units of a line. */
  count(quantity: number): string {
    return new Intl.NumberFormat(this.words.locale).format(quantity);
  }

  line(line: InvoiceLine): string {
    return lineDescription(this.words, titleOf(line), line.description, this.#currency);
  }

  day(at: Instant): string {
    return this.#days.getOrInsertComputed(at, () => this.words.day(at, this.timeZone));
  }

  /** From the first day to the day on which the next period begins. Empty without a period. */
  span(start: Instant | null, end: Instant | null): string[] {
    if (start === null || end === null) return [];
    return [this.words.document.span({ start: this.day(start), end: this.day(end) })];
  }
}

/** The company comes first, then the person. A party without either is shown by its e-mail address. */
function partyBlock(words: Words, heading: string, party: Buyer, taxLine: string[]): PartyBlock {
  const { name, companyName = null, email, address } = party;
  const [first = "", ...others] = [companyName, name, email].filter((line) => line !== null);
  const addressText = address ? [...addressLines(address), words.country(address.country)] : [];
  return { heading, name: first, lines: [...others, ...addressText, ...taxLine] };
}

export function sellerBlock(words: Words, heading: string, seller: Buyer): PartyBlock {
  const { taxId } = seller;
  // In Japanese, the seller's number has a name of its own only if the number is a Japanese one.
  const line = taxId?.type.startsWith("jp_") ? words.document.sellerTaxId : words.document.taxId;
  return partyBlock(words, heading, seller, taxId ? [line({ value: taxId.value })] : []);
}

/** The addressee of a document. A letter in Japanese names no company and no person without a title of respect. */
export function buyerBlock(words: Words, heading: string, buyer: Buyer): PartyBlock {
  const { company, person, taxId: taxLine } = words.document;
  const { name, companyName = null, taxId } = buyer;
  const addressed = {
    ...buyer,
    companyName: companyName === null ? null : company({ name: companyName }),
    name: name === null ? null : person({ name }),
  };
  return partyBlock(words, heading, addressed, taxId ? [taxLine({ value: taxId.value })] : []);
}

/** `stored`: the English description in `currency`, for a line that is older than the facts of its title. */
export function lineDescription(words: Words, title: LineTitle | null, stored: string, currency: string): string {
  if (title === null) return stored;
  const { document } = words;
  const { productName, part, toCancellation, units } = title;
  const product =
    units === null
      ? productName
      : document.units({ product: productName, units: unitsAtPrice(words, units, currency) });
  const line = part === "whole" ? product : document[part]({ product });
  return toCancellation ? document.toCancellation({ line }) : line;
}

/** `Discount −US$5.00, for 3 of 12 months`; empty without a discount. */
function discountNote({ discountAmount, basis }: InvoiceLine, wording: Wording): string[] {
  if (discountAmount === 0) return [];
  const { words, timeZone } = wording;
  const { discount, discountPart } = words.document;
  const amount = wording.money(-discountAmount);
  const part = basis?.kind === "period" ? basis.discount?.part : undefined;
  return [part ? discountPart({ amount, part: partOf(words, part, timeZone) }) : discount({ amount })];
}

/** A rate in the column of the tax. The name of the tax is beside its total. */
function rateInWords(
  { document, percent }: Words,
  { basisPoints, inclusive, reverseCharge }: Pick<LineTax, "basisPoints" | "inclusive" | "reverseCharge">,
): string {
  if (reverseCharge) return document.reverseCharge;
  return inclusive ? document.rateIncluded({ percent: percent(basisPoints) }) : percent(basisPoints);
}

/**
 * The columns of quantity and unit price, which always multiply to the amount before discount. A line of a part of a
 * period, and a price without its contained tax, are no whole price times the quantity, so the columns say 1. The
 * description has the units in every case (rule Q5).
 */
function unitColumns({ amount, basis }: InvoiceLine, wording: Wording): Pick<DocumentLine, "quantity" | "unitPrice"> {
  const { quantity, unitAmount } = soldUnitsOf(basis);
  const isWhole = basis?.kind === "period" && unitAmount !== null && unitAmount * quantity === amount;
  const [count, price] = isWhole ? [quantity, unitAmount] : [1, amount];
  return { quantity: wording.count(count), unitPrice: wording.money(price) };
}

export function documentLine(line: InvoiceLine, wording: Wording): DocumentLine {
  const { amount, periodStart, periodEnd, tax } = line;
  return {
    description: wording.line(line),
    notes: [...wording.span(periodStart, periodEnd), ...discountNote(line, wording)],
    ...unitColumns(line, wording),
    tax: tax ? rateInWords(wording.words, tax) : "",
    amount: wording.money(amount),
  };
}

function taxRow(
  { name, basisPoints, reverseCharge, inclusive, taxableAmount, taxAmount }: RateTotal,
  wording: Wording,
) {
  const { document, percent } = wording.words;
  const said = { tax: name, amount: wording.money(taxableAmount) };
  const rate = { ...said, percent: percent(basisPoints) };
  const row = reverseCharge ? document.taxReversed(said) : (inclusive ? document.taxInside : document.taxOn)(rate);
  return { name: row, value: wording.money(taxAmount), strong: false };
}

type Sums = { subtotalAmount: number; discountAmount: number; totalAmount: number; taxes: readonly RateTotal[] };

/**
 * The rows from the subtotal to the total, with the tax of each rate: above the total if the tax comes on top, below
 * if it is included.
 */
export function totalRows(
  { subtotalAmount, discountAmount, totalAmount, taxes }: Sums,
  wording: Wording,
): DocumentTotal[] {
  const { document } = wording.words;
  const row = (name: string, amount: number) => ({ name, value: wording.money(amount), strong: false });
  const rows = (inclusive: boolean) =>
    taxes.filter((tax) => tax.inclusive === inclusive).map((tax) => taxRow(tax, wording));
  return [
    row(document.subtotal, subtotalAmount),
    ...(discountAmount === 0 ? [] : [row(document.discounts, -discountAmount)]),
    ...rows(false),
    { ...row(document.total, totalAmount), strong: true },
    ...rows(true),
  ];
}

/** The note on reverse charge, as a list of none or one. */
export function taxNotes(words: Words, lines: readonly Pick<InvoiceLine, "tax">[]): string[] {
  const note = taxNote(
    words,
    lines.map(({ tax }) => tax),
  );
  return note === null ? [] : [note];
}

export const titleOfDocument = ({ kind, number }: Pick<BillingDocument, "kind" | "number">) => `${kind} ${number}`;

/** The same words have the same digest. `version`: the version of the code that draws the document. */
export function documentDigest(document: BillingDocument, version: string): string {
  return createHash("sha256").update(version).update(JSON.stringify(document)).digest("base64url");
}

export const documentETag = (document: BillingDocument, version: string): string =>
  `"${documentDigest(document, version)}"`;

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
    "Content-Language": document.locale,
    ETag: documentETag(document, version),
  };
}

/** The note on a refund to a card that failed late. `card`: its name; null: there is none. */
export function failureOf(card: string | null, failedAt: Instant, wording: Wording): string {
  const { refundFailed, refundToCardFailed } = wording.words.document;
  const day = wording.day(failedAt);
  return card === null ? refundToCardFailed({ day }) : refundFailed({ card, day });
}
