import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Context } from "../../context.ts";
import { USER_SESSION_SECONDS } from "../../domain/team/user.ts";
import type { PageContext } from "../environment.ts";

/**
 * The cookie of the dashboard's session. No script reads the cookie. The prefix `__Host-` keeps other hosts of the same
 * domain from setting the cookie. The prefix needs https, so a server without https has a cookie without the prefix.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #place: { path: "/"; secure: boolean; httpOnly: true; sameSite: "Lax" };

  constructor({ config }: Pick<Context, "config">) {
    const secure = config.publicOrigin.startsWith("https:");
    this.#name = secure ? "__Host-billow_dashboard" : "billow_dashboard";
    this.#place = { path: "/", secure, httpOnly: true, sameSite: "Lax" };
  }

  read(c: PageContext): string | null {
    return getCookie(c, this.#name) ?? null;
  }

  write(c: PageContext, secret: string): void {
    setCookie(c, this.#name, secret, { ...this.#place, maxAge: USER_SESSION_SECONDS });
  }

  clear(c: PageContext): void {
    deleteCookie(c, this.#name, this.#place);
  }
}
