/** Why an invoice is not paid, and the access meanwhile. `access…`: a text after the label `Access`. */
export const unpaid = {
  noCard: "There is no card on file that can be charged.",
  confirmFirst: "The bank asks you to confirm the payment first.",
  accessStays: "stays until {day}",
  accessOff: "off until everything that is owed is paid",
  yourAccessStays: "Your access stays until {day}.",
  yourAccessOff: "Your access is off until everything that is owed is paid.",
} as const;
