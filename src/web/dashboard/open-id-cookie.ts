import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Context } from "../../context.ts";
import { OPEN_ID_SECONDS } from "../../domain/team/user.ts";
import type { PageContext } from "../environment.ts";

/**
 * The cookie of a visit to the OpenID provider, encrypted. `SameSite=Lax`, because the provider's page leads back to
 * Billow. The prefix `__Host-` as in `SessionCookie`.
 */
export class OpenIdCookie {
  readonly #name: string;
  readonly #place: { path: "/"; secure: boolean; httpOnly: true; sameSite: "Lax" };

  constructor({ config }: Pick<Context, "config">) {
    const secure = config.publicOrigin.startsWith("https:");
    this.#name = secure ? "__Host-billow_open_id" : "billow_open_id";
    this.#place = { path: "/", secure, httpOnly: true, sameSite: "Lax" };
  }

  write(c: PageContext, begun: string): void {
    setCookie(c, this.#name, begun, { ...this.#place, maxAge: OPEN_ID_SECONDS });
  }

  /** Reads and clears the cookie: a visit ends once. */
  take(c: PageContext): string | null {
    const begun = getCookie(c, this.#name) ?? null;
    if (begun !== null) deleteCookie(c, this.#name, this.#place);
    return begun;
  }
}
