/** The e-mail that asks the Customer of an imported subscription for a card. */
export const mailCardRequest = {
  subject: "{product} needs a card before {day}",
  title: "Please add a card before {day}",
  moved: "{seller} has moved your subscription to {product} to a new billing system. Your card could not be moved.",
} as const;
