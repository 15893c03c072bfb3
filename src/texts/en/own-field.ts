/** The seller's own fields of a Checkout, and their values on documents. */
export const ownField = {
  choose: "Choose",
  missing: "Fill in “{label}”.",
  unchosen: "Choose an option for “{label}”.",
  unticked: "Tick “{label}”.",
  tooLong: "“{label}”: enter at most {most, plural, one {# character} other {# characters}}.",
  noNumber: "Enter a number such as {example} for “{label}”.",
  tooSmall: "Enter {least} or more for “{label}”.",
  tooLarge: "Enter {most} or less for “{label}”.",
  likeCard: "This looks like a card number. Enter “{label}” here.",
  yes: "Yes",
  no: "No",
  line: "{label}: {value}",
} as const;
