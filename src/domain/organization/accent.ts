/** Red, green and blue from 0 to 255. */
type Color = readonly [number, number, number];

const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];
/** The darkest background of text on light pages: `--wash` in tokens.css, and the background of e-mails. */
const WASH: Color = [244, 245, 248];
/** The lightest background of text on dark pages: `--surface` in tokens.css. */
const DARK_SURFACE: Color = [27, 30, 38];
/** The least contrast between text and its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;
/** Dark pages need more: thin letters in a dim colour are hard to read on a dark ground. */
const LEAST_ON_DARK = 6;

function parse(hex: string): Color {
  const bits = Number.parseInt(hex, 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}

const format = (color: Color) => `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

/** Relative luminance of sRGB, from 0 to 1 (WCAG 2.2). */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour itself, or the next darker shade that is readable on every surface of a page. */
function readable(color: Color): Color {
  for (let percent = 100; percent > 0; percent -= 1) {
    const darker = color.map((channel) => Math.floor((channel * percent) / 100)) as unknown as Color;
    if (contrast(darker, WASH) >= LEAST_CONTRAST) return darker;
  }
  return BLACK;
}

/** The colour itself, or the next lighter shade that is readable on every surface of a dark page. */
function readableOnDark(color: Color): Color {
  for (let percent = 0; percent < 100; percent += 1) {
    const lighter = color.map((channel) => Math.ceil(channel + ((255 - channel) * percent) / 100));
    const shade = lighter as unknown as Color;
    if (contrast(shade, DARK_SURFACE) >= LEAST_ON_DARK) return shade;
  }
  return WHITE;
}

/**
 * The colours of pages and e-mails, derived from an Organization's own colour `rrggbb`. `ground`: the background of a
 * button. `ink`: the text on that button, white or, if white is not readable there, black (one of the two always is).
 * `text`: the colour for text. `darkText`: the colour for text on a dark page.
 */
export function accentColors(hex: string): { ground: string; ink: string; text: string; darkText: string } {
  const ground = parse(hex);
  const ink = contrast(WHITE, ground) >= LEAST_CONTRAST ? WHITE : BLACK;
  return {
    ground: format(ground),
    ink: format(ink),
    text: format(readable(ground)),
    darkText: format(readableOnDark(ground)),
  };
}

/**
 * The use of an Organization's colour on one surface. `wanted`: the contrast of the plain choice, which is white text
 * on a button, or a text in the colour itself. `least`: the contrast that is needed there. `used`: the colour of the
 * text.
 */
export type AccentUse = {
  surface: "button" | "light" | "dark";
  wanted: number;
  least: number;
  used: string;
  isAdapted: boolean;
};

/** The contrast of a colour `rrggbb` on each surface, and whether the surface needs another shade. */
export function accentUses(hex: string): AccentUse[] {
  const own = parse(hex);
  const { ground, ink, text, darkText } = accentColors(hex);
  const surfaces = [
    {
      surface: "button",
      wanted: contrast(WHITE, own),
      least: LEAST_CONTRAST,
      used: ink,
      isAdapted: ink !== format(WHITE),
    },
    { surface: "light", wanted: contrast(own, WASH), least: LEAST_CONTRAST, used: text, isAdapted: text !== ground },
    {
      surface: "dark",
      wanted: contrast(own, DARK_SURFACE),
      least: LEAST_ON_DARK,
      used: darkText,
      isAdapted: darkText !== ground,
    },
  ] as const;
  return [...surfaces];
}
