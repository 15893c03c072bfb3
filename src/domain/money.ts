/** A whole number of minor units (cents for usd, yen for jpy), at most `MAX_AMOUNT` either side of zero. */
export type Amount = number;

/** The largest amount that is stored or shown (rule M1). */
export const MAX_AMOUNT: Amount = 999_999_999_999;

/**
 * The whole number nearest to `numerator / denominator`. A half is rounded away from zero, so 5/2 is 3 and -5/2 is -3
 * (rule M1).
 * @throws RangeError when an argument is not a whole number, the denominator is 0, or the result is not a safe
 * integer.
 */
export function divideRoundHalfAwayFromZero(numerator: bigint | number, denominator: bigint | number): number {
  const [top, bottom] = [BigInt(numerator), BigInt(denominator)];
  const [magnitude, divisor] = [absolute(top), absolute(bottom)];
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return toSafeInteger(top < 0n === bottom < 0n ? rounded : -rounded);
}

/**
 * `amount × numerator / denominator`, exact until the one rounding at the end, half away from zero (rule M1).
 * @throws RangeError as `divideRoundHalfAwayFromZero` does.
 */
export function multiplyDivide(amount: Amount, numerator: bigint | number, denominator: bigint | number): Amount {
  return divideRoundHalfAwayFromZero(BigInt(amount) * BigInt(numerator), denominator);
}

/**
 * Shares `total` out in proportion to `weights` by largest remainder, so the parts sum to `total` exactly: 100 over
 * 100 and 200 is 33 and 67 (rule M1). Between equal remainders, the earlier weight gets the unit. A negative total
 * gives the negated parts of the positive total. Without a positive weight only 0 can be shared out.
 * @throws RangeError for a weight that is negative or not whole, or a total other than 0 over weights that sum to 0.
 */
export function allocate(total: Amount, weights: readonly number[]): Amount[] {
  if (weights.some((weight) => weight < 0)) throw new RangeError("a weight is negative");
  const sum = weights.reduce((running, weight) => running + BigInt(weight), 0n);
  if (sum === 0n && total !== 0) throw new RangeError("there is no positive weight to allocate to");
  if (sum === 0n) return weights.map(() => 0);

  const magnitude = absolute(BigInt(total));
  const shares = weights.map((weight) => {
    const product = magnitude * BigInt(weight);
    return { part: product / sum, remainder: product % sum };
  });
  const left = shares.reduce((rest, { part }) => rest - part, magnitude);
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder));
  for (const share of byRemainder.slice(0, Number(left))) share.part += 1n;
  return shares.map(({ part }) => toSafeInteger(total < 0 ? -part : part));
}

export function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((running, amount) => running + amount, 0);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function toSafeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is not a safe integer`);
  return number;
}
