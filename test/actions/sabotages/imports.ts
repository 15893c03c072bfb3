import type { Sabotage } from "./sabotage.ts";

const HELD = `UPDATE subscriptions SET due_at = NULL, imported = '{"source":"stripe","ref":"sub_x","isHeld":true}'
  WHERE id = :ada`;
/** A row of Ada's Subscription. */
const row = (state: string) => `INSERT INTO imports (organization_id, source, account, ref, customer_ref, customer_id,
    subscription_id, state, reasons, currency, monthly, causes, moved_at, created_at, updated_at)
  SELECT organization_id, 'stripe', 'acct_x', 'sub_x', 'cus_x', customer_id, id, '${state}', '[]', 'usd', 1000, '[]',
    now(), now(), now() FROM subscriptions WHERE id = :ada`;

/** Sabotages of imports. */
export const IMPORT_SABOTAGES: Record<string, Sabotage[]> = {
  import_held: [
    ["no row", HELD, ["ada"]],
    ["a row that has moved", `${HELD}; ${row("moved")}`, ["ada"]],
    ["a Subscription that is not held", row("imported"), ["ada"]],
  ],
  import_origin: [
    ["no origin", row("moved"), ["ada"]],
    ["another Customer", `${HELD}; ${row("imported")}; UPDATE imports SET customer_id = :goneCustomer`, ["ada"]],
  ],
  import_billed: [["", `${HELD}; ${row("imported")}`, ["ada"]]],
};
