import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it, test } from "vitest";
import { instant } from "../domain/calendar.ts";
import { catalogues } from "./catalogue.ts";
import { british } from "./en/british.ts";
import { LANGUAGES } from "../domain/locale.ts";
import { acceptedLocales, firstSpoken } from "./language.ts";
import { wordsFor } from "./words.ts";

const DAY = instant(Date.parse("2026-12-22T23:30:00Z"));

describe("the reader's language", () => {
  test.each<[header: string | undefined, locale: string]>([
    ["de-AT,de;q=0.9,en;q=0.8", "de-AT"],
    ["en-US,en;q=0.5", "en-US"],
    ["pt-BR,pt;q=0.9,fr;q=0.5,en;q=0.2", "fr"],
    ["en;q=0.3, ja;q=0.9", "ja"],
    ["de;q=0, es", "es"],
    ["pt-BR", "en-GB"],
    ["*", "en-GB"],
    ["", "en-GB"],
    [undefined, "en-GB"],
    ["de;q=x;;,,=,", "de"],
    ["\u0000<script>", "en-GB"],
    [`${"x-".repeat(5000)}de`, "en-GB"],
  ])("of Accept-Language %j is %s", (header, locale) => {
    expect(firstSpoken(acceptedLocales(header))).toBe(locale);
  });

  it("is the first locale that has a catalogue", () => {
    expect(firstSpoken([null, "pt-BR", "ja-JP", "de"])).toBe("ja-JP");
  });
});

describe("English", () => {
  it.each([
    ["en-GB", "Payment cancelled", "Licence key", "Why are you cancelling?"],
    ["en-AU", "Payment cancelled", "Licence key", "Why are you cancelling?"],
    ["en-CA", "Payment cancelled", "Licence key", "Why are you cancelling?"],
    ["en-US", "Payment canceled", "License key", "Why are you canceling?"],
    ["en-PH", "Payment canceled", "License key", "Why are you canceling?"],
    ["en", "Payment canceled", "License key", "Why are you canceling?"],
  ])("is spelled as in %s", (locale, canceled, key, why) => {
    const { fault, licenses, portalCancel } = wordsFor(locale);
    expect([fault.paymentCanceled, licenses.key, portalCancel.why]).toEqual([canceled, key, why]);
  });

  it("spells each American word of the catalogue in another message for British readers", () => {
    const respelled = Object.entries(catalogues.en).map(([area, texts]) => {
      const american = Object.entries(texts).filter(([, text]) => /\b(cancel(ed|ing)|licenses?)\b/i.test(text));
      const messages: Record<string, string> = british[area as keyof typeof british] ?? {};
      expect([area, ...Object.keys(messages).sort()]).toEqual([area, ...american.map(([key]) => key).sort()]);
      return american.map(([key, text]) => {
        expect(messages[key]).not.toMatch(/\b(cancel(ed|ing)|licenses?)\b/i);
        expect(messages[key]!.match(/\{\w+\}/g)).toEqual(text.match(/\{\w+\}/g));
        return key;
      });
    });
    expect(respelled.flat().length).toBeGreaterThan(5);
  });

  it("has typographic apostrophes, and keeps those of a slot", () => {
    const { card, portalLimit } = wordsFor("en-GB");
    expect(card.paidAt({ provider: "O'Neill" })).toBe("You’ll pay on O'Neill’s page.");
    expect(portalLimit.text({ seller: "A licensed shop" })).toContain("Please contact A licensed shop.");
  });
});

describe("money, dates and numbers", () => {
  test.each([
    ["en-US", "−$1,234.50", "December 23, 2026", "8.87%"],
    ["en-GB", "−US$1,234.50", "23 December 2026", "8.87%"],
    ["de-DE", "−1.234,50 $", "23. Dezember 2026", "8,87 %"],
    ["fr", "−1 234,50 $US", "23 décembre 2026", "8,87 %"],
    ["es", "−1234,50 US$", "23 de diciembre de 2026", "8,87 %"],
    ["ja", "−$1,234.50", "2026年12月23日", "8.87%"],
  ])("are written as in %s", (locale, money, day, percent) => {
    const words = wordsFor(locale);
    const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("\u2060", "");
    expect(plain(words.money(-123_450, "usd"))).toBe(money);
    expect(plain(words.day(DAY, "Europe/Berlin"))).toBe(day);
    expect(plain(words.percent(887))).toBe(percent);
  });

  it("have the ordinal of a first of the month in French", () => {
    const first = instant(Date.parse("2026-03-01T12:00:00Z"));
    expect(wordsFor("fr-CA").day(first, "UTC")).toBe("1er\u00a0mars\u00a02026");
    expect(wordsFor("fr").day(instant(first + 10 * 86_400_000), "UTC")).toBe("11\u00a0mars\u00a02026");
    expect(wordsFor("es").day(first, "UTC")).toBe("1\u00a0de\u00a0marzo\u00a0de\u00a02026");
  });

  it.each([
    ["en-US", "December\u00a023", "December\u00a023,\u00a02027"],
    ["en-GB", "23\u00a0December", "23\u00a0December\u00a02027"],
    ["de", "23.\u00a0Dezember", "23.\u00a0Dezember\u00a02027"],
    ["fr", "23\u00a0décembre", "23\u00a0décembre\u00a02027"],
    ["es", "23\u00a0de\u00a0diciembre", "23\u00a0de\u00a0diciembre\u00a0de\u00a02027"],
    ["ja", "12\u2060月\u206023\u2060日", "2027\u2060年\u206012\u2060月\u206023\u2060日"],
  ])("leave the year of a near day out in %s", (locale, near, far) => {
    const { nearDay } = wordsFor(locale);
    const now = instant(Date.parse("2026-11-23T12:00:00Z"));
    expect(nearDay(DAY, "Europe/Berlin", now)).toBe(near);
    expect(nearDay(instant(Date.parse("2027-12-22T23:30:00Z")), "Europe/Berlin", now)).toBe(far);
    expect(wordsFor("fr").nearDay(instant(Date.parse("2026-12-01T12:00:00Z")), "UTC", now)).toBe("1er\u00a0décembre");
  });

  it("have the decimals of ISO 4217, and every digit", () => {
    expect(wordsFor("en-US").money(9_007_199_254_740_991, "usd")).toBe("$90,071,992,547,409.91");
    expect(wordsFor("en-US").money(75_000, "jpy")).toBe("¥75,000");
    expect(() => wordsFor("de").money(1, "xyz")).toThrow(RangeError);
  });
});

type Ast = ReturnType<IntlMessageFormat["getAst"]>;
const ARGUMENT = 1;

const astOf = (pattern: string) => new IntlMessageFormat(pattern, "en", undefined, { ignoreTag: true }).getAst();

/** The forms of each plural in a pattern: `one other`. */
function formsOf(pattern: string): string[] {
  const walk = (elements: Ast): string[] =>
    elements.flatMap((element) => {
      if (!("options" in element)) return [];
      const { options } = element;
      return [Object.keys(options).sort().join(" "), ...Object.values(options).flatMap(({ value }) => walk(value))];
    });
  return walk(astOf(pattern));
}

/** The slots of a pattern, each with its kind: a plural in one language is a plural in all. */
function slotsOf(pattern: string): string[] {
  const walk = (elements: Ast): string[] =>
    elements.flatMap((element) => {
      if ("options" in element) {
        return [`${element.value} #`, ...Object.values(element.options).flatMap(({ value }) => walk(value))];
      }
      return element.type === ARGUMENT ? [element.value] : [];
    });
  return [...new Set(walk(astOf(pattern)))].sort();
}

/** The spaces that French sets before these signs, and after the quotation mark that opens. */
const FRENCH_GAPS = /[^\u00a0]:|[^\u202f][;?!]|[^\u00a0]»|«[^\u00a0]/;
/** French and Spanish have a form for millions. No count of days or months is so large. */
const UNUSED_FORM = "many";
/** A full stop at the end. The one of an abbreviation (`USt-IdNr.`) does not count. */
const ENDS = /(?:(?<!Nr)\.|。)}*$/;

describe.each(LANGUAGES)("the catalogue %s", (language) => {
  const areas = Object.entries(catalogues.en).flatMap(([area, texts]) =>
    Object.entries(texts).map(([key, pattern]) => [`${area}.${key}`, area, key, pattern] as const),
  );
  const catalogue: Record<string, Record<string, string>> = catalogues[language];

  it("has the messages of English, and no others", () => {
    const names = Object.entries(catalogue).flatMap(([area, texts]) =>
      Object.keys(texts).map((key) => `${area}.${key}`),
    );
    expect(names.sort()).toEqual(areas.map(([name]) => name).sort());
  });

  it("uses the slots of each message", () => {
    const wrong = areas.filter(
      ([, area, key, pattern]) => slotsOf(catalogue[area]![key]!).join() !== slotsOf(pattern).join(),
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it("leaves no message empty, and has no space at an end", () => {
    const wrong = areas.filter(
      ([, area, key]) => catalogue[area]![key]!.trim() !== catalogue[area]![key] || catalogue[area]![key] === "",
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it("ends a message with a full stop where English does", () => {
    const wrong = areas.filter(([, area, key, pattern]) => ENDS.test(pattern) !== ENDS.test(catalogue[area]![key]!));
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it("has the plural forms of the language, and no form that is never used", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const forms = pluralCategories.filter((form) => form !== UNUSED_FORM).sort();
    // Japanese has words of its own for "every day" and the like.
    const accepted = [forms.join(" "), ...(language === "ja" ? ["=1 other"] : [])];
    const wrong = areas.filter(([, area, key]) =>
      formsOf(catalogue[area]![key]!).some((found) => !accepted.includes(found)),
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});

/** Messages that are the same in English. */
const SAME: Partial<Record<(typeof LANGUAGES)[number], string[]>> = {
  de: [
    "document.units",
    "terms.units",
    "terms.unitsAtPrice",
    "document.company",
    "document.person",
    "frame.optional",
    "mailPrice.inUnits",
    "ownField.line",
    "mailReceipt.noted",
    "frame.sentences",
    "frame.person",
    "card.cvcForm",
    "checkout.name",
    "mailFrame.label",
    "deliverables.pdf",
    "deliverables.valued",
    "document.span",
    "portal.priceEvery",
    "portal.changeTo",
    "portal.chargeOn",
    "details.name",
  ],
  fr: [
    "document.units",
    "terms.units",
    "terms.unitsAtPrice",
    "document.company",
    "document.person",
    "mailPrice.inUnits",
    "mailReceipt.noted",
    "frame.person",
    "frame.sentences",
    "card.cvcForm",
    "deliverables.pdf",
    "document.description",
    "document.date",
    "document.total",
    "portal.priceEvery",
    "portal.changeTo",
    "address.province",
    "address.canton",
    "address.district",
  ],
  es: [
    "document.units",
    "terms.units",
    "terms.unitsAtPrice",
    "document.company",
    "document.person",
    "frame.errorTitle",
    "mailFrame.label",
    "mailPrice.inUnits",
    "ownField.line",
    "ownField.no",
    "mailReceipt.noted",
    "frame.person",
    "frame.sentences",
    "card.cvcForm",
    "deliverables.pdf",
    "deliverables.valued",
    "document.subtotal",
    "document.total",
    "portal.priceEvery",
    "portal.changeTo",
    "portal.chargeOn",
  ],
  ja: ["card.cvcForm", "deliverables.pdf"],
};

describe.each(["de", "fr", "es", "ja"] as const)("the translation %s", (language) => {
  const texts = Object.entries(catalogues[language]).flatMap(([area, patterns]) =>
    Object.entries(patterns).map(([key, pattern]) => [`${area}.${key}`, pattern] as const),
  );

  it("repeats English only where both languages have the same word", () => {
    const english = new Map(
      Object.entries(catalogues.en).flatMap(([area, patterns]) =>
        Object.entries(patterns).map(([key, pattern]) => [`${area}.${key}`, pattern] as const),
      ),
    );
    const same = texts.filter(([name, pattern]) => english.get(name) === pattern);
    expect(same.map(([name]) => name).sort()).toEqual([...SAME[language]!].sort());
    expect(same.map(([name]) => name).sort()).toEqual(SAME[language]!.sort());
    expect(same.map(([name]) => name).sort()).toEqual(SAME[language]!.toSorted());
  });

  it("has typographic apostrophes and quotation marks", () => {
    expect(texts.filter(([, pattern]) => /['"`]/.test(pattern)).map(([name]) => name)).toEqual([]);
  });
});

describe("French", () => {
  const { frame, ...areas } = wordsFor("fr");
  const slots = new Proxy({}, { get: () => 2, has: () => true });

  it("keeps `:`, `;`, `?`, `!` and quotation marks on the line of their word", () => {
    expect(frame.errorTitle({ title: "Pro" })).toBe("Erreur\u00a0: Pro");
    const said = Object.entries({ frame, ...areas }).flatMap(([area, texts]) =>
      typeof texts === "object"
        ? Object.entries(texts).map(([key, text]) => [`${area}.${key}`, typeof text === "string" ? text : text(slots)])
        : [],
    );
    expect(said.length).toBeGreaterThan(150);
    expect(said.filter(([, text]) => FRENCH_GAPS.test(text!))).toEqual([]);
  });
});

describe("a message", () => {
  const { terms, checkout } = wordsFor("en-US");

  it("chooses the plural", () => {
    expect([1, 3].map((count) => terms.everyMonth({ count }))).toEqual(["every month", "every 3\u00a0months"]);
  });

  it("escapes text among markup", async () => {
    expect(String(await checkout.changeTo.markup({ product: "<b>{x}" }))).toBe("Change to &lt;b&gt;{x}");
  });

  it("keeps braces and quotes of a slot", () => {
    expect(checkout.changeTo({ product: "{a} 'b' #" })).toBe("Change to {a} 'b' #");
  });
});

test("the button of a trial asks for an order that costs money, and does not call the order free (rule C11b)", () => {
  for (const [language, duty] of [
    ["de", /zahlungspflichtig/i],
    ["fr", /obligation de paiement/],
    ["es", /obligación de pago/],
    ["ja", /有料/],
  ] as const) {
    const { startTrial, startOpenTrial } = wordsFor(language).checkout;
    for (const label of [startTrial, startOpenTrial]) {
      expect(label).toMatch(duty);
      expect(label).not.toMatch(/kostenlos|gratuit|gratis|無料/i);
    }
  }
});

test("words and dates that belong together stay on one line", () => {
  expect(wordsFor("de").checkout.email).toBe("E\u2011Mail-Adresse");
  for (const language of ["en", "de", "fr", "es", "ja"] as const)
    expect(wordsFor(language).card.expiryIncomplete).toContain("04\u00a0/\u00a029");
});

test("a person in Japanese has no Latin comma", () => {
  const ada = { name: "山田 太郎", email: "taro@example.jp" };
  expect(wordsFor("ja").frame.person(ada)).toBe("山田 太郎（taro@example.jp）");
  expect(wordsFor("fr").frame.person(ada)).toBe("山田 太郎 (taro@example.jp)");
});
