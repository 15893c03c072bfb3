export interface AuditEntry {
    id: string;
    /** In real time. */
    at: string;
    /** The caller: a user of the dashboard, an API key, or a command on the server (`cli`). */
    actor: {
        type: "user" | "key" | "cli";
        id: string | null;
        name: string | null;
    };
    /** The name of the operation, such as `updateCustomer`. */
    operation: string;
    /** The changed or created resource. */
    resourceId: string | null;
    customerId: string | null;
    /** The names of the fields in the request. Null once the Customer is deleted. */
    fields: string[] | null;
    /** The values of the fields that hold neither personal data nor secrets. */
    values: Record<string, string | number | boolean | null> | null;
    /** The IP address of the caller. Null: a command. */
    clientAddress: string | null;
}
export interface ListAuditLogParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    actorType?: "user" | "key" | "cli";
    actorId?: string;
    operation?: string;
    customerId?: string;
}
