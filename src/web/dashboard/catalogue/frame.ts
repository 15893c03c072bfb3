import { html } from "hono/html";
import { allows } from "../../../domain/team/role.ts";
import { catalogueAssets } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { rowPath, type Resource } from "../resource-forms.ts";
import type { SectionName } from "../sections.ts";
import { EDIT, hiddenFields, hiddenValues, refusalNotice, type Sent } from "../sent-form.ts";
import type { DashboardRequest } from "../request.ts";

/** A page of the catalogue, with the styles of the buyer's pages in its picture, and the script of the picture. */
export const framedIn =
  (section: SectionName) =>
  (request: DashboardRequest, title: string, body: Html, actions?: Html, lead?: string, more?: Html): Html => {
    const { styles, script } = catalogueAssets(request.ctx);
    const head = html`${styles.map((path) => html`${stylesheet(path)}\n`)}
<script src="${script}" type="module"></script>
${more ?? ""}`;
    return dashboardPage(request, { section, title, body, head, actions, lead });
  };

/** A part of the page that follows the typing: catalogue.js replaces it. */
export const livePart = (name: string, content: Html | ""): Html => html`<div data-live="${name}">${content}</div>`;

/** A form or facts and, beside them, the picture that follows the typing. */
export function besides(form: Html, title: string, shown: Html): Html {
  return html`<div class="pictured">
${form}
<section class="picture" aria-labelledby="picture-title">
<h2 id="picture-title">${title}</h2>
${livePart("picture", shown)}
</section>
</div>`;
}

/** The form with its first values, unless the form was sent. */
export const filled = (sent: Sent, first: URLSearchParams): Sent => (sent.isSent ? sent : { ...sent, fields: first });

/** `names`: the fields that show their own faults. `drawn`: the picture of the typed values. */
type Pictured = { names: readonly string[]; fields: Html; drawn: Html };

/** The form of a new row, or of the fields that can change later, with its picture. `row` null: the form makes one. */
export function picturedForm<Row extends { id: string }>(
  resource: Resource<Row>,
  row: Row | null,
  sent: Sent,
  { names, fields, drawn }: Pictured,
): { title: string; body: Html } {
  const { noun, path, nameOf } = resource;
  const version = row === null ? "" : hiddenValues({ version: sent.fields.get("version") ?? "" });
  const back = row === null ? `${sent.request.self}/${path}` : rowPath(resource, sent.request, row);
  // A key press sends the first button of a form.
  const form = html`<form method="post" class="catalogue" data-once data-pictured novalidate>
<button class="hidden" type="submit" tabindex="-1" aria-hidden="true"></button>${hiddenFields(sent)}${version}
${refusalNotice(sent, names)}
${fields}
<p class="actions">
<button class="button small" type="submit">${row === null ? `Create the ${noun}` : "Preview"}</button>
<button class="button small other" type="submit" name="${EDIT}" value="picture"
 data-scriptless>Update the picture</button>
<a href="${back}">Not now</a>
</p>
</form>`;
  const title = row === null ? `New ${noun}` : `Edit ${nameOf(row)}`;
  return { title, body: besides(form, "What the buyer will see", drawn) };
}

type CatalogueEntryView = {
  done: Html | "";
  facts: Html;
  drawn: Html;
  links: readonly (readonly [path: string, label: string])[];
};

/** The page of one row: its facts beside the buyer's view of it, and the links to its forms. */
export function shownRow<Row extends { id: string }>(
  resource: Resource<Row>,
  request: DashboardRequest,
  row: Row,
  { done, facts, drawn, links }: CatalogueEntryView,
): Html {
  const at = rowPath(resource, request, row);
  const style = (path: string) => (path === "edit" ? "" : path === "delete" ? " danger" : " other");
  const link = ([path, label]: (typeof links)[number]) =>
    html`<a class="button small${style(path)}" href="${path.includes("/") ? path : `${at}/${path}`}">${label}</a>\n`;
  const actions = allows(request.role, resource.permission) ? html`${links.map(link)}` : undefined;
  const body = html`${done}${besides(facts, "What the buyer sees", drawn)}`;
  return resource.frame(request, resource.nameOf(row), body, actions);
}
