import type { ImportRow } from "../../../domain/import/import.ts";

/** Below the path of the Organization's dashboard. */
export const IMPORTS = "/imports";

/** The page of a row. Ids of other systems may have any character, so the key stands in the query. */
export const rowPath = (
  self: string,
  { source, account, ref }: Pick<ImportRow, "account" | "ref" | "source">,
): string => `${self}${IMPORTS}/subscription?${new URLSearchParams({ source, account, ref })}`;
