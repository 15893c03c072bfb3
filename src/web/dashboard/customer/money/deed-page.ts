import { html } from "hono/html";
import { AppError } from "../../../../errors.ts";
import { customerStylesPath } from "../../../assets.ts";
import { stylesheet, type Html } from "../../../layout.ts";
import { dashboardPage } from "../../frame.ts";
import { nameOf } from "../../lists/customer-cell.ts";
import { refusalOf, type Sent } from "../../sent.ts";
import type { Scene } from "../part.ts";

/** The page of a deed on a Customer. */
export function deedPage({ ctx, visit, self, customer }: Scene, title: string, body: Html): Html {
  const back = html`<p class="back"><a href="${self}">Back to <bdi>${nameOf(customer)}</bdi></a></p>`;
  const head = stylesheet(customerStylesPath(ctx));
  return dashboardPage(ctx, visit, { section: "customers", title, head, body: html`${back}${body}` });
}

/** Hidden fields with the values of a form whose effect was shown. */
export const hiddenValues = (values: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** The preview of a deed; null if the deed would be refused. `sent`: the form, with the reason of the refusal. */
export type Previewed<T> = { sent: Sent; preview: T | null };

/** Runs the preview of a deed. A refusal is shown as that of a sent form would be. */
export async function previewed<T>(sent: Sent, run: () => Promise<T>): Promise<Previewed<T>> {
  try {
    return { sent, preview: await run() };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "not_found") throw error;
    return { sent: sent.refusal === null ? { ...sent, refusal: refusalOf(error) } : sent, preview: null };
  }
}

/** The effects of a deed, one below the other. */
export const effects = (each: readonly (Html | string)[]): Html =>
  html`<ul class="effects">${each.map((one) => html`<li>${one}</li>`)}</ul>`;
