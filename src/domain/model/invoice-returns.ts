import type { Amount } from "../money.ts";
import type { Funded } from "./invoice-funds.ts";

/** All amounts that were given back of an invoice, and the charge that paid the invoice. */
export type Back = Pick<Funded, "refunds" | "credits" | "paymentId"> & {
  /** The part of the charge that is disputed or lost, in minor units. */
  disputed: Amount;
  /** Charges of the Customer that banks have kept. */
  lost: ReadonlySet<string>;
};

export const NOTHING_BACK: Back = { refunds: [], credits: [], paymentId: null, disputed: 0, lost: new Set() };
