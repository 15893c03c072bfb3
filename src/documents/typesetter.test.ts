import { expect, test } from "vitest";
import { nameOfUndrawn } from "./scripts.ts";
import { TextDocument } from "./internals.ts";
import { Typesetter } from "./typesetter.ts";

type Glyph = { id: number; codePoints: number[] };
type Opened = { _font: { layout(text: string): { glyphs: Glyph[] } } };

const document = new TextDocument();
const typesetter = new Typesetter(document);
const STYLES = [false, true].map((bold) => ({ size: 10, bold, color: "#000" }));

/** The glyphs of a line, in their order on paper. The glyph 0 is a box. */
const glyphsOf = (text: string, style = STYLES[0]!): Glyph[] =>
  typesetter
    .line(text, style)
    .runs.flatMap(({ drawn, font }) => (document.font(font) as unknown as Opened)._font.layout(drawn).glyphs);

const drawnAs = (text: string) =>
  typesetter
    .line(text, STYLES[0]!)
    .runs.map(({ drawn }) => drawn)
    .join("");

test.each([
  ["Armenian", "Արամ Խաչատրյան և"],
  ["Bengali", "রবীন্দ্রনাথ ঠাকুর ক্ষ জ্ঞ স্ত্রী"],
  ["Devanagari", "क्षत्रिय श्री स्त्री र्क"],
  ["Ethiopic", "ኃይሌ ገብረ ሥላሴ"],
  ["Georgian", "ნინო ბურჯანაძე ᲜᲘᲜᲝ"],
  ["Gujarati", "નરેન્દ્ર ક્ષ શ્રી સ્ત્રી"],
  ["Gurmukhi", "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ ਸ੍ਰੀ"],
  ["Kannada", "ಕುವೆಂಪು ಶ್ರೀ ಕ್ಷ ಸ್ತ್ರೀ ಕೊ"],
  ["Khmer", "នរោត្តម សីហនុ ស្រី"],
  ["Lao", "ສຸພານຸວົງ ນໍ້າ"],
  ["Malayalam", "കെ. ജെ. യേശുദാസ് ശ്രീ സ്ത്രീ ന്റെ"],
  ["Odia", "ଓଡ଼ିଆ ଶ୍ରୀ କ୍ଷ ସ୍ତ୍ରୀ"],
  ["Sinhala", "ශ්‍රී ලංකා ක්‍ෂ කො"],
  ["Tamil", "சுப்பிரமணிய பாரதி கொ ஸ்ரீ"],
  ["Telugu", "నాగార్జున అక్కినేని శ్రీ క్ష్మి స్త్రీ"],
  ["emoji", "Ada 🙂 ❤️ 👩‍💻 🇩🇪 👍🏽 ☕ 1️⃣"],
])("%s has a font in both weights, also beside Latin letters", (_, text) => {
  for (const style of STYLES)
    for (const each of [text, `Ada ${text}, Ltd.`]) {
      const { runs } = typesetter.line(each, style);
      expect(runs.map(({ drawn }) => drawn).join("")).not.toContain("[");
      expect(glyphsOf(each, style).filter(({ id }) => id === 0)).toEqual([]);
    }
});

test.each([
  ["Bengali", "কি", 0x9bf],
  ["Devanagari", "कि", 0x93f],
  ["Devanagari beside Latin letters", "Adaकि", 0x93f],
  ["Gujarati", "કિ", 0xabf],
  ["Gurmukhi", "ਕਿ", 0xa3f],
  ["Khmer", "កេ", 0x17c1],
  ["Malayalam", "കെ", 0xd46],
  ["Odia", "କେ", 0xb47],
  ["Sinhala", "කෙ", 0xdd9],
  ["Tamil", "கெ", 0xbc6],
])("a vowel of %s that is written before its consonant stands there", (_, text, vowel) => {
  const order = glyphsOf(text).flatMap(({ codePoints }) => codePoints);
  const consonant = [...text].at(-2)!.codePointAt(0)!;
  expect(order.indexOf(vowel)).toBeGreaterThanOrEqual(0);
  expect(order.indexOf(vowel)).toBeLessThan(order.indexOf(consonant));
});

test.each([
  ["Bengali", "ক্ষ"],
  ["Devanagari", "क्ष"],
  ["Gujarati", "ક્ષ"],
  ["Kannada", "ಕ್ಷ"],
  ["Odia", "କ୍ଷ"],
])("letters of %s that are one sign are one glyph", (_, text) => {
  expect(glyphsOf(text).filter(({ codePoints }) => codePoints.length > 0)).toHaveLength(1);
});

test("a script without a font is written by its name, once for a word, and keeps its characters for a reader", () => {
  expect(drawnAs("Tenzin བསྟན་འཛིན")).toBe("Tenzin [Tibetan]");
  expect(drawnAs("အောင်ဆန်း စု Ltd.")).toBe("[Myanmar] [Myanmar] Ltd.");
  expect(drawnAs("ދިވެހި")).toBe("[Thaana]");
  expect(drawnAs("a\ue000b")).toBe("a[U+E000]b");
  expect(nameOfUndrawn("𓀀")).toBe("[U+13000]");
  const { runs } = typesetter.line("བསྟན", STYLES[0]!);
  expect(runs).toMatchObject([{ drawn: "[Tibetan]", actual: "བསྟན" }]);
});

test("no character of Unicode is drawn as a box", () => {
  const boxes: string[] = [];
  for (let code = 0x21; code < 0x20000; code += code < 0x3000 ? 3 : 29) {
    const character = String.fromCodePoint(code);
    if (/\p{Cs}|\p{Cc}/u.test(character)) continue;
    if (glyphsOf(character).some(({ id }) => id === 0)) boxes.push(code.toString(16));
  }
  expect(boxes).toEqual([]);
});

test.each([
  ["Discount −$10.00", ["−$10.00"]],
  ["Discount −US$1,000.50", ["−US$1,000.50"]],
  ["Rabatt −10,00\u00a0€ auf 1.000,00\u00a0€", ["−10,00\u00a0€", "1.000,00\u00a0€"]],
  ["Remise −1\u202f000,50\u00a0$US", ["−1\u202f000,50\u00a0$US"]],
  ["割引 −￥1,100 と ￥300", ["−￥1,100", "￥300"]],
])("no line of %s ends within an amount", (text, amounts) => {
  const drawn = (line: string) =>
    typesetter
      .line(line, STYLES[0]!)
      .runs.map((run) => run.drawn)
      .join("");
  const widest = Math.max(...amounts.map((amount) => typesetter.line(amount, STYLES[0]!).width));
  for (let width = widest + 1; width < 300; width += 3) {
    const lines = typesetter.wrap(text, STYLES[0]!, width).map(({ runs }) => runs.map((run) => run.drawn).join(""));
    for (const amount of amounts) expect(lines.some((line) => line.includes(drawn(amount)))).toBe(true);
  }
});
