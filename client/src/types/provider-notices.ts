// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface ProviderNotice {
  id: string;
  provider: string;
  providerAccount: string;
  /** The provider's id of the notice. */
  reference: string;
  /** The provider's type of the notice. */
  type: string;
  /** The provider's id of the object that has changed. */
  object: string;
  /** `waiting`: Billow will read the object at the provider. `taken`: the object's state is in Billow's books. `unmatched`: the object belongs to no payment of this installation. */
  status: "waiting" | "taken" | "unmatched";
  /** In real time. */
  receivedAt: string;
}

export interface ListProviderNoticesParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  status?: "waiting" | "taken" | "unmatched";
}
