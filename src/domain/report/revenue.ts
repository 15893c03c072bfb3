import type { LedgerAccount, TransferKind } from "../model/ledger.ts";

/** The sum of the transfers of a month with one kind, from one account to another. `bucket` counts from 0. */
export type Booked = {
  bucket: number;
  currency: string;
  kind: TransferKind;
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: number;
};

/** The debits less the credits of each account. Their sum is 0. */
export type AccountMovements = Record<LedgerAccount, number>;

/**
 * The bookings of a month in one currency, in minor units. `invoiced`, `voided` and `credited` are with tax.
 * `disputesLost`, `writtenOff` and `adjusted` are costs, so a gain is below zero.
 */
export type RevenueRow = {
  bucket: number;
  currency: string;
  invoiced: number;
  voided: number;
  credited: number;
  tax: number;
  net: number;
  disputesLost: number;
  writtenOff: number;
  adjusted: number;
  accounts: AccountMovements;
};

const NO_MOVEMENTS: AccountMovements = {
  receivable: 0,
  provider: 0,
  outside: 0,
  revenue: 0,
  tax: 0,
  balance: 0,
  written_off: 0,
  adjustment: 0,
  disputed: 0,
  dispute_lost: 0,
  paying_out: 0,
};
export const LEDGER_ACCOUNTS = Object.keys(NO_MOVEMENTS) as LedgerAccount[];

/** The sales of one kind with tax: a transfer between revenue and tax only divides a sale. */
function salesOf(booked: readonly Booked[], wanted: TransferKind): number {
  const sales = booked.filter(({ kind, debit, credit }) => kind === wanted && debit !== "tax" && credit !== "tax");
  const signOf = ({ debit, credit }: Booked) => Number(credit === "revenue") - Number(debit === "revenue");
  return sales.reduce((sum, each) => sum + signOf(each) * each.amount, 0);
}

/** The report of revenue, by month and currency, from the sums of the ledger (rule R10a). Sorted by both. */
export function revenueRows(booked: readonly Booked[]): RevenueRow[] {
  const groups = Map.groupBy(booked, ({ bucket, currency }) => `${String(bucket).padStart(4, "0")} ${currency}`);
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => {
      const accounts = { ...NO_MOVEMENTS };
      for (const { debit, credit, amount } of group) {
        accounts[debit] += amount;
        accounts[credit] -= amount;
      }
      const { bucket, currency } = group[0]!;
      return {
        bucket,
        currency,
        invoiced: salesOf(group, "invoice_issued"),
        voided: 0 - salesOf(group, "invoice_voided"),
        credited: 0 - salesOf(group, "refund"),
        tax: 0 - accounts.tax,
        net: 0 - accounts.revenue,
        disputesLost: accounts.dispute_lost,
        writtenOff: accounts.written_off,
        adjusted: accounts.adjustment,
        accounts,
      };
    });
}
