// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface CreditNote {
  id: string;
  number: string;
  /** The hosted page of the credit note. The secret in the address opens only this credit note. */
  url: string;
  invoiceId: string;
  invoiceNumber: string;
  refundId: string;
  customerId: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** The language of the page and the PDF: that of the Invoice. */
  locale: string | null;
  lines: CreditNoteLine[];
  /** In the currency's minor unit (cents for usd). */
  subtotalAmount: number;
  /** In the currency's minor unit (cents for usd). */
  taxAmount: number;
  /** The tax by rate. */
  taxes: ({
    name: string;
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
    region: string | null;
    basisPoints: number;
    inclusive: boolean;
    /** True if the buyer accounts for the tax. The tax is then 0 here. */
    reverseCharge: boolean;
    /** The amount of the lines with this rate, without the tax. */
    taxableAmount: number;
    /** In the currency's minor unit (cents for usd). */
    taxAmount: number;
  })[];
  /** The note about tax on the invoice, such as reverse charge. */
  taxNote: string | null;
  /** The amount that was given back, with tax. Above zero. */
  totalAmount: number;
  seller: {
    name: string | null;
    email: string | null;
    address: {
      /** ISO 3166-1 alpha-2, upper case. */
      country: string;
      line1: string | null;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    taxId: {
      type: string;
      value: string;
    } | null;
  };
  buyer: {
    name: string | null;
    email: string | null;
    address: {
      /** ISO 3166-1 alpha-2, upper case. */
      country: string;
      line1: string | null;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    taxId: {
      type: string;
      value: string;
    } | null;
    /** The company for which the buyer bought. Documents show the company before the name. */
    companyName: string | null;
  };
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
}

export interface CreditNoteLine {
  /** The line of the Invoice that this amount belongs to. */
  invoiceLineId: string;
  description: string;
  productId: string;
  /** The amount given back of the line, before tax that comes on top. */
  amount: number;
  /** In the currency's minor unit (cents for usd). */
  taxAmount: number;
  /** The tax rate of the line, in basis points: 1900 is 19 %. With `reverseCharge`, the buyer accounts for the tax, and the line has no tax. */
  taxRate: {
    name: string;
    basisPoints: number;
    inclusive: boolean;
    reverseCharge: boolean;
  } | null;
  periodStart: string | null;
  periodEnd: string | null;
}

export interface ListCreditNotesParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  customerId?: string;
  externalCustomerId?: string;
  invoiceId?: string;
  refundId?: string;
  number?: string;
}
