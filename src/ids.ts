import { realNow } from "./clock.ts";

/** The kinds of ids: the letters before the underscore. */
export type IdPrefix =
  | "act"
  | "aud"
  | "bal"
  | "bft"
  | "bgr"
  | "chg"
  | "chk"
  | "crn"
  | "cus"
  | "dsc"
  | "dsp"
  | "emc"
  | "eml"
  | "evt"
  | "iln"
  | "imp"
  | "ins"
  | "inv"
  | "itn"
  | "key"
  | "led"
  | "ntc"
  | "org"
  | "pac"
  | "pay"
  | "pch"
  | "plk"
  | "pm"
  | "pps"
  | "prd"
  | "req"
  | "rfd"
  | "sub"
  | "usr"
  | "whd"
  | "whk"
  | "whr";

/**
 * A TypeID: the prefix, `_`, and a UUIDv7 (RFC 9562) as 26 characters of Crockford's base 32. Ids therefore sort by
 * creation.
 */
export type Id<P extends string> = `${P}_${string}`;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const PAIRS: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`,
);
const MAX_COUNTER = 0xfff;
const WORDS_PER_ID = 7; // of 16 bits

// One call of the system's generator serves 512 ids. Its 7 KiB take less than twice the 1.6 µs of 16 bytes.
const pool = new Uint16Array(512 * WORDS_PER_ID);
let used = pool.length;

let lastMilliseconds = 0;
let lastTime = "";
let counter = 0;

/**
 * A new id, greater than every id that this process made before. A counter in `rand_a` orders ids of the same
 * millisecond, and ids made after the clock went back. When the counter's 12 bits are spent, the time runs one
 * millisecond ahead (RFC 9562, 6.2). The other 62 bits are random.
 */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  tick();
  // After the time come 20 bits: version 7, the counter, variant 2 and the first two random bits. Then come 60 more
  // random bits.
  const middle = (7 << 16) | (counter << 4) | (2 << 2) | (random() & 3);
  let suffix = lastTime + pair(middle >> 10) + pair(middle);
  for (let drawn = 1; drawn < WORDS_PER_ID; drawn += 1) suffix += pair(random());
  return `${prefix}_${suffix}`;
}

// TypeID puts two zero bits before the 128 bits, so the first character is at most 7.
const SUFFIX_PATTERN = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const SUFFIX = new RegExp(`^${SUFFIX_PATTERN}$`);

/** The regular expression for well-formed ids with this prefix, whether or not they exist. */
export const idPattern = (prefix: IdPrefix) => `^${prefix}_${SUFFIX_PATTERN}$`;

/** Whether `text` is a well-formed id with this prefix. Such an id need not exist. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

function tick(): void {
  const now = realNow();
  if (now <= lastMilliseconds && counter < MAX_COUNTER) {
    counter += 1;
    return;
  }
  lastMilliseconds = Math.max(now, lastMilliseconds + 1);
  counter = 0;
  lastTime = timeOf(lastMilliseconds);
}

/** 48 bits and two bits of padding make exactly ten characters. */
function timeOf(milliseconds: number): string {
  let time = "";
  for (let shift = 40; shift >= 0; shift -= 10) time += pair(Math.floor(milliseconds / 2 ** shift));
  return time;
}

/** A text below every id with this prefix that was made at `milliseconds` of real time or later. */
export const firstIdAt = (prefix: IdPrefix, milliseconds: number) => `${prefix}_${timeOf(milliseconds)}`;

function random(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  return pool[used++] as number;
}

/** The lowest ten bits as two characters. */
function pair(bits: number): string {
  return PAIRS[bits & 1023] as string;
}
