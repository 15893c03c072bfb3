/** A code counts for one step of 30 seconds (RFC 6238). */
export const STEP_MILLISECONDS = 30_000;
const DIGITS = 6;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** A key of 160 bits, as RFC 4226 recommends. */
export const KEY_BYTES = 20;
const KEY = /^[A-Z2-7]{32}$/;

/** Bytes in base32 (RFC 4648) without padding, as authenticator apps take keys. A key has a whole number of letters. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join("");
}

/** The bytes of a key in base32; null: this is not a key. */
export function fromBase32(text: string): Uint8Array | null {
  if (!KEY.test(text)) return null;
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}

/** The step of an instant in epoch milliseconds. */
export const stepAt = (now: number) => Math.floor(now / STEP_MILLISECONDS);

/** The step as the eight bytes of which a code is the HMAC. */
export function bytesOfStep(step: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(step));
  return bytes;
}

/** The six digits of an HMAC-SHA-1 (RFC 4226, 5.3). */
export function codeOf(hmac: Uint8Array): string {
  const offset = hmac.at(-1)! & 15;
  const number = new DataView(hmac.buffer, hmac.byteOffset).getUint32(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The digits of a typed code; null: this is not a code. Apps show codes in two groups. */
export function typedCode(text: string): string | null {
  const digits = text.normalize("NFKC").replace(/[\s-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}
