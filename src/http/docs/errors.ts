import { html } from "hono/html";
import { ERRORS, type ErrorCode } from "../../errors.ts";
import { linkFrom, prose, textPage } from "./shell.ts";

const PATH = "/docs/errors";

/** The HTML page with every error code. Each code has the anchor that the `type` of its problem names. */
export function renderErrors(): string {
  const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];
  const content = html`<h1>Errors</h1>
<p>The <code>code</code> of a problem is stable. Its <code>detail</code> describes the single case. After a 401, stop
using that key. Send the same request again only after a 5xx, a 429 or <code>idempotency_in_progress</code>.
<a href="${linkFrom(PATH, "/docs/api/errors")}">More about errors</a></p>
<div class="stacked"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th>
<th scope="col">Next step</th></tr></thead>
<tbody>${codes.map(
    ([code, [status, title, advice]]) =>
      html`<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td>
<td>${title}</td><td>${prose(advice)}</td></tr>`,
  )}</tbody>
</table></div>`;
  return textPage({ path: PATH, title: "Errors", content });
}
