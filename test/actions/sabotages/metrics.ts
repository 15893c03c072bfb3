import { moved } from "../../support/sql-instants.ts";
import { HOUR, type Sabotage } from "./sabotage.ts";

const OF_ADA = "subscription_id = :ada";

/** Sabotages of the counted MRR and of its days. */
export const METRIC_SABOTAGES: Record<string, Sabotage[]> = {
  mrr: [
    ["another amount", `UPDATE mrr_states SET mrr = mrr + 1 WHERE ${OF_ADA}`, ["ada"]],
    ["another status", `UPDATE mrr_states SET status = 'trialing' WHERE ${OF_ADA}`, ["ada"]],
    ["another price", "UPDATE subscriptions SET amount = amount * 2 WHERE id = :ada", ["ada"]],
  ],
  mrr_movements: [
    ["a movement is missing", `DELETE FROM mrr_movements WHERE ${OF_ADA} AND kind = 'new'`, ["ada"]],
    ["a larger movement", `UPDATE mrr_movements SET amount = amount + 1 WHERE ${OF_ADA} AND kind = 'new'`, ["ada"]],
  ],
  mrr_events: [
    ["another day", `UPDATE mrr_movements SET day = '2025-06-20' WHERE ${OF_ADA}`, ["ada"]],
    ["another time", `UPDATE mrr_movements SET at = ${moved("at", `+ ${HOUR}`)} WHERE ${OF_ADA}`, ["ada"]],
    ["another status", `UPDATE mrr_movements SET status = 'trialing' WHERE ${OF_ADA}`, ["ada"]],
    ["without its event", `DELETE FROM events WHERE resource_id = :ada AND sequence = 1`, ["ada"]],
  ],
  metric_days: [
    ["a larger figure", "UPDATE metric_days SET amount = amount + 1 WHERE measure = 'new'", []],
    ["a Subscription more", "UPDATE metric_days SET subscriptions = subscriptions + 1 WHERE measure = 'past_due'", []],
    ["a unit more", "UPDATE metric_days SET units = units + 1 WHERE measure = 'active'", []],
    ["a figure is missing", "DELETE FROM metric_days WHERE measure = 'active'", []],
    ["a movement more", `DELETE FROM mrr_movements WHERE ${OF_ADA} AND kind = 'new'`, []],
  ],
};
