import { formatInstant, instant } from "../../../domain/calendar.ts";

const IS_INSTANT = /(?:At|Start|End)$/;

/** The last reading as JSON for people and files: instants are RFC 3339, amounts are minor units. */
export const snapshotText = (snapshot: object, indent?: number): string =>
  JSON.stringify(
    snapshot,
    (name, value: unknown) =>
      typeof value === "number" && IS_INSTANT.test(name) ? formatInstant(instant(value)) : value,
    indent,
  );
