/** Reads the value of a setting; undefined: the text is no such value. */
export type Reader<T> = (text: string) => T | undefined;

/** A whole number within the bounds. */
export const whole =
  (from: number, to: number): Reader<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && +text >= from && +text <= to ? +text : undefined;

/** Parts that commas separate. */
export const list = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The paths of the public API. */
export const basePaths: Reader<string[]> = (text) => {
  const paths = list(text);
  return paths.length > 0 && paths.every((path) => /^(\/[\w.~-]+)*\/public\/v2$/.test(path))
    ? [...new Set(paths)]
    : undefined;
};

/** An address of http or https, without a slash at the end. */
export const origin: Reader<string> = (text) => {
  const url = URL.parse(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && url.search === "" && url.hash === "";
  return plain ? (url.origin + url.pathname).replace(/\/+$/, "") : undefined;
};

/** An e-mail address. */
export const address: Reader<string> = (text) =>
  /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text) ? text : undefined;
