import type { Period } from "./calendar.ts";

/** A number with its noun: `1 period`, `2 periods`. `plural`: for a noun that takes more than an s. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** The length of a billing period, to stand after `every` or `for another`: `month`, `3 months`. */
export function periodInWords({ interval, intervalCount }: Period): string {
  return intervalCount === 1 ? interval : counted(intervalCount, interval);
}

/** Basis points as percent: `19 %`, `8.87 %`. */
export function percent(basisPoints: number): string {
  return `${basisPoints / 100} %`;
}

/** A value of an enumeration as words: `card_declined` is `card declined`. */
export function valueInWords(value: string): string {
  return value.replaceAll("_", " ");
}
