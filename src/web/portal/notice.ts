import { html } from "hono/html";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Context } from "../../context.ts";
import type { Words } from "../../texts/words.ts";
import type { PageContext } from "../environment.ts";
import type { Html } from "../layout.ts";

/** The operations that the home page confirms once, after the redirect. */
const OPERATIONS = [
  "details",
  "card",
  "cancel",
  "keep",
  "pause",
  "undoPause",
  "resume",
  "price",
  "keepPlan",
  "withdrawEmail",
  "disown",
  "planCard",
] as const;
export type PortalOperation = (typeof OPERATIONS)[number];

const NAME = "billow_portal_done";
/** Long enough for the redirect. */
const SECONDS = 60;

const cookieOptions = ({ config }: Context, path: string) => ({
  path,
  secure: config.publicOrigin.startsWith("https:"),
});

/**
 * Lets the home page confirm this operation. The operation travels in a cookie and not in the address, so that no link
 * of a stranger shows a false confirmation. `home`: the path of the home page.
 */
export function noteOperation(ctx: Context, c: PageContext, home: string, operation: PortalOperation): void {
  setCookie(c, NAME, operation, { ...cookieOptions(ctx, home), httpOnly: true, sameSite: "Lax", maxAge: SECONDS });
}

/** The operation to be confirmed now; a reload finds none. Null for an unknown value, too. */
export function takeOperation(ctx: Context, c: PageContext, home: string): PortalOperation | null {
  const noted = getCookie(c, NAME);
  if (noted === undefined) return null;
  deleteCookie(c, NAME, cookieOptions(ctx, home));
  return OPERATIONS.find((operation) => operation === noted) ?? null;
}

/** The confirmation. Screen readers read it at once, because it has the focus. */
export function operationNotice({ portalDone }: Words, operation: PortalOperation | null): Html | "" {
  if (operation === null) return "";
  return html`<p class="done" role="status" tabindex="-1" autofocus>${portalDone[operation]}</p>`;
}
