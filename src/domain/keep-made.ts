/**
 * Makes a value of texts once and answers it again: for formatters of `Intl`, which cost some 30 µs to make. `most`: so many values are
 * kept; locales and zones come from outside, so there may be any number of them.
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
