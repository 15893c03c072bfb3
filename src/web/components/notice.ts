import { html } from "hono/html";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

/** `field`: the id of the input with this problem. */
type Problem = { field?: string; text: Html | string };

/** A problem of the whole form. `id`: the anchor to which the form's address leads. */
export type FormProblem = { title: string; text: Html | string; id?: string };

/** The list of problems. Screen readers read the list at once, and the list has the focus even without a script. */
function notice({ title, id }: Pick<FormProblem, "title" | "id">, problems: readonly Problem[]): Html {
  const entry = ({ field, text }: Problem) =>
    html`<li>${field === undefined ? text : html`<a href="#${field}">${text}</a>`}</li>`;
  return html`<div class="notice" ${id === undefined ? "" : html`id="${id}"`} role="alert" tabindex="-1" autofocus
 aria-labelledby="notice-title">
<h2 id="notice-title">${title}</h2>
<ul>${problems.map(entry)}</ul>
</div>`;
}

/**
 * The notice of a form that is shown again: the faults of its fields in their order, and the problem of the whole
 * form.
 */
export function formNotice<Name extends string>(
  { frame }: Words,
  names: readonly Name[],
  { faults, problem }: { faults: Partial<Record<Name, string>>; problem: FormProblem | null },
): Html | "" {
  const found = names.flatMap((name): Problem[] =>
    faults[name] === undefined ? [] : [{ field: name, text: faults[name] }],
  );
  if (problem) return notice(problem, [...found, { text: problem.text }]);
  return found.length === 0 ? "" : notice({ title: frame.checkFields }, found);
}
