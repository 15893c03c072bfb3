import type { LedgerTransfer } from "../domain/model/ledger.ts";
import { defineTable, type Table } from "./driver/table.ts";

/** Append-only: no statement changes or deletes a transfer (rule I4). */
export const ledger: Pick<
  Table<LedgerTransfer>,
  "insert" | "insertAll" | "columns" | "fromRecord"
> = defineTable<LedgerTransfer>("ledger_transfers", {
  organizationId: "plain",
  id: "plain",
  kind: "plain",
  sourceId: "plain",
  customerId: "plain",
  currency: "plain",
  debitAccount: "plain",
  creditAccount: "plain",
  amount: "plain",
  createdAt: "instant",
});
