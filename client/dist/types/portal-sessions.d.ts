export interface CreatePortalSessionParams {
    customerId?: string | null;
    externalCustomerId?: string | null;
    /** The address that the portal links back to. */
    returnUrl?: string | null;
}
