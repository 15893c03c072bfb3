import { formatEmail, type EmailContent, type Message, type Sender } from "./email-content.ts";

/**
 * `way`: the link that gave new access. `at`: as RFC 3339 in UTC. `factor`: a second factor was removed. `openId`: the
 * account that was disconnected, in words; null: there was no account. `forgottenUrl`: the page that sends a link for a
 * new password.
 */
export type AccessResetFacts = {
  way: "password" | "invitation";
  at: string;
  factor: boolean;
  openId: string | null;
  signInUrl: string;
  forgottenUrl: string;
};

const REASON =
  "You are receiving this e-mail because this address has an account of the billing dashboard, and the access to the " +
  "account has changed.";
const WAYS = { password: "a link for a new password", invitation: "a new invitation" } as const;

/** Tells a person of the access that a link has ended. A sandbox sends it, too. */
export function writeAccessResetEmail(facts: AccessResetFacts, sender: Sender): Message {
  return formatEmail(accessResetContent(facts), { ...sender, mode: "live" }, "invited");
}

function accessResetContent({ way, at, factor, openId, signInUrl, forgottenUrl }: AccessResetFacts): EmailContent {
  return {
    subject: "The access to your account of the billing dashboard was set anew",
    heading: "Your access was set anew",
    blocks: [
      { text: `Your account was opened by ${WAYS[way]} at ${at.slice(0, 16).replace("T", " ")} UTC.` },
      {
        rows: [
          { name: "Former password", value: "no longer works" },
          { name: "Sessions", value: "all others were signed out" },
          { name: "Second factor", value: factor ? "was removed" : "there was none" },
          { name: "OpenID account", value: openId === null ? "there was none" : `${openId} was disconnected` },
        ],
      },
      ...(factor || openId !== null
        ? [{ text: "You can add a second factor and connect an OpenID account again on the page of your account." }]
        : []),
      { label: "Go to the dashboard", url: signInUrl },
      { text: "If that was not you, get a link for a new password at once, and tell an owner of your Organizations." },
      { label: "Get a new password", url: forgottenUrl },
    ],
    reason: REASON,
  };
}
