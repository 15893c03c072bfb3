/** Real time by the database's clock, as precise as an `Instant`. */
export const REAL_NOW = "date_trunc('milliseconds', statement_timestamp())";

/** A time as the wire format has it: RFC 3339 in UTC, with three decimals. */
export const wireTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
