import { describe, expect, test } from "vitest";
import { organizationWith } from "../../test/support/organization.ts";
import type { BuyerEmailKind } from "../domain/model/email.ts";
import { instant } from "../domain/calendar.ts";
import { LANGUAGES } from "../domain/locale.ts";
import { wordsFor, type Words } from "../texts/words.ts";
import { emailContent, type EmailFacts } from "./email-contents.ts";

const DAY = instant(Date.parse("2026-12-22T12:00:00Z"));
const URL = "https://billing.example/page";

/** The facts of each letter, as an occasion writes them in a language. The names are no words of any language. */
function letters(words: Words): { [Name in string]: { [K in BuyerEmailKind]: [K, EmailFacts[K]] }[BuyerEmailKind] } {
  const [amount, day] = [words.money(3000, "usd"), words.day(DAY, "UTC")];
  const unpaid = { amount, product: "Pro", card: "Visa •••• 4242", reason: words.decline.insufficient_funds, url: URL };
  const access = words.unpaidNotice.yourAccessStays({ day });
  const open = { ...unpaid, isDisputed: false, retryOn: day, end: null, access };
  const onFile = { means: "card", name: "Visa •••• 4242" } as const;
  const portal = { portal: URL, seller: "Acme", portalCard: `${URL}/card` };
  const ahead = { product: "Pro", day, amount, period: { interval: "month", intervalCount: 1 }, ...portal } as const;
  const onCard = { ...ahead, paidBy: onFile, isDisputed: false };
  const next = { rows: [{ name: words.portal.nextCharge, value: day }], text: amount };
  const end = { seller: "Acme", product: "Pro", day, ended: "paid" as const };
  const card = { brand: "Visa", last4: "4242", expMonth: 12, expYear: 2026, url: URL };
  const account = { name: "Ada", url: URL };
  const pause = { product: "Pro", day, until: day, access: "keep", portal: URL } as const;
  const both = { before: words.money(2000, "usd"), price: amount, unitsBefore: null, units: null };
  const price = { product: "Pro", day, ...both, seller: "Acme", consentUrl: null, portal: URL };
  return {
    failed: ["payment_failed", open],
    "failed without a card": ["payment_failed", { ...open, card: null, retryOn: null, access: null }],
    disputed: ["payment_failed", { ...open, isDisputed: true }],
    challenged: ["authentication_required", open],
    "challenged without a retry": ["authentication_required", { ...open, card: null, retryOn: null, access: null }],
    "order of 0": [
      "order_confirmation",
      {
        product: "Pro",
        seller: "Acme",
        url: URL,
        portal: URL,
        website: URL,
        deliverables: { keys: [{ benefit: "Editor", key: "ACME-1", devices: null }], files: [], notes: [], others: [] },
        next: null,
      },
    ],
    "longer trial": ["trial_extended", { product: "Pro", day, portal: URL, next: null }],
    "trial that begins": [
      "trial_started",
      {
        product: "Pro",
        seller: "Acme",
        day,
        portal: URL,
        website: URL,
        deliverables: {
          keys: [{ benefit: "Editor", key: "ACME-1", devices: 2 }],
          files: [{ benefit: "Handbook", names: ["handbook.pdf"] }],
          notes: [{ benefit: "Support", note: "Write to us" }],
          others: ["Reports"],
        },
        next,
      },
    ],
    trial: ["trial_ending", onCard],
    "trial with a balance": ["trial_ending", { ...onCard, paidBy: { means: "balance" } }],
    "trial without a card": ["trial_ending", { ...onCard, paidBy: null }],
    "trial with a disputed card": ["trial_ending", { ...onCard, isDisputed: true }],
    renewal: ["renewal_upcoming", onCard],
    "renewal of three weeks": ["renewal_upcoming", { ...onCard, period: { interval: "week", intervalCount: 3 } }],
    "renewal with a balance": ["renewal_upcoming", { ...onCard, paidBy: { means: "balance" } }],
    "renewal without a card": ["renewal_upcoming", { ...onCard, paidBy: null }],
    "renewal with a disputed card": ["renewal_upcoming", { ...onCard, isDisputed: true }],
    unpaid: ["renewal_failed", end],
    ended: ["canceled", end],
    "ended trial": ["canceled", { ...end, ended: "trial" }],
    "ended without a consent": ["canceled", { ...end, ended: "price" }],
    "unrecognized purchase": ["canceled", { ...end, ended: "unrecognized" }],
    "scheduled cancellation": [
      "cancellation_scheduled",
      {
        product: "Pro",
        day,
        effect: words.portalCancel.until({ product: "Pro", day }),
        lost: ["Reports"],
        portal: URL,
      },
    ],
    "undone cancellation": ["cancellation_undone", { product: "Pro", seller: "Acme", ...next, portal: URL }],
    "planned pause": ["pause_scheduled", { ...pause, hasBegun: false }],
    "planned pause without an end": ["pause_scheduled", { ...pause, hasBegun: false, until: null, access: "revoke" }],
    "undone pause": ["pause_undone", { product: "Pro", seller: "Acme", ...next, portal: URL }],
    "begun pause": ["pause_begun", { ...pause, hasBegun: true }],
    "begun pause without an end": ["pause_begun", { ...pause, hasBegun: true, until: null, access: "revoke" }],
    "coming resume": ["resume_upcoming", onCard],
    "new price": ["price_change", price],
    "new price of units": ["price_change", { ...price, unitsBefore: "5 × 6", units: "5 × 7" }],
    "new price that needs a consent": ["price_change", { ...price, consentUrl: `${URL}/price` }],
    "missing consent": ["price_change_reminder", { ...price, consentUrl: `${URL}/price` }],
    "dropped change": ["change_dropped", { product: "Pro", seller: "Acme", day, ...next, portal: URL }],
    expiring: ["card_expiring", { ...card, products: ["Pro", "Max"] }],
    "missing card": ["card_request", { ...onCard, paidBy: null, isTrial: false }],
    "missing card of a trial": ["card_request", { ...onCard, paidBy: null, isTrial: true }],
    "sign-in": ["portal_sign_in", { seller: "Acme", minutes: 15, accounts: [account] }],
    "sign-in to several": ["portal_sign_in", { seller: "Acme", minutes: 15, accounts: [account, account] }],
  };
}

const NAMES = Object.keys(letters(wordsFor("en-GB")));
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("\u2060", "");

function written(locale: string, name: string) {
  const words = wordsFor(locale);
  const [kind, facts] = letters(words)[name]!;
  const seller = organizationWith({ mode: "live", supportEmail: "help@acme.example" });
  return { facts, ...emailContent(kind, facts as EmailFacts[typeof kind], seller, words) };
}

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(NAMES)("%s has all of its facts, and no empty slot", (name) => {
    const { facts, subject, text, html } = written(language, name);
    expect(html).toContain(`<html lang="${language}">`);
    const shown = html.replace(/<style>.*<\/style>/s, "");
    for (const part of [subject, text, shown]) expect(part).not.toMatch(/[{}]|undefined|null|NaN|\[object/);
    const {
      amount,
      day,
      product,
      products = [],
    } = facts as { amount?: string; day?: string; product?: string; products?: string[] };
    const isFree = name === "trial without a card";
    for (const said of [isFree ? undefined : amount, day, product, ...products].filter((each) => each !== undefined)) {
      expect(`${subject}\n${text}`).toContain(said.replaceAll("\u00a0", " ").replaceAll("\u2060", ""));
    }
    const isOver = /^(unpaid|ended|unrecognized)/.test(name);
    expect(text.includes(URL)).toBe(!isOver);
    expect(subject.length).toBeLessThan(90);
  });
});

/** The paragraphs of an e-mail, without its foot. */
const bodyOf = (locale: string, name: string) => plain(written(locale, name).text.split("\n\n-- \n")[0]!);
/** The golden texts below break long lines. */
const unbroken = (text: string) => text.replaceAll(/(?<=\.)\n(?=\S)/g, " ");

test.each([
  [
    "en-GB",
    "failed",
    `Your payment did not go through

We could not charge US$30.00 for Pro to Visa •••• 4242. Your card has insufficient funds. Try another card.

We will try again on 22 December 2026, unless you pay before then.
Without payment, your access ends on 22 December 2026.

Pay US$30.00:
${URL}`,
  ],
  [
    "de",
    "failed",
    `Ihre Zahlung ist fehlgeschlagen

Wir konnten 30,00 $ für Pro nicht von Visa •••• 4242 abbuchen. ${wordsFor("de").decline.insufficient_funds}

Am 22. Dezember 2026 versuchen wir es erneut, wenn Sie nicht vorher bezahlen.
Ohne Zahlung endet Ihr Zugang am 22. Dezember 2026.

30,00 $ bezahlen:
${URL}`,
  ],
  [
    "en-GB",
    "failed without a card",
    `Your payment is due

US$30.00 for Pro is due. Your card has insufficient funds. Try another card. Please pay with a card.

Pay US$30.00:
${URL}`,
  ],
  [
    "en-GB",
    "renewal",
    `Your subscription renews on 22 December 2026

Pro renews on 22 December 2026. We will charge US$30.00 to Visa •••• 4242 for the next month.

If you would rather not continue, sign in to your account and cancel before 22 December 2026.

Go to your account:
${URL}`,
  ],
  [
    "de",
    "renewal of three weeks",
    `Ihr Abonnement verlängert sich am 22. Dezember 2026

Pro verlängert sich am 22. Dezember 2026. Wir buchen dann 30,00 $ für die nächsten 3 Wochen von Visa •••• 4242 ab.

Wenn Sie Ihr Abonnement nicht fortsetzen möchten, kündigen Sie es vor dem 22. Dezember 2026 in Ihrem Konto.

Zu Ihrem Konto:
${URL}`,
  ],
  [
    "de",
    "expiring",
    `Ihre Karte läuft bald ab

Ihre Karte (Visa, Endziffern 4242) läuft Ende Dezember 2026 ab.
Aktualisieren Sie Ihre Kartendaten, damit Ihr Zugang zu Pro und Max ohne Unterbrechung bestehen bleibt.

Wenn Sie von Ihrer Bank schon eine neue Karte erhalten haben, hinterlegen Sie einfach diese.

Karte aktualisieren:
${URL}`,
  ],
  [
    "en-GB",
    "unpaid",
    `Your subscription has ended

Your subscription to Pro ended on 22 December 2026, because the payment did not go through.
Your access has ended, too. We will not try to charge you again.

You can subscribe again with Acme at any time.`,
  ],
])("the words in %s of: %s", (locale, name, words) => {
  expect(bodyOf(locale, name)).toBe(unbroken(words));
});

test("a scheduled cancellation lists the Benefits that end, and the way back", () => {
  expect(bodyOf("en-GB", "scheduled cancellation")).toBe(`Your subscription ends on 22 December 2026

You keep Pro until 22 December 2026. You won’t be charged again.

You will lose: Reports

If you change your mind, sign in to your account before that day and undo the cancellation.

Go to your account:
${URL}`);
});

test("a letter to a new address does not call its reader a customer", () => {
  for (const language of LANGUAGES) {
    const words = wordsFor(language);
    const facts = { seller: "Acme", hours: 1, url: URL };
    const { text, html } = emailContent("portal_email_confirm", facts, organizationWith(), words);
    const [usual, reason] = [words.mailFrame.reason({ seller: "Seller" }), words.mailEmailChange.confirmReason(facts)];
    // Marks keep a word with a hyphen on one line.
    for (const part of [text, html.replace(/<\/?span[^>]*>/g, "")]) {
      expect(part).not.toContain(usual);
      expect(part).toContain(reason);
    }
  }
});

test("a receipt leads back to the seller by name, if the seller has a website", () => {
  const words = wordsFor("fr");
  const document = {
    number: "INV-1",
    status: { tone: "done", text: words.document.paidOn({ day: words.day(DAY, "UTC") }) },
    lines: [],
    totals: [{ name: words.document.total, value: words.money(3000, "usd"), strong: true }],
    movements: { heading: "", rows: [] },
    notes: [],
  } as unknown as EmailFacts["receipt"]["document"];
  const facts = {
    document,
    seller: "Acme",
    total: words.money(3000, "usd"),
    url: URL,
    portal: URL,
    hasDeliverables: false,
    next: null,
  };
  const write = (website: string | null) =>
    emailContent("receipt", { ...facts, deliverables: null, website }, organizationWith(), words).text;
  expect(plain(write("https://acme.example"))).toContain("Retourner chez Acme :\nhttps://acme.example");
  expect(write(null)).not.toContain("Retourner chez");
});

test.each(LANGUAGES)("in %s, the words for a license key stand once above the key", (language) => {
  const words = wordsFor(language);
  const { licenseKey } = words.mailReceipt;
  const namesOf = (benefit: string) => {
    const deliverables = { keys: [{ benefit, key: "ACME-1", devices: null }], files: [], notes: [], others: [] };
    const facts = { product: "Pro", seller: "Acme", url: URL, portal: URL, website: null, deliverables, next: null };
    const { text } = emailContent("order_confirmation", facts, organizationWith(), words);
    return plain(text)
      .split("\n")
      .filter((line) => line.includes(licenseKey));
  };
  const labelled = (name: string) => plain(words.mailFrame.label({ name }));
  expect(namesOf(licenseKey)).toEqual([labelled(licenseKey)]);
  expect(namesOf(`${licenseKey} 2`)).toEqual([labelled(`${licenseKey} 2`)]);
  expect(namesOf("Editor")).toEqual([labelled(`${licenseKey} · Editor`)]);
});

describe("a receipt tells each amount where the amount is new", () => {
  type ReceiptParts = Partial<Pick<EmailFacts["receipt"]["document"], "lines" | "totals" | "movements">>;
  /** The parts of a receipt between the first sentence and the link to the invoice, as text and as rows of HTML. */
  function receiptOf(language: string, pick: (words: Words, money: (amount: number) => string) => ReceiptParts) {
    const words = wordsFor(language);
    const money = (amount: number) => words.money(amount, "usd");
    const status = { tone: "done", text: words.document.paidOn({ day: words.day(DAY, "UTC") }) };
    const document = { number: "INV-1", status, notes: [], ...pick(words, money) };
    const links = { url: URL, portal: URL, website: null };
    const more = { seller: "Acme", total: "TOTAL", deliverables: null, hasDeliverables: false, next: null };
    const facts = { document, ...links, ...more } as unknown as EmailFacts["receipt"];
    const { text, html } = emailContent("receipt", facts, organizationWith({ mode: "live" }), words);
    const parts = plain(text).split(words.mailReceipt.invoice)[0]!.trim().split("\n\n").slice(2);
    const rows = [...html.matchAll(/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)];
    const shown = rows.map(([, name, value]) => plain(`${name}: ${value}`.replace(/<\/?span[^>]*>/g, "")));
    return { lines: parts.flatMap((part) => part.split("\n")), shown };
  }
  const line = (amount: string) => ({ description: "Pro", notes: [], amount });
  const paid = (how: string, amount: string) => ({ date: "22.12.2026", how, note: null, document: null, amount });
  const row = (name: string, value: string, strong = false) => ({ name, value, strong });

  test.each(LANGUAGES)("in %s: the amount of one item stands at the item and as the total", (language) => {
    const words = wordsFor(language);
    const { document: said, money } = words;
    const { noted } = words.mailReceipt;
    const price = plain(money(49900, "usd"));
    const { lines, shown } = receiptOf(language, (_, amount) => ({
      lines: [line(amount(49900))] as never,
      totals: [
        row(said.subtotal, amount(49900)),
        row(said.total, amount(49900), true),
        row(said.amountPaid, amount(49900), true),
      ],
      movements: { heading: said.payment, rows: [paid("Visa •••• 4242", amount(49900))] as never },
    }));
    for (const all of [lines.join("\n"), shown.join("\n")]) {
      expect(all.split(price)).toHaveLength(3);
      for (const name of [said.subtotal, said.amountPaid]) expect(all).not.toContain(name);
      expect(all).toContain("Visa •••• 4242");
      expect(all).toContain("22.12.2026");
    }
    expect(shown).toEqual([
      `Pro: ${price}`,
      `${said.total}: ${price}`,
      `${said.payment}: ${plain(noted({ name: "Visa •••• 4242", notes: "22.12.2026" }))}`,
    ]);
  });

  test("an amount that tells something new stays: before a discount and a tax, beside the balance", () => {
    const { lines } = receiptOf("en-GB", (_, amount) => ({
      lines: [line(amount(3000))] as never,
      totals: [
        row("Subtotal", amount(3000)),
        row("Discount", amount(-500)),
        row("VAT", amount(500)),
        row("Total", amount(3000), true),
        row("Paid from balance", amount(-1000)),
        row("Amount paid", amount(2000), true),
      ],
      movements: {
        heading: "Payment",
        rows: [paid("Account balance", amount(1000)), paid("Visa", amount(2000))] as never,
      },
    }));
    expect(lines).toEqual([
      "Pro: US$30.00",
      "Subtotal: US$30.00",
      "Discount: −US$5.00",
      "VAT: US$5.00",
      "Total: US$30.00",
      "Paid from balance: −US$10.00",
      "Amount paid: US$20.00",
      "Account balance (22.12.2026): US$10.00",
      "Visa (22.12.2026): US$20.00",
    ]);
  });

  test("an included tax stays below the total, and several items keep the total", () => {
    const { lines } = receiptOf("en-GB", (_, amount) => ({
      lines: [line(amount(3000)), line(amount(1000))] as never,
      totals: [
        row("Subtotal", amount(4000)),
        row("Total", amount(4000), true),
        row("Included VAT", amount(639)),
        row("Amount paid", amount(4000), true),
      ],
      movements: { heading: "Payment", rows: [paid("Visa", amount(4000))] as never },
    }));
    expect(lines).toEqual([
      "Pro: US$30.00",
      "Pro: US$10.00",
      "Total: US$40.00",
      "Included VAT: US$6.39",
      "Payment: Visa (22.12.2026)",
    ]);
  });
});
