/** The page on which a Customer downloads all data of the account. */
export const portalExport = {
  title: "Your data",
  about: "Download the data of your account with {seller} as one file.",
  holds: `The file has your details, your cards without their numbers, your subscriptions, orders, invoices,
    payments, access and e-mails, and a log of all changes.`,
  format: "Other programs can read the file (JSON). Your invoices as PDF are in your account.",
  secret: "Keep the file to yourself. Its links open your invoices, and it can have keys that you bought.",
  download: "Download your data",
} as const;
