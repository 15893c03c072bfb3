import type { Hono } from "hono";
import { paymentLinkUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { findAsset, TABLE_LOADER } from "../assets.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { FRAMED_POLICY, type RequestLimit } from "../guards.ts";
import { linkAt, ROOT, visitOf } from "./visited.ts";
import { tablePage } from "./table.ts";
import { themeOf } from "./theme.ts";

/** Any site may show the answer in a frame, or load it as a script. */
function openToAllSites(c: PageContext): void {
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
  c.header("Content-Security-Policy", FRAMED_POLICY);
}

/**
 * `/buy/{link}/table`: the pricing table for a frame. `/buy/{link}/table.js`: a script that puts the frame into a page
 * of any site, and gives the frame the height of the table.
 */
export function tablePages(ctx: Context, app: Hono<PageEnvironment>, guesses: RequestLimit): void {
  app.get(`${ROOT}/table`, async (c) => {
    const query = new URL(c.req.url).searchParams;
    const visited = await visitOf(ctx, c, query, guesses);
    const { visit, ended } = visited;
    const theme = themeOf(query, visit.organization.branding.accentColor);
    openToAllSites(c);
    const page = paymentLinkUrl(ctx, visit.link);
    return c.html(tablePage(ctx, { ...visited, isOpen: ended === null, theme, page }), ended === "off" ? 410 : 200);
  });
  app.get(`${ROOT}/table.js`, async (c) => {
    await linkAt(ctx, c);
    openToAllSites(c);
    const { body, headers } = await findAsset(TABLE_LOADER)!.encoded(c.req.header("Accept-Encoding"));
    const type = "text/javascript; charset=utf-8";
    return c.body(body, 200, { "Content-Type": type, "Cache-Control": "public, max-age=3600", ...headers });
  });
}
