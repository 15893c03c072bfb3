// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface RevenueReport {
  timeZone: string;
  /** RFC 3339 in UTC with milliseconds. */
  start: string;
  /** The first instant after the last month. */
  end: string;
  /** Months and currencies without any amount are left out. */
  data: ({
    /** The month in the Organization's time zone: `2026-10`. */
    month: string;
    /** ISO 4217, lower case. */
    currency: string;
    /** The totals of the invoices of the month, with tax. */
    invoices: number;
    /** The totals of invoices that became void in the month, with tax. */
    voided: number;
    /** Sales that were given back in the month, with tax. */
    creditNotes: number;
    /** In the currency's minor unit (cents for usd). */
    tax: number;
    /** The net revenue: `invoices` less `voided`, `creditNotes` and `tax`. */
    net: number;
    /** Money that banks kept. A loss that lowers no revenue. */
    disputesLost: number;
    /** Debts that were written off, less credit that was given up. */
    writtenOff: number;
    /** Credit that was given by hand, less credit that was taken. */
    adjustments: number;
    /** The movement of each account of the ledger: debits less credits. The sum is 0. */
    accounts: {
      /** In the currency's minor unit (cents for usd). */
      receivable: number;
      /** In the currency's minor unit (cents for usd). */
      provider: number;
      /** In the currency's minor unit (cents for usd). */
      outside: number;
      /** In the currency's minor unit (cents for usd). */
      revenue: number;
      /** In the currency's minor unit (cents for usd). */
      tax: number;
      /** In the currency's minor unit (cents for usd). */
      balance: number;
      /** In the currency's minor unit (cents for usd). */
      writtenOff: number;
      /** In the currency's minor unit (cents for usd). */
      adjustment: number;
      /** In the currency's minor unit (cents for usd). */
      disputed: number;
      /** In the currency's minor unit (cents for usd). */
      disputeLost: number;
      /** In the currency's minor unit (cents for usd). */
      payingOut: number;
    };
  })[];
}

export interface TaxReport {
  timeZone: string;
  /** RFC 3339 in UTC with milliseconds. */
  start: string;
  /** The first instant after the last month. */
  end: string;
  /** Months and currencies without any amount are left out. */
  data: ({
    /** The month in the Organization's time zone: `2026-10`. */
    month: string;
    /** ISO 4217, lower case. */
    currency: string;
    /** Of the rate; of the buyer's address for lines without a rate. Null: no address was asked for. */
    country: string | null;
    region: string | null;
    /** The name of the rate. Null: there is no rate. */
    name: string | null;
    basisPoints: number;
    /** The buyer owes the tax, so `tax` is 0. */
    reverseCharge: boolean;
    /** The lines of the invoices of the month. */
    invoices: {
      /** In the currency's minor unit (cents for usd). */
      net: number;
      /** In the currency's minor unit (cents for usd). */
      tax: number;
    };
    /** The lines of invoices that became void in the month. */
    voided: {
      /** In the currency's minor unit (cents for usd). */
      net: number;
      /** In the currency's minor unit (cents for usd). */
      tax: number;
    };
    /** The lines of the credit notes of the month. */
    creditNotes: {
      /** In the currency's minor unit (cents for usd). */
      net: number;
      /** In the currency's minor unit (cents for usd). */
      tax: number;
    };
    /** `invoices` less `voided` and `creditNotes`. */
    net: number;
    /** In the currency's minor unit (cents for usd). */
    tax: number;
  })[];
}

export interface ReceivablesReport {
  timeZone: string;
  /** The instant of the report. */
  at: string;
  data: ({
    /** ISO 4217, lower case. */
    currency: string;
    /** The amounts due of these invoices. */
    amount: number;
    invoices: number;
    ages: ({
      fromDays: number;
      /** Null: and older. */
      toDays: number | null;
      /** The amounts due of these invoices. */
      amount: number;
      invoices: number;
    })[];
  })[];
}
