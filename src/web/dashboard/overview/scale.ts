/** The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `value`; 1 for 0 and less. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= value) ?? 10;
  return Math.max(1, Math.ceil(step * power));
}

/** A part of a column. Parts above zero stand on the line of zero, and parts below zero hang from the line. */
export type Part = { value: number; tone: Tone };
export const TONES = ["one", "two", "three", "four"] as const;
export type Tone = (typeof TONES)[number];

/** A box in a plot of 100 by 100. `y` counts from the top. */
export type Box = { x: number; y: number; width: number; height: number; tone: Tone };

/** `highest` and `lowest`: the ends of the scale, which includes 0. `zero`: the place of 0 from the top, of 100. */
export type Scale = { highest: number; lowest: number; zero: number };

export function scaleOf(columns: readonly (readonly Part[])[]): Scale {
  const sum = (parts: readonly Part[], sign: 1 | -1) =>
    parts.reduce((running, { value }) => running + Math.max(0, value * sign), 0);
  const up = Math.max(0, ...columns.map((parts) => sum(parts, 1)));
  const down = Math.max(0, ...columns.map((parts) => sum(parts, -1)));
  const highest = up === 0 && down > 0 ? 0 : roundUp(up);
  const lowest = down === 0 ? 0 : -roundUp(down);
  return { highest, lowest, zero: (100 * highest) / (highest - lowest) };
}

/** The share of a column that its box takes. The rest separates the columns. */
const FILLED = 0.75;

/** The boxes of all columns, side by side. */
export function boxesOf(columns: readonly (readonly Part[])[], { highest, lowest, zero }: Scale): Box[] {
  const slot = 100 / columns.length;
  const perUnit = 100 / (highest - lowest);
  return columns.flatMap((parts, n) => {
    let [top, bottom] = [zero, zero];
    const common = { x: n * slot + (slot * (1 - FILLED)) / 2, width: slot * FILLED };
    return parts
      .filter(({ value }) => value !== 0)
      .map(({ value, tone }) => {
        const height = Math.abs(value) * perUnit;
        if (value > 0) top = Math.max(0, top - height);
        const y = value > 0 ? top : bottom;
        if (value < 0) bottom += height;
        return { ...common, y, height, tone };
      });
  });
}
