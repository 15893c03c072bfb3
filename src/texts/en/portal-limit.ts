/** The page in place of an operation that the seller does not allow in the portal. */
export const portalLimit = {
  title: "Not available here",
  text: "You can't do this in your account. Please contact {seller}.",
} as const;
