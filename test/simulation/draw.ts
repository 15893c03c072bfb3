import { createRandom } from "../crash/buyers.ts";

/** Choices that follow from a seed. */
export class Draw {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = createRandom(seed);
  }
  /** From `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }
  chance(part: number): boolean {
    return this.random() < part;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }
  /** One of the keys, with a probability in proportion to its weight. */
  weighted<Key extends string>(weights: Record<Key, number>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let left = this.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries.at(-1)![0];
  }
}
