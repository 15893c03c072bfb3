import * as z from "zod";
import type { NoticeStatus, ProviderNotice } from "../domain/model/provider-notice.ts";
import { id, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const STATUSES = ["waiting", "taken", "unmatched"] as const satisfies readonly NoticeStatus[];

export const ProviderNoticeResource = z
  .object({
    id: id("ntc"),
    provider: z.string(),
    providerAccount: z.string(),
    reference: z.string().meta({ description: "The provider's id of the notice." }),
    type: z.string().meta({ description: "The provider's type of the notice." }),
    object: z.string().meta({ description: "The provider's id of the object that has changed." }),
    status: z.enum(STATUSES).meta({
      description:
        "`waiting`: Billow will read the object at the provider. `taken`: the object's state is in Billow's books. " +
        "`unmatched`: the object belongs to no payment of this installation.",
    }),
    receivedAt: timestamp.meta({ description: "In real time." }),
  })
  .meta({ id: "ProviderNotice" });
export type ProviderNoticeResource = z.infer<typeof ProviderNoticeResource>;

export const ListProviderNoticesQuery = z.strictObject({ ...pageQuery("ntc"), status: z.enum(STATUSES).optional() });
export type ListProviderNoticesQuery = z.infer<typeof ListProviderNoticesQuery>;

export function presentNotice(notice: ProviderNotice): ProviderNoticeResource {
  const { provider, providerAccount, ref, type, object, status, receivedAt } = notice;
  return {
    id: notice.id,
    provider,
    providerAccount,
    reference: ref,
    type,
    object,
    status,
    receivedAt: time(receivedAt),
  };
}
