import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const CODINGS = {
  br: (body: Uint8Array) => toBrotli(body, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }),
  gzip: (body: Uint8Array) => toGzip(body, { level: 9 }),
} as const;
type Coding = keyof typeof CODINGS;

/** The best coding that an Accept-Encoding header allows by its name; null: none. */
export function codingOf(header: string | undefined): Coding | null {
  const allowed = new Map(
    (header ?? "").split(",").map((each) => {
      const [name = "", ...parameters] = each.toLowerCase().split(";");
      const quality = parameters
        .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
        .find((found) => found !== undefined);
      return [name.trim(), Number(quality ?? 1)] as const;
    }),
  );
  return (["br", "gzip"] as const).find((coding) => (allowed.get(coding) ?? 0) > 0) ?? null;
}

export type Encoded = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/**
 * A public file in the codings of browsers. Each coding is made at its first request, since the strongest one takes a
 * second for a big script. A page is not compressed: it holds a token, and its length would tell about the token.
 */
export function compressible(text: string | Uint8Array): (acceptEncoding: string | undefined) => Promise<Encoded> {
  const plain = typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const make = async (coding: Coding) => new Uint8Array(await CODINGS[coding](plain));
  return async (header) => {
    const coding = codingOf(header);
    const vary = { Vary: "Accept-Encoding" };
    if (coding === null) return { body: plain, headers: vary };
    const body = await made.getOrInsertComputed(coding, make);
    return { body, headers: { ...vary, "Content-Encoding": coding } };
  };
}
