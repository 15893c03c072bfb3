import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";

/** `hours`: how long the link is valid after the request. */
export type EmailConfirmFacts = { seller: string; hours: number; url: string };

/** The e-mail to a new address, which may belong to a stranger. */
export function emailConfirm(
  { seller, hours, url }: EmailConfirmFacts,
  { mailEmailChange: said }: Words,
): EmailContent {
  return {
    subject: said.confirmSubject({ seller }),
    heading: said.confirmTitle,
    reason: said.confirmReason({ seller }),
    blocks: [
      { text: said.confirm({ seller }) },
      { label: said.confirmLink, url },
      { text: said.confirmOnce({ hours }) },
      { text: said.confirmIgnore },
    ],
  };
}

/** `address`: a part of the new address. `days`: how long the link is valid after the change. */
export type EmailChangedFacts = { seller: string; address: string; days: number; url: string };

/** The e-mail to the old address. */
export function emailChanged(
  { seller, address, days, url }: EmailChangedFacts,
  { mailEmailChange: said }: Words,
): EmailContent {
  return {
    subject: said.changedSubject({ seller }),
    heading: said.changedTitle,
    blocks: [
      { text: said.changed({ seller, address }) },
      { text: said.changedIgnore },
      { text: said.changedUndo({ days }) },
      { label: said.undoLink, url },
    ],
  };
}
