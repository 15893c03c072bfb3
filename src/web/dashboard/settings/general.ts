import { html } from "hono/html";
import { portalUrl } from "../../../actions/links.ts";
import { readProblems } from "../../../actions/organization/problems.ts";
import { COUNTRIES, taxIdType } from "../../../domain/tax/country.ts";
import { CURRENCIES } from "../../../domain/currency.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { ProrationBehavior } from "../../../domain/model/proration.ts";
import { presentOrganization, type Problems } from "../../../resources/organization.ts";
import type { Html } from "../../layout.ts";
import { id, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { selectField, textField } from "../fields.ts";
import { typed, typedOrNull, type Sent } from "../sent-form.ts";
import { COUNTRY_CHOICES } from "./country-choices.ts";
import { group } from "./fields.ts";
import { parsedSettings, settingsForm, settingsFormOf, type SettingsData } from "./form.ts";

const ADDRESS = ["line1", "line2", "postalCode", "city", "state"] as const;
const LINKS = ["supportEmail", "supportUrl", "termsUrl", "privacyUrl", "websiteUrl"] as const;
const NAMES = ["name", "legalName", "invoicePrefix", "timeZone", "defaultCurrency", "defaultProration", "address"];
const SHOWN = [...NAMES, "quantityRise", "quantityFall", "taxId", ...LINKS];

const PRORATIONS: Record<ProrationBehavior, string> = {
  invoice_now: "Change now, and bill the proration now",
  next_invoice: "Change now, and bill the proration on the next invoice",
  next_period: "Change at the end of the period",
  none: "Change now, without proration",
};

const currencyNames = new Intl.DisplayNames("en", { type: "currency" });
const CURRENCY_CHOICES = [...CURRENCIES.keys()].map(
  (value) => [value, `${value.toUpperCase()} · ${currencyNames.of(value.toUpperCase())}`] as const,
);
const PRORATION_CHOICES = Object.entries(PRORATIONS);
const TAX_ID_TYPES = [...new Set([...COUNTRIES].map(taxIdType))].sort();
const TIME_ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

const NO_COUNTRY = "Choose the country of the address.";

/** An address without any value is no address. */
function addressIn(sent: Sent): object | null {
  const country = typed(sent, "address.country");
  const parts = Object.fromEntries(ADDRESS.map((part) => [part, typedOrNull(sent, `address.${part}`)]));
  if (country !== "") return { country, ...parts };
  return Object.values(parts).every((part) => part === null) ? null : { country, ...parts };
}

function taxIdIn(sent: Sent): object | null {
  const [type, value] = [typed(sent, "taxId.type"), typed(sent, "taxId.value")];
  return value === "" && type === "" ? null : { type, value };
}

function read(sent: Sent) {
  const body = {
    name: typed(sent, "name"),
    legalName: typedOrNull(sent, "legalName"),
    invoicePrefix: typed(sent, "invoicePrefix"),
    address: addressIn(sent),
    taxId: taxIdIn(sent),
    timeZone: typed(sent, "timeZone"),
    defaultCurrency: typed(sent, "defaultCurrency"),
    defaultProration: typed(sent, "defaultProration"),
    quantityRise: typed(sent, "quantityRise"),
    quantityFall: typed(sent, "quantityFall"),
    ...Object.fromEntries(LINKS.map((name) => [name, typedOrNull(sent, name)])),
  };
  return parsedSettings(body, ({ pointer }) => (pointer === "/address/country" ? NO_COUNTRY : null));
}

function business(sent: Sent, { name, legalName, invoicePrefix, address, taxId }: Organization): Html {
  const part = (key: (typeof ADDRESS)[number], label: string, maxlength: number) =>
    textField(sent, `address.${key}`, { label, maxlength, known: address?.[key] ?? null });
  const names = html`${textField(sent, "name", {
    label: "Name",
    maxlength: 128,
    required: true,
    known: name,
    hint: "Buyers see this name, unless Branding has another one.",
  })}
${textField(sent, "legalName", {
  label: "Legal name",
  maxlength: 256,
  known: legalName,
  hint: "The seller on new invoices. If empty, invoices have the name.",
})}`;
  const addressFields = html`${selectField(sent, "address.country", {
    label: "Country",
    none: "No address",
    options: COUNTRY_CHOICES,
    known: address?.country ?? null,
    hint: "A buyer with a tax id in another country accounts for the tax, where a tax rate allows that.",
  })}
${part("line1", "Street address", 256)}
${part("line2", "Apartment, suite or floor", 256)}
${part("postalCode", "Postal code", 32)}
${part("city", "City", 128)}
${part("state", "State or region", 128)}`;
  const numbers = html`${textField(sent, "taxId.type", {
    label: "Kind of tax id",
    maxlength: 32,
    suggestions: TAX_ID_TYPES,
    known: taxId?.type ?? null,
    hint: "Such as eu_vat in the European Union.",
  })}
${textField(sent, "taxId.value", { label: "Tax id", maxlength: 64, known: taxId?.value ?? null })}
${textField(sent, "invoicePrefix", {
  label: "Prefix of invoice numbers",
  maxlength: 12,
  required: true,
  known: invoicePrefix,
  hint: "1 to 12 letters and digits. Issued invoices keep their numbers.",
})}`;
  return html`${group("Business", names)}
${group("Address", addressFields, "New invoices show the address. Issued invoices stay as they are.")}
${group("Numbers", numbers)}`;
}

/** How a change is billed unless its request says otherwise. */
function proration(sent: Sent, { defaultProration, quantityRise, quantityFall }: Organization): Html {
  const choice = (name: string, label: string, known: ProrationBehavior, hint: string) =>
    selectField(sent, name, { label, none: "Choose", options: PRORATION_CHOICES, known, hint });
  const plan = "The default for changes of a Subscription. Scheduled changes stay as they are.";
  return html`${choice("defaultProration", "Change of a plan", defaultProration, plan)}
${choice("quantityRise", "Rise of a quantity", quantityRise, "The default if the quantity alone rises.")}
${choice("quantityFall", "Fall of a quantity", quantityFall, "The default if the quantity alone falls.")}`;
}

function defaults(sent: Sent, organization: Organization): Html {
  const { timeZone, defaultCurrency } = organization;
  return group(
    "Billing",
    html`${textField(sent, "timeZone", {
      label: "Time zone",
      maxlength: 64,
      required: true,
      suggestions: TIME_ZONES,
      known: timeZone,
      hint:
        "New Subscriptions are renewed by the calendar of this zone. A running Subscription keeps its zone. The " +
        "dashboard and documents show times in the new zone.",
    })}
${selectField(sent, "defaultCurrency", {
  label: "Default currency",
  none: "Choose",
  options: CURRENCY_CHOICES,
  known: defaultCurrency,
  hint:
    "The default for new Checkouts. Running Subscriptions keep their currency. The limit for refunds by " +
    "support is in this currency, so check the limit after a change.",
})}
${proration(sent, organization)}`,
  );
}

function links(sent: Sent, organization: Organization): Html {
  const link = (name: (typeof LINKS)[number], label: string, hint: string) => {
    const isEmail = name === "supportEmail";
    const kind = isEmail ? ({ type: "email" } as const) : {};
    return textField(sent, name, { label, hint, maxlength: isEmail ? 320 : 2048, known: organization[name], ...kind });
  };
  return group(
    "Links for buyers",
    html`${link("supportEmail", "Support by e-mail", "Pages and e-mails link to this address.")}
${link("supportUrl", "Support page", "Pages and e-mails link to this page instead of the e-mail address.")}
${link("termsUrl", "Terms", "The Checkout says that the buyer agrees to these terms.")}
${link("privacyUrl", "Privacy policy", "Beside the terms.")}
${link("websiteUrl", "Website", "At the foot of pages and e-mails, and on receipts.")}`,
    "Addresses begin with https:// and stand at the foot of pages and e-mails.",
  );
}

/** The facts that no form changes, and the problems that need a person. */
function facts({ organization, request }: SettingsData, problems: Problems): Html {
  const { notices } = presentOrganization(organization, portalUrl(request.ctx, organization.id), problems);
  const { mode, createdAt, updatedAt, timeZone } = organization;
  const support = html`<a href="${request.self}/team/refund-limit">Refunds by support</a>`;
  return html`${notices.map(({ text }) => notice("warning", text))}
${definitions([
  ["Id", id(organization.id)],
  ["Mode", mode === "live" ? "Live: real money moves" : "Sandbox: no real money moves"],
  ["Created", time(createdAt, timeZone)],
  ["Last changed", time(updatedAt, timeZone)],
  ["Limit for support", support],
])}`;
}

/** `…/settings`: the seller, and the defaults of billing. */
export const generalPages = settingsForm<Problems>({
  tab: "general",
  load: (_, { ctx, organization }) => readProblems(ctx.db.read, organization.id),
  read,
  page(data, sent) {
    const { organization } = data;
    const fields = html`${business(sent, organization)}
${defaults(sent, organization)}
${links(sent, organization)}`;
    return html`${facts(data, data.more)}
${settingsFormOf(data, sent, SHOWN, fields)}`;
  },
});
