import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Context } from "../context.ts";
import type { PageContext } from "./environment.ts";

/**
 * This cookie is set when a buyer pays a Checkout, and removed when the buyer goes on to the merchant. The cookie
 * distinguishes this visit from later visits through the same link.
 */
const VISIT = "billow_visit";
const VISIT_SECONDS = 2 * 60 * 60;

/** The path of the cookie: that of the Checkout's page, without the secret. */
const pathOfVisit = (page: string) => page.slice(0, page.lastIndexOf("/"));

/**
 * The attributes of a Checkout's cookie: no script reads it, and a browser sends it to this Checkout's pages alone.
 * `page`: the path of the Checkout's page.
 */
export function cookieOf(ctx: Context, page: string) {
  const secure = ctx.config.publicOrigin.startsWith("https:");
  return { path: pathOfVisit(page), httpOnly: true, sameSite: "Lax", secure } as const;
}

/** `page`: the path of the Checkout's page. */
export function rememberVisit(ctx: Context, c: PageContext, page: string): void {
  setCookie(c, VISIT, "1", { ...cookieOf(ctx, page), maxAge: VISIT_SECONDS });
}

export const isVisit = (c: PageContext) => getCookie(c, VISIT) !== undefined;

export function endVisit(c: PageContext, page: string): void {
  deleteCookie(c, VISIT, { path: pathOfVisit(page) });
}
