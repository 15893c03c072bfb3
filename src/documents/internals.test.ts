import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { embedFont, TextDocument } from "./internals.ts";

const require = createRequire(import.meta.url);
function versionOf(name: string): string {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** The font of a new document. */
function open(name: string) {
  const document = new TextDocument({ compress: false });
  const file = readFileSync(require.resolve(`@expo-google-fonts/${name}.ttf`));
  return { document, font: embedFont(document, name, file) };
}

const LATIN = "noto-sans/400Regular/NotoSans_400Regular";
const TELUGU = "noto-sans-telugu/400Regular/NotoSansTelugu_400Regular";
const ARABIC = "vazirmatn/400Regular/Vazirmatn_400Regular";

type Part = { part: string; breaks: string; works(): void };

const PARTS: Part[] = [
  {
    part: "pdfkit's _font with font, scale, subset, unicode and widths",
    breaks: "no document can be drawn",
    works() {
      const { font } = open(LATIN);
      expect(font.font.hasGlyphForCodePoint(0x41)).toBe(true);
      expect(font.scale).toBeCloseTo(1000 / 1000, 3);
      expect([font.subset.glyphs, font.unicode, font.widths].map((list) => list.length)).toEqual([1, 1, 1]);
    },
  },
  {
    part: "layout and encode of pdfkit's _font",
    breaks: "text that is copied from a document has other characters",
    works() {
      const { document, font } = open(LATIN);
      const calls: string[] = [];
      const { layout, encode } = font;
      font.layout = (text) => {
        calls.push(`layout ${text}`);
        return layout(text);
      };
      font.encode = (text) => {
        calls.push(`encode ${text}`);
        return encode(text);
      };
      const width = document.fontSize(10).widthOfString("Ada");
      expect(calls).toEqual(["layout Ada"]);
      expect(width).toBeCloseTo(layout("Ada").advanceWidth / 100, 3);
      document.text("Ada", 0, 0, { lineBreak: false });
      expect(calls).toContain("encode Ada");
    },
  },
  {
    part: "the glyphs of pdfkit's subset, with the characters and the width by their place",
    breaks: "documents show other letters than they say",
    works() {
      const { font } = open(LATIN);
      const [codes] = font.encode("ba");
      expect(codes).toEqual(["0001", "0002"]);
      expect(font.unicode.slice(1)).toEqual([[0x62], [0x61]]);
      expect(font.subset.glyphs.slice(1)).toEqual([0x62, 0x61].map((each) => font.font.glyphForCodePoint(each).id));
      const bytes = (font.subset as unknown as { encode(): Uint8Array }).encode();
      expect(bytes.length).toBeGreaterThan(500);
    },
  },
  {
    part: "the features of layoutRun of pdfkit's _font",
    breaks: "letters of Indian scripts are taken apart, and Arabic names can't be copied",
    works() {
      const { font } = open(LATIN);
      const count = (features: Record<string, boolean>) => font.layoutRun("ffi", features).glyphs.length;
      expect([count({}), count({ liga: false })]).toEqual([1, 3]);
      const [one] = font.layoutRun("A", {}).positions;
      expect(one).toMatchObject({ xAdvance: one!.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 });
    },
  },
  {
    part: "fontkit's cache _glyphs",
    breaks: "the characters of one document appear in the text of a later one",
    works() {
      const { font } = open(ARABIC);
      const id = font.font.glyphForCodePoint(0x628).id;
      expect(Object.keys(font.font._glyphs)).toContain(String(id));
      const again = open(ARABIC).font;
      expect(again.font).toBe(font.font);
      expect(Object.keys(again.font._glyphs)).not.toContain(String(id));
    },
  },
  {
    part: "fontkit's _layoutEngine.engine.GPOSProcessor with getAnchor and applyLookup",
    breaks: "an invoice with a name in Telugu, Malayalam or Gurmukhi can't be drawn",
    works() {
      const { font } = open(TELUGU);
      const positioner = font.font._layoutEngine.engine!.GPOSProcessor!;
      expect(Object.keys(positioner)).toEqual(expect.arrayContaining(["getAnchor", "applyLookup"]));
      const { getAnchor, applyLookup } = Object.getPrototypeOf(positioner) as typeof positioner;
      expect([getAnchor, applyLookup].map((method) => typeof method)).toEqual(["function", "function"]);
      expect(() => getAnchor.call(positioner, null as unknown as object)).toThrow(TypeError);
      let asked = 0;
      const { applyLookup: ours } = positioner;
      positioner.applyLookup = (type, table) => {
        asked += 1;
        return ours(type, table);
      };
      font.layoutRun("క్ష్మి", {});
      positioner.applyLookup = ours;
      expect(asked).toBeGreaterThan(0);
    },
  },
  {
    part: "the operators BT and ET of pdfkit, each in a piece of its own",
    breaks: "text from right to left is read out and copied in the wrong order",
    works() {
      const { document } = open(LATIN);
      const pieces: string[] = [];
      const { addContent } = document;
      document.addContent = (data) => {
        pieces.push(data);
        return addContent.call(document, data);
      };
      document.text("Ada", 0, 0, { lineBreak: false });
      expect(pieces.filter((piece) => /\b(BT|ET)\b/.test(piece))).toEqual(["BT", "ET"]);
    },
  },
];

test.each(PARTS)("the installed version has $part", ({ part, breaks, works }) => {
  let fault: string | null = null;
  try {
    works();
  } catch (error) {
    fault = (error as Error).message;
  }
  const versions = ["pdfkit", "fontkit"].map((name) => `${name} ${versionOf(name)}`).join(", ");
  expect(fault, `${versions}: changed is ${part}. So ${breaks}`).toBeNull();
});
