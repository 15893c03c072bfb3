import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { downloadsDirectory, findBelow } from "../actions/benefit/downloads.ts";
import { isDownloadLink } from "../actions/links.ts";
import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import type { DownloadProperties } from "../domain/model/benefit.ts";
import { isId } from "../ids.ts";
import { findGranted } from "../store/benefit-grants.ts";
import type { PageContext, PageEnvironment } from "./environment.ts";

type Link = Parameters<typeof isDownloadLink>[1];

/** The parts of a link that its seal covers; null for a URL that can't be one of Billow's links. */
function readLink(c: PageContext): Link | null {
  const { organizationId = "", grantId = "", file = "" } = c.req.param() as Record<string, string>;
  const { expires = "", signature = "" } = c.req.query();
  const isNumber = (text: string) => /^(0|[1-9]\d{0,11})$/.test(text);
  if (!isId("org", organizationId) || !isId("bgr", grantId) || !isNumber(file) || !isNumber(expires)) return null;
  return { organizationId, grantId, file: Number(file), expires: Number(expires), signature };
}

/** RFC 6266: the full name for clients that know RFC 8187, and an ASCII name for the others. */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%/]/g, "_");
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}

async function download(ctx: Context, c: PageContext): Promise<Response> {
  const link = readLink(c);
  // At the instant 0 no link has expired, so only the seal counts.
  if (!link || !isDownloadLink(ctx, link, 0)) throw new HTTPException(404);
  const benefit = isDownloadLink(ctx, link, realNow())
    ? await findGranted(ctx.db.read, link.organizationId, link.grantId)
    : null;
  if (benefit?.type !== "download") throw new HTTPException(410);
  const offered = (benefit.properties as DownloadProperties).files[link.file];
  const found = offered && (await findBelow(downloadsDirectory(ctx, link.organizationId), offered.path));
  if (!found) throw new HTTPException(404);
  c.header("Content-Type", "application/octet-stream");
  c.header("Content-Disposition", disposition(offered.name));
  c.header("Content-Length", String(found.size));
  if (c.req.method === "HEAD") return c.body(null);
  return c.body(Readable.toWeb(createReadStream(found.file)) as ReadableStream);
}

/**
 * `/downloads/{organizationId}/{grantId}/{file}`: hands out a file while its grant is active and the link has not
 * expired.
 */
export function downloadPages(ctx: Context, app: Hono<PageEnvironment>): void {
  app.get("/downloads/:organizationId/:grantId/:file", (c) => download(ctx, c));
}
