import { html } from "hono/html";
import type { Customer, NewCustomer } from "../../../domain/model/customer.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { AppError, type Fault } from "../../../errors.ts";
import { LANGUAGES } from "../../../domain/locale.ts";
import { ENGLISH } from "../../../texts/words.ts";
import {
  companyField,
  countryField,
  streetFields,
  taxIdField,
  BILLING_FIELDS,
} from "../../components/address-fields.ts";
import { fieldsOfBilling, readBilling, typedBilling } from "../../components/read-billing.ts";
import { withUnasked } from "../../components/retained-address.ts";
import type { Html } from "../../layout.ts";
import { areaField, OPTIONAL, textField } from "../fields.ts";
import { EDIT, faultAt, hiddenFields, refusalNotice, typedOrNull, type Sent } from "../sent-form.ts";
import { metadataText, readMetadata } from "./metadata.ts";

const OWN_FIELDS = ["email", "name", "externalId", "locale", "metadata"] as const;
const MOST_METADATA = 30_000;
const LANGUAGE_HINT = `For pages and e-mails: ${LANGUAGES.join(", ")}, or a tag such as en-GB.`;

const REDRAW_FAILED = "The fields could not be read. Use the button of the country.";

function personFields(sent: Sent, known: Customer | null): Html {
  const fixed = known?.externalId ?? null;
  const text = (name: "email" | "name" | "locale", label: string, maxlength: number, hint?: string) =>
    textField(sent, name, { label, mark: OPTIONAL, maxlength, hint, known: known?.[name] ?? "" });
  const email = { label: "E-mail", type: "email", required: true, maxlength: 320, known: known?.email ?? "" } as const;
  return html`${textField(sent, "email", email)}
${text("name", "Name", 256)}
${text("locale", "Language", 64, LANGUAGE_HINT)}
${
  fixed === null
    ? textField(sent, "externalId", {
        label: "External id",
        mark: OPTIONAL,
        maxlength: 255,
        hint: "Your own id of the Customer. An external id that is set never changes.",
      })
    : html`<p class="hint">The external id is <bdi>${fixed}</bdi>, and never changes.</p>`
}`;
}

function billingFields(sent: Sent, organization: Organization, known: Customer | null): Html {
  const faults = Object.fromEntries(
    BILLING_FIELDS.flatMap((name) => {
      const fault = faultAt(sent, name);
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
  const stored = known === null ? {} : fieldsOfBilling({ ...known, address: known.billingAddress });
  const input = { typed: typedBilling(sent.fields, stored), faults, rates: organization.taxRates };
  return html`${companyField(ENGLISH, input)}
<div data-affects-total>
${countryField(ENGLISH, input, false)}
<button class="button other small" name="${EDIT}" value="update" data-scriptless>
Show the fields of this country</button>
</div>
${streetFields(ENGLISH, input)}
${taxIdField(ENGLISH, input)}`;
}

/** The fields of a Customer. `known`: the Customer as stored; null: a new one. `extra`: further hidden fields. */
export function customerForm(
  sent: Sent,
  known: Customer | null,
  { label, extra = "" }: { label: string; extra?: Html | "" },
): Html {
  const { organization } = sent.request;
  const metadata = known === null ? "" : metadataText(known.metadata);
  return html`<form method="post" class="narrow" novalidate data-once data-said="">
<button class="hidden" type="submit" tabindex="-1" aria-hidden="true"></button>
${hiddenFields(sent)}${extra}
${refusalNotice(sent, [...OWN_FIELDS, ...BILLING_FIELDS])}
${personFields(sent, known)}
<h2>Billing address</h2>
${billingFields(sent, organization, known)}
<h2>Metadata</h2>
${areaField(sent, "metadata", {
  label: "Metadata",
  mark: OPTIONAL,
  maxlength: MOST_METADATA,
  known: metadata,
  hint: "Your own data, one entry for each line: plan = gold",
})}
<button class="button small" type="submit">${label}</button>
<p class="status" role="status" data-busy="" data-failed="${REDRAW_FAILED}"></p>
</form>`;
}

const pointed = (name: string, message: string): Fault => ({
  in: "body",
  pointer: `/${name}`,
  code: "invalid",
  message,
});

/** The Customer as typed, before the schema of the API. `known`: as stored. @throws AppError 422 */
export function typedCustomer(
  sent: Sent,
  known: Customer | null,
): Omit<NewCustomer, "locale"> & { locale: string | null } {
  const { organization } = sent.request;
  const { taxRates: rates } = organization;
  const demand = { rates, required: false, known: known?.taxId ?? null };
  const { taxFaults, otherFaults, billing } = readBilling(ENGLISH, sent.fields, demand);
  const metadata = readMetadata(sent.fields.get("metadata") ?? "");
  const errors = Object.entries({ ...otherFaults, ...taxFaults }).map(([name, message]) => pointed(name, message));
  if ("fault" in metadata) errors.push(pointed("metadata", metadata.fault));
  if (errors.length > 0 || "fault" in metadata) throw new AppError("validation_failed", { errors });
  const address = billing?.address ?? null;
  return {
    email: typedOrNull(sent, "email") ?? "",
    name: typedOrNull(sent, "name"),
    companyName: billing?.companyName ?? null,
    externalId: known?.externalId ?? typedOrNull(sent, "externalId"),
    billingAddress: address && withUnasked(ENGLISH, rates, known?.billingAddress ?? null, address),
    taxId: billing?.taxId ?? null,
    locale: typedOrNull(sent, "locale"),
    metadata: metadata.metadata,
  };
}
