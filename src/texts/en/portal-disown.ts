/** The page on which a Customer ends a purchase that the Customer does not recognize. */
export const portalDisown = {
  title: "You don't recognize {product}?",
  text: `{product} ends immediately, and {seller} sees that you did not recognize it. You won't be charged. You
    can't undo this.`,
  refunds: "Earlier payments are not refunded automatically.",
  submit: "End {product}",
} as const;
