import * as z from "zod";
import type { Instant } from "../domain/calendar.ts";
import { DIRECT_LINK_SECONDS } from "../domain/model/portal-session.ts";
import { httpUrl, ONE_CUSTOMER, orNull, text, time, timestamp } from "./fields.ts";
import { exactlyOne, rules } from "./rules.ts";

const returnUrl = orNull(httpUrl).meta({ description: "The address that the portal links back to." });

export const CreateCustomerPortalSessionParams = z
  .strictObject({ returnUrl })
  .meta({ id: "CreateCustomerPortalSessionParams" });

export const CreatePortalSessionParams = z
  .strictObject({ customerId: orNull(text(64)), externalCustomerId: orNull(text(255)), returnUrl })
  .refine(({ customerId, externalCustomerId }) => (customerId === null) !== (externalCustomerId === null), ONE_CUSTOMER)
  .meta({ id: "CreatePortalSessionParams", ...rules(exactlyOne("customerId", "externalCustomerId")) });
export type CreatePortalSessionParams = z.infer<typeof CreatePortalSessionParams>;

export const PortalSessionResource = z
  .object({
    url: z.string().meta({
      description: "Signs this Customer in once. Redirect the Customer's browser to this address at once.",
    }),
    expiresAt: timestamp.meta({
      description: `The link works for ${DIRECT_LINK_SECONDS} seconds of real time, in a sandbox too.`,
    }),
  })
  .meta({ id: "PortalSession" });
export type PortalSessionResource = z.infer<typeof PortalSessionResource>;

export function presentPortalSession({ url, expiresAt }: { url: string; expiresAt: Instant }): PortalSessionResource {
  return { url, expiresAt: time(expiresAt) };
}
