/**
 * The result of one check of an installation. `skipped`: another fault made the check impossible. `says`: a line for
 * people. `advice`: the remedy, for a fault and for a warning.
 */
export type Check = {
  name: CheckName;
  status: "ok" | "warning" | "fault" | "skipped";
  says: string;
  advice: string | null;
};

/** Programs match on these names. The order is the order of the checks. */
export const CHECK_NAMES = [
  "database",
  "migrations",
  "writes",
  "clock",
  "connections",
  "replicas",
  "read_replica",
  "size",
  "copy",
  "promotion",
  "disk",
  "secret_file",
  "server",
  "smtp",
  "open_id",
  "public_origin",
  "provider",
  "webhook_secret",
  "secrets",
  "tax_ids",
  "mailboxes",
  "imports",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const ok = (name: CheckName, says: string): Check => ({ name, status: "ok", says, advice: null });
export const skipped = (name: CheckName, says: string): Check => ({ name, status: "skipped", says, advice: null });
export const warning = (name: CheckName, says: string, advice: string): Check => ({
  name,
  status: "warning",
  says,
  advice,
});
export const fault = (name: CheckName, says: string, advice: string): Check => ({
  name,
  status: "fault",
  says,
  advice,
});
