import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";

/** The accounts that this e-mail signs in to, each with its name and link. `minutes`: how long a link is valid. */
export type SignInFacts = { seller: string; minutes: number; accounts: { name: string; url: string }[] };

export function portalSignIn({ seller, minutes, accounts }: SignInFacts, { mailSignIn: said }: Words): EmailContent {
  const isOne = accounts.length === 1;
  return {
    subject: said.subject({ seller }),
    heading: said.subject({ seller }),
    blocks: [
      { text: isOne ? said.one({ minutes }) : said.several({ seller, minutes }) },
      ...accounts.map(({ name, url }) => ({ label: isOne ? said.signIn : said.signInAs({ account: name }), url })),
      { text: said.ignore },
    ],
  };
}
