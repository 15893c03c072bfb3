/** The brands of cards. */
export const brand = {
  accepted: "Accepted cards",
} as const;
