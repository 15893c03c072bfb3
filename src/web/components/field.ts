import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { checksMark, type Check } from "./checks.ts";
import { faultMark, faultText } from "./fault.ts";

export type Field = {
  /** Also its id. */
  name: string;
  label: string;
  value?: string;
  type?: "text" | "email" | "password";
  inputmode: "text" | "email" | "numeric" | "decimal";
  /** A token of HTML's autofill. */
  autocomplete: string;
  required: boolean;
  maxlength: number;
  placeholder?: string;
  /** Shown beside the label. */
  mark?: string;
  /** Offered while the visitor types. */
  suggestions?: readonly string[];
  /** A sentence below the input. */
  hint?: string | undefined;
  fault?: string | undefined;
  checks?: readonly Check[];
  /** The id of the form, if the field is outside it. */
  form?: string | undefined;
};

/** A typed text as a field may show it again: without control characters, and at most as long as an e-mail address. */
export const shownAgain = (typed: string, most = 320) => typed.replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, most);

/** A labelled input. Its fault stands below the input and is tied to it for screen readers. */
export function field({
  name,
  label,
  value = "",
  type = "text",
  mark,
  suggestions = [],
  placeholder = "",
  hint,
  fault,
  checks,
  ...rest
}: Field): Html {
  const options = suggestions.map((each) => html`<option value="${each}">`);
  return html`<div class="field">
<label for="${name}">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" placeholder="${placeholder}"
 inputmode="${rest.inputmode}" autocomplete="${rest.autocomplete}" maxlength="${rest.maxlength}"
 spellcheck="false" autocapitalize="off" dir="auto"
 ${suggestions.length === 0 ? "" : html`list="${name}-list"`}
 ${rest.required ? html`required` : ""}
 ${rest.form === undefined ? "" : html`form="${rest.form}"`}
 ${checksMark(checks)}
 ${faultMark(name, fault, hint)}>
${options.length === 0 ? "" : html`<datalist id="${name}-list">${options}</datalist>`}
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, fault)}
</div>`;
}
