import { describe, expect, test } from "vitest";
import type { Instant } from "../domain/calendar.ts";
import type { Invoice, InvoiceLine } from "../domain/model/invoice.ts";
import type { LineBasis } from "../domain/model/line-basis.ts";
import type { LineTax } from "../domain/tax/tax.ts";
import { LANGUAGES } from "../domain/locale.ts";
import { wordsFor } from "../texts/words.ts";
import { invoiceWith, lineWith } from "../../test/support/customer-billing.ts";
import { organizationWith } from "../../test/support/organization.ts";
import { at } from "../../test/support/subscription.ts";
import type { BillingDocument } from "./billing-document.ts";
import { creditNoteDocument } from "./credit-note.ts";
import { invoiceDocument, type InvoiceToShow } from "./invoice.ts";

const [PAID, VOID, LATE] = [at("2025-06-16"), at("2025-06-20"), at("2025-08-05")];
const VISA = {
  method: { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2040 },
  settledAt: PAID,
} as const;
const VAT: LineTax = {
  country: "DE",
  region: null,
  basisPoints: 1900,
  inclusive: false,
  name: "USt",
  reverseCharge: false,
};

/** Spaces of any width and kind count as spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("\u2060", "");
const ISSUER = organizationWith({
  mode: "live",
  branding: { displayName: "Acme", accentColor: "#ffd400", logoUrl: null },
});

function shown(locale: string, invoice: Partial<Invoice>, others: Partial<InvoiceToShow> = {}): BillingDocument {
  const lines = others.lines ?? [lineWith()];
  return invoiceDocument({
    invoice: invoiceWith(invoice),
    lines,
    charge: null,
    refunds: [],
    issuer: ISSUER,
    words: wordsFor(locale),
    ...others,
  });
}

describe("the lines of an invoice", () => {
  const rest = { rate: 1000, from: PAID, periodStart: at("2025-06-01"), periodEnd: at("2025-07-01") };
  const whole: LineBasis = { kind: "period", price: 1000, discount: null };
  const credit: LineBasis = { kind: "credit", ...rest };
  const debit: LineBasis = { kind: "debit", ...rest };
  const passed = (of: LineBasis | null): LineBasis => {
    return { kind: "passed", amount: 1000, from: PAID, until: VOID, periodEnd: rest.periodEnd, of };
  };
  const OLD = { description: "Old, as it was described", basis: null };
  const ALL: readonly Partial<InvoiceLine>[] = [
    { basis: whole },
    { basis: credit, amount: -500 },
    { basis: debit },
    { basis: passed(credit), amount: -200 },
    { basis: passed(debit) },
    OLD,
    { ...OLD, productName: null, basis: whole },
    { ...OLD, basis: passed(null) },
  ];

  test.each([
    ["en-GB", ", unused rest of the period", ", rest of the period", " up to the cancellation", "−US$5.00"],
    ["de", ", ungenutzter Rest des Zeitraums", ", restlicher Zeitraum", ", bis zur Kündigung", "−5,00 $"],
    ["fr", ", reste de la période non utilisé", ", reste de la période", ", jusqu’à la résiliation", "−5,00 $US"],
    ["es", ", resto no utilizado del periodo", ", resto del periodo", ", hasta la cancelación", "−5,00 US$"],
    ["ja", "（未使用期間分）", "（残り期間分）", "（解約日まで）", "−$5.00"],
  ])("in %s", (locale, unused, left, until, credited) => {
    const { lines } = shown(locale, {}, { lines: ALL.map((line) => lineWith({ productName: "Pro", ...line })) });
    expect(lines.map(({ description }) => description)).toEqual([
      "Pro",
      `Pro${unused}`,
      `Pro${left}`,
      `Pro${unused}${until}`,
      `Pro${left}${until}`,
      ...Array.from({ length: 3 }, () => OLD.description),
    ]);
    expect([lines[1]!.quantity, plain(lines[1]!.unitPrice), plain(lines[1]!.amount)]).toEqual([
      "1",
      credited,
      credited,
    ]);
  });

  test.each([
    ["en-GB", "Pro, 5 seats × US$12.00", ", rest of the period", ["5", "US$12.00", "US$60.00"], "1,000 × US$0.06"],
    ["de", "Pro, 5 Plätze × 12,00 $", ", restlicher Zeitraum", ["5", "12,00 $", "60,00 $"], "1.000 × 0,06 $"],
    ["fr", "Pro, 5 seats × 12,00 $US", ", reste de la période", ["5", "12,00 $US", "60,00 $US"], "1 000 × 0,06 $US"],
    ["es", "Pro, 5 seats × 12,00 US$", ", resto del periodo", ["5", "12,00 US$", "60,00 US$"], "1000 × 0,06 US$"],
    ["ja", "Pro、$12.00 × 5席", "（残り期間分）", ["5", "$12.00", "$60.00"], "$0.06 × 1,000"],
  ])("of several units in %s (rules Q2, Q5)", (locale, units, left, columns, unnamed) => {
    const unitName = {
      en: { one: "seat", other: "seats" },
      de: { one: "Platz", other: "Plätze" },
      ja: { one: "席", other: "席" },
    };
    const sold = { quantity: 5, unitName, price: 6000 };
    const lines = [
      { basis: { ...whole, ...sold }, amount: 6000 },
      { basis: { ...debit, ...sold }, amount: 3000 },
      { basis: { ...whole, quantity: 1000, price: 6000 }, amount: 6000 },
      // A price without its contained tax is no whole price times the quantity.
      { basis: { ...whole, ...sold }, amount: 5042 },
    ].map((line) => lineWith({ productName: "Pro", ...line }));
    const rows = shown(locale, {}, { lines }).lines;
    const [full, part, many, taxed] = rows.map(({ description }) => plain(description));
    expect([full, part, taxed]).toEqual([units, `${units}${left}`, units]);
    expect(many).toContain(unnamed);
    const columnsOf = (n: number) => [rows[n]!.quantity, plain(rows[n]!.unitPrice), plain(rows[n]!.amount)];
    expect(columnsOf(0)).toEqual(columns);
    for (const n of [1, 3]) expect([columnsOf(n)[0], columnsOf(n)[1]]).toEqual(["1", columnsOf(n)[2]]);
  });

  test.each([
    [
      "en-GB",
      "1 June 2025 – 1 July 2025",
      "Discount −US$2.50, for 3 of 12 months",
      "19%",
      "incl. 19%",
      "Reverse charge",
    ],
    [
      "de",
      "1. Juni 2025 – 1. Juli 2025",
      "Rabatt −2,50 $, für 3 von 12 Monaten",
      "19 %",
      "inkl. 19 %",
      "Reverse Charge",
    ],
    [
      "fr",
      "du 1er juin 2025 au 1er juillet 2025",
      "Remise −2,50 $US, pour 3 mois sur 12",
      "19 %",
      "19 % incluse",
      "Autoliquidation",
    ],
    [
      "es",
      "del 1 de junio de 2025 al 1 de julio de 2025",
      "Descuento −2,50 US$, en 3 de 12 meses",
      "19 %",
      "19 % incluido",
      "Inversión del sujeto pasivo",
    ],
    [
      "ja",
      "2025年6月1日～2025年7月1日",
      "割引 −$2.50（12か月のうち3か月分）",
      "19%",
      "19%（内税）",
      "リバースチャージ",
    ],
  ])("in %s, with their period, discount and tax", (locale, period, discounted, rate, included, reversed) => {
    const part = { start: at("2025-06-01"), until: at("2025-09-01"), end: at("2026-06-01") };
    const discount = { code: "A", type: "fixed", basisPoints: null, amount: 250, part } as const;
    const off = lineWith({ basis: { kind: "period", price: 1000, discount }, discountAmount: 250, tax: VAT });
    const lines = [
      off,
      ...[{ inclusive: true }, { reverseCharge: true }].map((tax) => lineWith({ tax: { ...VAT, ...tax } })),
    ];
    const document = shown(locale, {}, { lines });
    expect(document.lines[0]!.notes.map(plain)).toEqual([period, discounted]);
    expect(document.lines.map(({ tax }) => plain(tax))).toEqual([rate, included, reversed]);
    expect(plain(document.facts.at(-1)!.value)).toBe(period);
  });
});

const STATES: readonly Partial<Invoice>[] = [
  { status: "open", amountDue: 1000, nextAttemptAt: LATE },
  { status: "paid", paidAt: PAID },
  { status: "void", voidedAt: VOID },
];

test.each<[locale: string, open: string[], paid: string, gone: string[]]>([
  [
    "en-GB",
    ["US$10.00 due", "The next payment attempt is on 5 August 2025."],
    "Paid on 16 June 2025",
    ["Voided on 20 June 2025", "This invoice is void. No payment is due."],
  ],
  [
    "de",
    ["10,00 $ offen", "Der nächste Abbuchungsversuch für diese Rechnung ist am 5. August 2025."],
    "Bezahlt am 16. Juni 2025",
    ["Storniert am 20. Juni 2025", "Diese Rechnung ist storniert: Es ist nichts zu bezahlen."],
  ],
  [
    "fr",
    ["10,00 $US à payer", "La prochaine tentative de paiement de cette facture aura lieu le 5 août 2025."],
    "Payée le 16 juin 2025",
    ["Annulée le 20 juin 2025", "Cette facture est annulée : aucun paiement n’est dû."],
  ],
  [
    "es",
    ["10,00 US$ pendientes de pago", "El próximo intento de cobro de esta factura será el 5 de agosto de 2025."],
    "Pagada el 16 de junio de 2025",
    ["Anulada el 20 de junio de 2025", "Esta factura está anulada: no hay nada que pagar."],
  ],
  [
    "ja",
    ["ご請求額 $10.00", "この請求書の次回のお支払い処理は2025年8月5日に行われます。"],
    "2025年6月16日にお支払い済み",
    ["2025年6月20日に無効になりました", "この請求書は無効です。お支払いの必要はありません。"],
  ],
])("the states of an invoice in %s", (locale, open, paid, gone) => {
  const said = STATES.map((invoice) => {
    const { status, notes } = shown(locale, invoice);
    return [status.text, ...notes].map(plain);
  });
  expect(said).toEqual([open, [paid], gone]);
});

describe.each(LANGUAGES)("in %s", (language) => {
  const words = wordsFor(language);
  const { document, money, day } = words;
  const note = { number: "INV-1-CN0001", seller: invoiceWith().seller, totalAmount: 300, createdAt: VOID };
  const refund = (to: "card" | "balance", failedAt: Instant | null = null) => {
    return { to, failedAt, creditNote: note, url: "https://billow.test/credit-notes/1" };
  };
  const paid = { status: "paid", amountPaid: 700, paidAt: PAID, balanceApplied: 300, refundedAmount: 300 } as const;

  test("payments and refunds name the card or the balance, and the credit note", () => {
    const refunds = [refund("card"), refund("balance"), refund("card", LATE)];
    const { movements, totals } = shown(language, paid, { charge: VISA, refunds });
    const card = "Visa\u00a0••••\u00a04242";
    expect(movements.rows.map(({ how }) => how)).toEqual([
      document.balance,
      card,
      document.refundToCard({ card }),
      document.refundToBalance,
      document.refundToBalance,
    ]);
    expect(movements.rows.map(({ date }) => date).slice(1, 3)).toEqual([day(PAID, "UTC"), day(VOID, "UTC")]);
    expect(movements.rows.map(({ note: failure }) => failure)).toEqual([
      ...Array.from({ length: 4 }, () => null),
      document.refundFailed({ card, day: day(LATE, "UTC") }),
    ]);
    expect(movements.rows[2]!.document).toEqual({
      title: `${document.creditNote} INV-1-CN0001`,
      url: "https://billow.test/credit-notes/1",
    });
    expect(totals.map(({ name }) => name)).toEqual([
      document.subtotal,
      document.total,
      document.fromBalance,
      document.amountPaid,
      document.refunded,
    ]);
  });

  test("money from outside has a name of its own, and so has a card that is not known", () => {
    const { movements } = shown(language, paid, { refunds: [refund("card"), refund("card", LATE)] });
    expect(movements.rows.map(({ how }) => how)).toEqual([
      document.balance,
      document.otherMeans,
      document.refundToTheCard,
      document.refundToBalance,
    ]);
    expect(movements.rows[3]!.note).toBe(document.refundToCardFailed({ day: day(LATE, "UTC") }));
  });

  test.each([
    [{ totalAmount: -500, balanceApplied: -500 }, [lineWith({ amount: -500 })], "toBalance"],
    [{ balanceApplied: -200 }, [lineWith()], "owed"],
    [{ balanceApplied: -200 }, [lineWith(), lineWith({ amount: -1 })], "balance"],
  ] as const)("the balance's part of %j is named", (invoice, lines, name) => {
    expect(shown(language, invoice, { lines }).totals.map((row) => row.name)).toContain(document[name]);
  });

  test("each tax has a row and, with reverse charge, a note", () => {
    const rates = [VAT, { ...VAT, inclusive: true }, { ...VAT, reverseCharge: true }];
    const lines = rates.map((tax) => lineWith({ tax, taxAmount: tax.reverseCharge ? 0 : 190 }));
    const { totals, notes } = shown(language, {}, { lines });
    const [on, inside] = [1000, 810].map((amount) => {
      return { tax: "USt", percent: words.percent(1900), amount: money(amount, "usd") };
    });
    expect(totals.map(({ name }) => name).slice(1, 5)).toEqual([
      document.taxOn(on!),
      document.taxReversed({ tax: "USt", amount: money(1000, "usd") }),
      document.total,
      document.taxInside(inside!),
    ]);
    expect(notes).toEqual([words.terms.reverseCharge]);
  });

  test("a credit note has the lines of its invoice", () => {
    const line = lineWith({
      productName: "Pro",
      basis: { kind: "period", price: 1000, discount: null },
      tax: VAT,
      taxAmount: 190,
    });
    const noted = { ...line, invoiceLineId: line.id, amount: 500, taxAmount: 95 };
    const { id, seller, buyer, organizationId, customerId } = invoiceWith();
    const shownNote = creditNoteDocument({
      invoiceUrl: "https://billing.example/invoices/inv_1/s",
      creditNote: {
        organizationId,
        customerId,
        seller,
        buyer,
        id: "crn_1",
        number: "INV-1-CN0001",
        invoiceId: id,
        invoiceNumber: "INV-1-0001",
        refundId: "rfd_1",
        currency: "usd",
        locale: language,
        lines: [noted],
        subtotalAmount: 500,
        taxAmount: 95,
        taxIncludedAmount: 0,
        totalAmount: 595,
        createdAt: VOID,
      },
      lines: [line],
      charge: VISA,
      failedAt: null,
      issuer: ISSUER,
      words,
    });
    expect(shownNote).toMatchObject({
      locale: words.locale,
      kind: document.creditNote,
      status: { text: document.givenBack({ amount: money(595, "usd") }) },
      lines: [{ description: "Pro", tax: words.percent(1900), amount: money(500, "usd") }],
      movements: {
        heading: document.refundedTo,
        rows: [{ how: "Visa\u00a0••••\u00a04242", amount: money(595, "usd") }],
      },
    });
  });
});
