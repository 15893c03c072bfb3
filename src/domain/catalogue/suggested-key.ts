/** The most characters of a key. */
const LONGEST = 64;

/** A key made of a name: `pro-plan` for “Pro plan”. Empty: the name has no letter or digit that a key can have. */
export function suggestedKey(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").toLowerCase();
  return plain
    .replace(/[^a-z0-9_]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
}

/** Further keys for the same name, if the first one is taken: `pro-plan-year`, `pro-plan-2`. */
export function keysLike(key: string, interval: string | null): string[] {
  const ends = [...(interval === null ? [] : [interval]), "2", "3", "4"];
  return ends.map((end) => `${key.slice(0, LONGEST - end.length - 1)}-${end}`);
}
