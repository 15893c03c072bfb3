/** Why an invoice is not paid, and the access meanwhile. `access…`: a text after the label `Access`. */
export const unpaidNotice = {
  noCard: "There is no card on file that can be charged.",
  confirmFirst: "Your bank asks you to confirm the payment first.",
  accessStays: "Until {day}",
  accessOff: "Off until everything you owe is paid",
  yourAccessStays: "Without payment, your access ends on {day}.",
  yourAccessOff: "Your access is off until everything you owe is paid.",
  endsWithRetry: "If that succeeds, {product} ends, because you have not agreed to its new price.",
} as const;
