import * as z from "zod";
import { ACTOR_TYPES, type AuditEntry } from "../domain/team/audit.ts";
import { id, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const AuditEntryResource = z
  .object({
    id: id("aud"),
    at: timestamp.meta({ description: "In real time." }),
    actor: z
      .object({ type: z.enum(ACTOR_TYPES), id: z.string().nullable(), name: z.string().nullable() })
      .meta({ description: "The caller: a user of the dashboard, an API key, or a command on the server (`cli`)." }),
    operation: z.string().meta({ description: "The name of the operation, such as `updateCustomer`." }),
    resourceId: z.string().nullable().meta({ description: "The changed or created resource." }),
    customerId: id("cus").nullable(),
    fields: z
      .array(z.string())
      .nullable()
      .meta({ description: "The names of the fields in the request. Null once the Customer is deleted." }),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .nullable()
      .meta({ description: "The values of the fields that hold neither personal data nor secrets." }),
    clientAddress: z.string().nullable().meta({ description: "The IP address of the caller. Null: a command." }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntryResource = z.infer<typeof AuditEntryResource>;

export const ListAuditLogQuery = z.strictObject({
  ...pageQuery("aud"),
  actorType: z.enum(ACTOR_TYPES).optional(),
  actorId: text(64).optional(),
  operation: text(64).optional(),
  customerId: text(64).optional(),
});
export type ListAuditLogQuery = z.infer<typeof ListAuditLogQuery>;

export function presentAuditEntry(entry: AuditEntry): AuditEntryResource {
  return {
    id: entry.id,
    at: time(entry.at),
    actor: { type: entry.actorType, id: entry.actorId, name: entry.actorName },
    operation: entry.operation,
    resourceId: entry.resourceId,
    customerId: entry.customerId,
    fields: entry.fields,
    values: entry.values,
    clientAddress: entry.clientAddress,
  };
}
