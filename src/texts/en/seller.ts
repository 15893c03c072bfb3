/** The ways to the seller, at the foot of pages and e-mails. */
export const seller = {
  links: "About the seller",
  contact: "Contact {seller}",
  terms: "Terms",
  privacy: "Privacy",
  agree: "By confirming, you agree to the {terms} of {seller}.",
  agreeBoth: "By confirming, you agree to the {terms} and the {privacy} of {seller}.",
  agreeTerms: "terms",
  agreePrivacy: "privacy policy",
} as const;
