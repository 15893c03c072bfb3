import type { Instant } from "../calendar.ts";

/**
 * `waiting`: the object behind the notice has not been read yet. `taken`: its facts are in Billow's books. `unmatched`:
 * the object belongs to no payment of this installation.
 */
export type NoticeStatus = "waiting" | "taken" | "unmatched";

/** A notice of a payment provider. It holds no personal data: `object` is the provider's id of the changed object. */
export type ProviderNotice = {
  organizationId: string;
  id: string;
  provider: string;
  providerAccount: string;
  /** The provider's id of the notice. */
  ref: string;
  type: string;
  object: string;
  status: NoticeStatus;
  /** Real time of the next look at the object; set as long as the notice waits. */
  checkAt: Instant | null;
  checks: number;
  receivedAt: Instant;
};
