import type { Card } from "../domain/model/payment-outcome.ts";
import { sql, type Database } from "../store/driver/db.ts";
import { storedCard } from "./sandbox-page.ts";

/** The data that a bank may change on a card. `last4` null: the card keeps its number. */
export type ReplacedCard = { expMonth: number; expYear: number; last4: string | null };

/** The bank that has issued the sandbox's cards. */
export type SandboxIssuer = {
  /** Sends the buyer another card for this one. The card behaves as before. */
  replaceCard(organizationId: string, ref: string, replaced: ReplacedCard): Promise<void>;
  /** Ends the card: each later charge is declined with `card_gone`. */
  endCard(organizationId: string, ref: string): Promise<void>;
  /** The card as it is now; null: the card has ended. */
  presentCard(organizationId: string, ref: string): Promise<Card | null>;
};

const replaceStatement = sql(
  "sandbox_cards.replace",
  `UPDATE sandbox_cards SET exp_month = $3, exp_year = $4, last4 = coalesce($5, last4)
   WHERE organization_id = $1 AND ref = $2`,
);
const endStatement = sql(
  "sandbox_cards.end",
  "UPDATE sandbox_cards SET behaviour = 'card_gone' WHERE organization_id = $1 AND ref = $2",
);
const endedStatement = sql(
  "sandbox_cards.ended",
  "SELECT 1 AS ended FROM sandbox_cards WHERE organization_id = $1 AND ref = $2 AND behaviour = 'card_gone'",
);

export function createSandboxIssuer(db: Database): SandboxIssuer {
  return {
    replaceCard: (organizationId, ref, { expMonth, expYear, last4 }) =>
      db.tx(async (tx) => void (await tx.query(replaceStatement, [organizationId, ref, expMonth, expYear, last4]))),
    endCard: (organizationId, ref) => db.tx(async (tx) => void (await tx.query(endStatement, [organizationId, ref]))),
    async presentCard(organizationId, ref) {
      const [ended] = await db.read.query(endedStatement, [organizationId, ref]);
      return ended ? null : storedCard(db.read, organizationId, ref);
    },
  };
}
