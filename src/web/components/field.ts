import { html } from "hono/html";
import type { Html } from "../layout.ts";

export type Field = {
  /** Also its id. */
  name: string;
  label: string;
  value?: string;
  type?: "text" | "email";
  inputmode: "text" | "email" | "numeric";
  /** A token of HTML's autofill. */
  autocomplete: string;
  required: boolean;
  maxlength: number;
  placeholder?: string;
  hint?: string;
  fault?: string | undefined;
};

/** A labelled input; what is wrong with it and how to fill it in are tied to it. */
export function field({ name, label, value = "", type = "text", fault, hint, placeholder = "", ...rest }: Field): Html {
  const described = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter((id) => id !== false).join(" ");
  return html`<div class="field">
<label for="${name}">${label}${rest.required ? "" : html` <span class="optional">optional</span>`}</label>
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault === undefined ? "" : html`<p class="fault" id="${name}-fault">${fault}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}" inputmode="${rest.inputmode}" autocomplete="${rest.autocomplete}"
 maxlength="${rest.maxlength}" placeholder="${placeholder}" spellcheck="false" autocapitalize="off" dir="${type === "email" ? "ltr" : "auto"}"
 ${rest.required ? html`required` : ""} ${fault === undefined ? "" : html`aria-invalid="true"`}
 ${described === "" ? "" : html`aria-describedby="${described}"`}>
</div>`;
}
