import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { basePath } from "../../assets.ts";
import type { Html } from "../../layout.ts";

/**
 * A page of the documentation, with the commands of a step that needs the server. A seller's page has no command: few
 * readers have a shell there. `page`: a path below `/docs`, such as `operating/verify`.
 */
export const guideLink = (ctx: Context, page: string, words: string): Html =>
  html`<a href="${basePath(ctx)}/docs/${page}">${words}</a>`;
