/**
 * Makes a value from texts once and returns the same value again. This is for formatters of `Intl`, which cost some
 * 30 µs to make. `most` limits the number of kept values: locales come from outside, so their number is unlimited.
 */
export function keepMade<Value>(most: number, make: (...texts: string[]) => Value): (...texts: string[]) => Value {
  const made = new Map<string, Value>();
  return (...texts) => {
    const key = texts.join("\n");
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(...texts);
    if (made.size >= most) made.clear();
    made.set(key, value);
    return value;
  };
}
