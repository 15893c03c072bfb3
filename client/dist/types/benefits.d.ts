export type CreateBenefitParams = {
    type: "feature";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        /** The default is the Benefit's `key`. */
        feature?: string | null;
        value?: boolean | number | string;
        /** True: grants show `value` × the quantity that was bought. */
        perUnit?: boolean;
    };
} | {
    type: "license_key";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        prefix?: string | null;
        activationLimit?: number | null;
        /** True: a key has `activationLimit` × the quantity that was bought. */
        perUnit?: boolean;
    };
} | {
    type: "download";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties: {
        files: ({
            /** The path of the file below the server's downloads directory. */
            path: string;
            /** The name that buyers see. The default is the file's own name. */
            name?: string | null;
        })[];
    };
} | {
    type: "custom";
    key?: string | null;
    name: string;
    description?: string | null;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
    properties?: {
        note?: string | null;
    };
};
export interface Benefit {
    id: string;
    key: string | null;
    type: "feature" | "license_key" | "download" | "custom";
    name: string;
    description: string | null;
    properties: {
        feature: string;
        value: boolean | number | string;
        /** The number is that of one unit. Absent: the number holds for any quantity. */
        perUnit?: true;
    } | {
        prefix: string | null;
        activationLimit: number | null;
        /** The number is that of one unit. Absent: the number holds for any quantity. */
        perUnit?: true;
    } | {
        files: ({
            name: string;
            path: string;
            size: number;
        })[];
    } | {
        note: string | null;
    };
    metadata: Record<string, string | number | boolean>;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** RFC 3339 in UTC with milliseconds. */
    updatedAt: string;
}
export interface UpdateBenefitParams {
    name?: string;
    description?: string | null;
    /** As in the POST for this type. Replaces all properties. */
    properties?: Record<string, unknown>;
    /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
    metadata?: Record<string, string | number | boolean>;
}
export interface ListBenefitsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    key?: string;
    type?: "feature" | "license_key" | "download" | "custom";
    /** A part of the name. */
    search?: string;
}
