/** The page of an invoice. `self`: the path of the Organization's dashboard. */
export const invoicePath = (self: string, id: string): string => `${self}/invoices/${id}`;

/** The page of a credit note. */
export const creditNotePath = (self: string, id: string): string => `${self}/credit-notes/${id}`;
