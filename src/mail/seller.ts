import type { ConnectionEmailKind } from "../domain/model/email.ts";
import type { EmailContent } from "./email-content.ts";

/** `account`: the account's id at the provider. `at`: the instant of the change, as RFC 3339 in UTC. */
export type ConnectionFacts = { provider: string; account: string; mode: "live" | "test"; at: string };

function payments({ provider, account, mode, at }: ConnectionFacts, change: string, effect: string): EmailContent {
  return {
    subject: `Payments: ${change}`,
    heading: `Payments: ${change}`,
    blocks: [
      { text: effect },
      {
        rows: [
          { name: "Provider", value: provider.charAt(0).toUpperCase() + provider.slice(1) },
          { name: "Account", value: account },
          { name: "Mode", value: mode === "live" ? "Live" : "Test" },
          { name: "When", value: `${at.slice(0, 16).replace("T", " ")} UTC` },
        ],
      },
      {
        text:
          "An operator did this by a command on the server. If your team did not do this, take the server off the " +
          "network, revoke the key at the provider, and look for the intruder.",
      },
    ],
  };
}

/** The e-mails to the seller about the account that takes the money. */
export const SELLER_LETTERS: Record<ConnectionEmailKind, (facts: ConnectionFacts) => EmailContent> = {
  payments_connected: (facts) =>
    payments(facts, "an account was connected", "New payments of your buyers go to this account from now on."),
  payments_disconnected: (facts) =>
    payments(
      facts,
      "an account was disconnected",
      "Billow has deleted the key of this account, and charges none of its cards any more.",
    ),
};
