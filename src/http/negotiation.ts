import { AppError } from "../errors.ts";

/** How specific a media range is that takes JSON in; 0: it doesn't. Problems are JSON too. */
const RANGES = new Map([
  ["*/*", 1],
  ["application/*", 2],
  ["application/json", 3],
  ["application/problem+json", 3],
]);

/** `type/subtype` and its parameters, in lower case and without quotes. */
function parse(text: string): { type: string; parameters: Map<string, string> } {
  const [type = "", ...rest] = text.toLowerCase().split(";");
  const parameters = rest.map((parameter): [string, string] => {
    const [name = "", value = ""] = parameter.split("=");
    return [name.trim(), value.trim().replaceAll('"', "")];
  });
  return { type: type.trim(), parameters: new Map(parameters) };
}

/** Whether the Accept header lets JSON through: the most specific range decides, with a quality above 0 (RFC 9110, 12.5.1). */
function takesJson(accept: string): boolean {
  let best = 0;
  let quality = 0;
  for (const range of accept.split(",")) {
    const { type, parameters } = parse(range);
    const rank = RANGES.get(type) ?? 0;
    const q = Number(parameters.get("q") ?? 1);
    if (rank > best || (rank === best && q > quality)) [best, quality] = [rank, q];
  }
  return best > 0 && quality > 0;
}

/** @throws AppError `not_acceptable` */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept.trim() === "") return;
  if (!takesJson(accept)) throw new AppError("not_acceptable");
}

/** @throws AppError `unsupported_media_type` for anything but JSON in UTF-8 as it is. */
export function checkContentType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", { headers: { "Accept-Encoding": "identity" } });
  }
  if (contentType === "application/json") return;
  const { type, parameters } = parse(contentType ?? "");
  const charset = parameters.get("charset") ?? "utf-8";
  if (type !== "application/json" || charset !== "utf-8") throw new AppError("unsupported_media_type");
}
