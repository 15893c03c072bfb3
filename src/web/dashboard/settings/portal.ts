import { html } from "hono/html";
import { portalUrl } from "../../../actions/links.ts";
import type { Product } from "../../../domain/model/product.ts";
import { PORTAL_OPERATIONS, portalAllows, type PortalAction } from "../../../domain/model/portal-settings.ts";
import { listProducts, products } from "../../../store/products.ts";
import { pathOf } from "../../components/link.ts";
import type { Html } from "../../layout.ts";
import { copyableLink } from "../components/copyable.ts";
import { definitions } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { faultAt, type Sent } from "../sent-form.ts";
import type { DashboardRequest } from "../request.ts";
import { group, switchField } from "./fields.ts";
import { parsedSettings, settingsForm, settingsFormOf, type SettingsData } from "./form.ts";
import { PAUSE_FIELDS, pauseFields, readPauses } from "./portal-pause.ts";

const OPERATION_LABELS: Record<PortalAction, readonly [label: string, hint: string]> = {
  changePlan: ["Change the plan", "A Customer can change to another Product of the same group."],
  changeQuantity: [
    "Change the quantity",
    "A Customer can choose another quantity of a Product, within the limits of the Product, also with another plan. " +
      "This is off at first.",
  ],
  editDetails: ["Edit details", "A Customer can change name, company, address, tax id and language."],
  changeEmail: ["Change the e-mail address", "A Customer can change the e-mail address, by a link to the new address."],
  manageDevices: ["Manage devices", "A Customer can see the devices of a license key, and remove them."],
  cancel: [
    "Cancel",
    "A Customer can cancel at the end of the period. Without this switch, e-mails name you as the way to cancel. " +
      "Some countries require an online cancellation for consumers. Ask a lawyer first.",
  ],
  export: [
    "Download the data",
    "A Customer can download the data of the account as a file, without the metadata and the notes of your team. " +
      "This is off at first.",
  ],
};

const CHOICE = "portal.choice";
const PRODUCTS = "portal.products";
/** The API takes as many. */
const MOST_PRODUCTS = 100;

const isLimited = (sent: Sent, { organization }: SettingsData) =>
  sent.isSent ? sent.fields.get(CHOICE) === "some" : organization.portalProducts !== null;

/** The Products that can be listed: the newest ones for sale, and those that are listed already. */
async function readProducts({ ctx, organization }: DashboardRequest): Promise<Product[]> {
  const query = { limit: MOST_PRODUCTS, archived: "false" } as const;
  const [listed, found] = await Promise.all([
    products.findAll(ctx.db.read, organization.id, organization.portalProducts ?? []),
    listProducts(ctx.db.read, organization.id, query),
  ]);
  const others = found.slice(0, MOST_PRODUCTS).filter(({ id, interval }) => interval !== null && !listed.has(id));
  return [...listed.values(), ...others].sort((one, other) => one.name.localeCompare(other.name));
}

function offers(data: SettingsData, sent: Sent, all: readonly Product[]): Html {
  const some = isLimited(sent, data);
  const chosen = sent.isSent ? sent.fields.getAll(PRODUCTS) : (data.organization.portalProducts ?? []);
  const fault = faultAt(sent, PRODUCTS);
  const choice = (value: "all" | "some", label: string) => html`<label class="option">
<input type="radio" name="${CHOICE}" value="${value}"${some === (value === "some") ? html` checked` : ""}>
<span>${label}</span></label>`;
  const product = ({ id, name, archived }: Product) => html`<label class="option">
<input type="checkbox" name="${PRODUCTS}" value="${id}"${chosen.includes(id) ? html` checked` : ""}>
<span><bdi>${name}</bdi>${archived ? " (archived)" : ""}</span></label>`;
  const list =
    all.length === 0
      ? emptyState("Recurring Products will appear here.")
      : html`<div class="products">${all.map(product)}</div>`;
  return html`${choice("all", "Each Product of the Customer's group")}
${choice("some", "Only these Products")}
${fault === undefined ? "" : html`<p class="fault">${fault}</p>`}
${list}`;
}

function read(sent: Sent) {
  const allowed = PORTAL_OPERATIONS.map((operation) => [operation, sent.fields.has(`portal.${operation}`)]);
  const listed = sent.fields.get(CHOICE) === "some" ? sent.fields.getAll(PRODUCTS) : null;
  return parsedSettings({ portal: { ...Object.fromEntries(allowed), products: listed, pause: readPauses(sent) } });
}

/** `…/settings/portal`: the actions that Customers may do by themselves. */
export const portalSettingsPages = settingsForm({
  tab: "portal",
  lead: "A signed-in Customer can do the selected actions. Your team and your programs can always do all of them.",
  load: (_, request) => readProducts(request),
  read,
  page(data, sent) {
    const { organization, request } = data;
    const url = portalUrl(request.ctx, organization.id);
    const one = (operation: PortalAction) => {
      const [label, hint] = OPERATION_LABELS[operation];
      return switchField(sent, `portal.${operation}`, { label, hint, known: portalAllows(organization, operation) });
    };
    const always =
      "Always allowed: invoices and other documents, files, another card, paying an open invoice, undoing a " +
      "cancellation, and undoing or ending a pause.";
    const fields = html`${group("Customers can", html`${PORTAL_OPERATIONS.map(one)}`, always)}
${group("Products for a change of plan", offers(data, sent, data.more))}
${pauseFields(sent, organization)}`;
    const names = [...PORTAL_OPERATIONS.map((operation) => `portal.${operation}`), PRODUCTS, ...PAUSE_FIELDS];
    return html`${definitions([["Address of the portal", copyableLink(url, "address", pathOf(url))]])}
${settingsFormOf(data, sent, names, fields)}`;
  },
});
