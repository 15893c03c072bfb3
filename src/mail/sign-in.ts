import type { Letter } from "./letter.ts";

/** The accounts that this e-mail signs in to, each with its name and link. `minutes`: how long a link is valid. */
export type SignInFacts = { seller: string; minutes: number; accounts: { name: string; url: string }[] };

export function portalSignIn({ seller, minutes, accounts }: SignInFacts): Letter {
  const isOne = accounts.length === 1;
  const how = isOne
    ? `Sign in with this link. It works once, within ${minutes} minutes.`
    : `${seller} has several accounts with your address, and here is a link for each. ` +
      `A link works once, within ${minutes} minutes.`;
  return {
    subject: `Sign in to ${seller}`,
    heading: `Sign in to ${seller}`,
    blocks: [
      { text: `You asked to see your subscriptions and invoices. ${how}` },
      ...accounts.map(({ name, url }) => ({ label: isOne ? "Sign in" : `Sign in as ${name}`, url })),
      { text: "If you did not ask for this e-mail, you can ignore it. Signing in is not possible without it." },
    ],
  };
}
