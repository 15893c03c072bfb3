import * as z from "zod";
import type { Instant } from "../domain/calendar.ts";
import { LINK_MINUTES } from "../domain/customer/portal.ts";
import { httpUrl, orNull, time, timestamp } from "./fields.ts";

export const CreatePortalSessionParams = z
  .strictObject({ returnUrl: orNull(httpUrl).meta({ description: "The address that the portal links back to." }) })
  .meta({ id: "CreatePortalSessionParams" });
export type CreatePortalSessionParams = z.infer<typeof CreatePortalSessionParams>;

export const PortalSessionResource = z
  .object({
    url: z.string().meta({ description: "Signs this Customer in once." }),
    expiresAt: timestamp.meta({
      description: `The link works for ${LINK_MINUTES} minutes of real time, in a sandbox too.`,
    }),
  })
  .meta({ id: "PortalSession" });
export type PortalSessionResource = z.infer<typeof PortalSessionResource>;

export function presentPortalSession({ url, expiresAt }: { url: string; expiresAt: Instant }): PortalSessionResource {
  return { url, expiresAt: time(expiresAt) };
}
