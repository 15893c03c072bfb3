/** The ways to the seller, at the foot of pages and e-mails. */
export const seller = {
  links: "About the seller",
  contact: "Contact {seller}",
  terms: "Terms",
  privacy: "Privacy",
  agree: "By confirming, you agree to the {terms} of {seller}.",
  agreeBoth: "By confirming, you agree to the {terms} and the {privacy} of {seller}.",
  startsAtOnce: "Your access begins right after you order.",
  cancelAnytime: `You can cancel at any time in your account. You then keep your access until the end of the
    current period.`,
  cancelBySeller: "To cancel, contact {seller}.",
  agreeTerms: "terms",
  agreePrivacy: "privacy policy",
} as const;
