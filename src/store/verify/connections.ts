import { rule, type Rule } from "./rule.ts";

/** Connected payment providers. */
export const CONNECTION_RULES: readonly Rule[] = [
  rule(
    "connection_mode",
    "A live Organization is connected with a test key, or a sandbox with a key that moves real money.",
    `SELECT c.organization_id AS organization, c.provider, c.provider_account AS account, c.livemode
     FROM provider_connections c JOIN organizations o ON o.id = c.organization_id
     WHERE c.organization_id = $1 AND c.livemode <> (o.mode = 'live')`,
  ),
];
