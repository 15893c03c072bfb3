// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface CreateApiKeyParams {
  name: string;
  scopes: ("public" | "manage")[];
  expiresAt?: string | null;
}

export interface NewApiKey {
  id: string;
  name: string;
  scopes: ("public" | "manage")[];
  /** The secret's last four characters. */
  last4: string;
  /** The successor that a rotation made. */
  replacedBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Exact to the minute. */
  lastUsedAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** The bearer token. Only this answer shows it. */
  secret: string;
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: ("public" | "manage")[];
  /** The secret's last four characters. */
  last4: string;
  /** The successor that a rotation made. */
  replacedBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Exact to the minute. */
  lastUsedAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
}

export interface RotateApiKeyParams {
  /** The time that the old key stays valid, at most until its own expiry. */
  overlapSeconds: number;
}

export interface ListApiKeysParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}
