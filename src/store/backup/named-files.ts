import type { Bulk } from "../driver/bulk.ts";

const NAMED = `SELECT DISTINCT b.organization_id AS "organizationId", f.value->>'path' AS path
  FROM benefits b CROSS JOIN json_array_elements(b.properties->'files') f
  WHERE b.type = 'download' AND b.deleted_at IS NULL ORDER BY 1, 2`;

/** A file that a Benefit offers. `path`: below the directory of the Organization's files. */
export type NamedFile = { organizationId: string; path: string };

/** The files that all Benefits offer. */
export const readNamedFiles = (bulk: Bulk): Promise<NamedFile[]> => bulk.query<NamedFile>(NAMED);
