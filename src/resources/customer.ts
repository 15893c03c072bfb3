import * as z from "zod";
import type { Customer } from "../domain/model/customer.ts";
import {
  address,
  addressParams,
  email,
  etag,
  fault,
  id,
  locale,
  metadata,
  metadataParams,
  orNull,
  presentTaxId,
  taxId,
  taxIdParams,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";
import { needs, rules } from "./rules.ts";

export const CustomerResource = z
  .object({
    id: id("cus"),
    email: z.string(),
    name: z.string().nullable(),
    companyName: z
      .string()
      .nullable()
      .meta({ description: "The company for which the Customer buys. Documents show the company before the name." }),
    externalId: z.string().nullable().meta({ description: "The caller's own id for this Customer." }),
    billingAddress: address.nullable(),
    taxId: taxId.nullable(),
    locale: z.string().nullable().meta({
      description: "The language tag (BCP 47) of the Customer's pages and e-mails; null: not known.",
    }),
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Customer" });
export type CustomerResource = z.infer<typeof CustomerResource>;

export const BILLING_COUNTRY_MISSING = "A tax id needs a billing address with its country.";

export const CreateCustomerParams = z
  .strictObject({
    email,
    name: orNull(text(256)),
    companyName: orNull(text(256)),
    externalId: orNull(text(255)),
    billingAddress: orNull(addressParams),
    taxId: orNull(taxIdParams),
    locale: orNull(locale),
    metadata: metadataParams.default({}),
  })
  .refine((customer) => customer.taxId === null || customer.billingAddress !== null, {
    path: ["taxId"],
    ...fault("billing_country_missing", BILLING_COUNTRY_MISSING),
  })
  .meta({ id: "CreateCustomerParams", ...rules(needs("taxId", "billingAddress")) });
export type CreateCustomerParams = z.infer<typeof CreateCustomerParams>;

export const UpdateCustomerParams = z
  .strictObject({
    email: email.exactOptional(),
    name: text(256).nullable().exactOptional(),
    companyName: text(256).nullable().exactOptional(),
    externalId: text(255)
      .nullable()
      .exactOptional()
      .meta({ description: "Set only once. A Customer with an `externalId` keeps it." }),
    billingAddress: addressParams.nullable().exactOptional().meta({ description: "Replaces the whole address." }),
    taxId: taxIdParams.nullable().exactOptional().meta({ description: "Needs a billing address with its country." }),
    locale: locale.nullable().exactOptional(),
    metadata: metadataParams.exactOptional().meta({ description: "Replaces all metadata." }),
  })
  .meta({ id: "UpdateCustomerParams" });
export type UpdateCustomerParams = z.infer<typeof UpdateCustomerParams>;

export const DeleteCustomerQuery = z.strictObject({
  forfeitBalance: z
    .enum(["true", "false"])
    .meta({ description: "`true`: the credit of the Customer is written off." })
    .optional(),
});
export type DeleteCustomerQuery = z.infer<typeof DeleteCustomerQuery>;

export const ListCustomersQuery = z.strictObject({
  ...pageQuery("cus"),
  email: text(320).optional(),
  externalId: text(255).optional(),
  search: text(320)
    .meta({ description: "A part of the e-mail address, the name, the company or the externalId." })
    .optional(),
});
export type ListCustomersQuery = z.infer<typeof ListCustomersQuery>;

export function presentCustomer(customer: Customer): CustomerResource {
  return {
    id: customer.id,
    email: customer.email,
    name: customer.name,
    companyName: customer.companyName,
    externalId: customer.externalId,
    billingAddress: customer.billingAddress,
    taxId: presentTaxId(customer.taxId),
    locale: customer.locale,
    metadata: customer.metadata,
    createdAt: time(customer.createdAt),
    updatedAt: time(customer.updatedAt),
  };
}

export function customerETag(customer: Customer): string {
  return etag(customer.version);
}
