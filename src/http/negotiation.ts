import { AppError } from "../errors.ts";

/** The media type of an operation's successful answer. */
export type MediaType = "application/json" | "application/pdf";

/** The types that an Accept header may name for each media type. Problems count as JSON. */
const COVERED_BY: Record<MediaType, readonly string[]> = {
  "application/json": ["application/json", "application/problem+json"],
  "application/pdf": ["application/pdf"],
};

/** The specificity of a media range for this type; 0 if the range does not include the type. */
function rankOf(range: string, type: MediaType): number {
  if (range === "*/*") return 1;
  if (range === "application/*") return 2;
  return COVERED_BY[type].includes(range) ? 3 : 0;
}

/** `type/subtype` and its parameters, in lower case and without quotes. */
function parse(text: string): { type: string; parameters: Map<string, string> } {
  const [type = "", ...rest] = text.toLowerCase().split(";");
  const parameters = rest.map((parameter): [string, string] => {
    const [name = "", value = ""] = parameter.split("=");
    return [name.trim(), value.trim().replaceAll('"', "")];
  });
  return { type: type.trim(), parameters: new Map(parameters) };
}

/**
 * Whether the Accept header allows a type: the most specific range for the type has a quality above 0 (RFC 9110,
 * 12.5.1).
 */
function takes(accept: string, wanted: MediaType): boolean {
  let best = 0;
  let quality = 0;
  for (const range of accept.split(",")) {
    const { type, parameters } = parse(range);
    const rank = rankOf(type, wanted);
    const q = Number(parameters.get("q") ?? 1);
    if (rank > best || (rank === best && q > quality)) [best, quality] = [rank, q];
  }
  return best > 0 && quality > 0;
}

/** @throws AppError `not_acceptable` */
export function checkAccept(accept: string | undefined, type: MediaType): void {
  if (accept === undefined || accept === "*/*" || accept === type || accept.trim() === "") return;
  if (!takes(accept, type)) throw new AppError("not_acceptable");
}

/** @throws AppError `unsupported_media_type` for anything but JSON in UTF-8 without compression. */
export function checkContentType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", { headers: { "Accept-Encoding": "identity" } });
  }
  if (contentType === "application/json") return;
  const { type, parameters } = parse(contentType ?? "");
  const charset = parameters.get("charset") ?? "utf-8";
  if (type !== "application/json" || charset !== "utf-8") throw new AppError("unsupported_media_type");
}
