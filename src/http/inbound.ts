import { receiveNotice } from "../actions/notice/receive.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/** Larger than any notice of a provider. */
export const MOST_NOTICE_BYTES = 256 * 1024;

/** @throws AppError 413 `body_too_large`, 400 `malformed_request` */
async function readRaw(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size <= MOST_NOTICE_BYTES) chunks.push(chunk);
    }
  } catch {
    throw new AppError("malformed_request");
  }
  if (size > MOST_NOTICE_BYTES) throw new AppError("body_too_large", { detail: "Send at most 256 KiB." });
  return Buffer.concat(chunks);
}

/**
 * `POST /inbound/{provider}/{organizationId}`: a notice of a payment provider. An unknown Organization, a missing
 * secret and a wrong signature have the same answer, so that a stranger learns nothing.
 * @throws AppError 400 `notice_invalid`, 413 `body_too_large`
 */
export async function answerNotice(
  ctx: Context,
  provider: string,
  organizationId: string,
  request: Request,
): Promise<Response> {
  const headers = new Map(request.headers);
  const isTaken = await receiveNotice(ctx, provider, organizationId, headers, await readRaw(request));
  if (!isTaken) throw new AppError("notice_invalid");
  return new Response('{"received":true}', { headers: { "Content-Type": "application/json" } });
}
