import { formatEmail, type EmailContent, type Message, type Sender } from "./email-content.ts";

/** `url`: the link for a new password; null: the account has no password. */
export type PasswordFacts = { url: string | null; signInUrl: string };

const REASON =
  "You are receiving this e-mail because someone entered this address on the sign-in page of the billing dashboard. " +
  "If that was not you, you can ignore this e-mail. Your account stays as it is.";

/** The answer to a forgotten password of the dashboard. A sandbox sends it as well, and the e-mail is no test then. */
export function writePasswordEmail(facts: PasswordFacts, sender: Sender): Message {
  return formatEmail(passwordContent(facts), { ...sender, mode: "live" }, "invited");
}

function passwordContent({ url, signInUrl }: PasswordFacts): EmailContent {
  if (url === null)
    return {
      subject: "Sign in to the billing dashboard",
      heading: "Your account has no password",
      blocks: [
        {
          text:
            "You sign in to the billing dashboard with your company account. To replace a forgotten password of that " +
            "account, ask the administrator of the account.",
        },
        { label: "Go to the sign-in", url: signInUrl },
      ],
      reason: REASON,
    };
  return {
    subject: "A new password for the billing dashboard",
    heading: "Choose a new password",
    blocks: [
      { text: "With this link, you can choose a new password for your account in the billing dashboard." },
      { label: "Choose a new password", url },
      {
        text:
          "The link works once, within an hour. A new password signs you out everywhere else, removes a second " +
          "factor, and disconnects an OpenID account. You can add both again afterwards.",
      },
    ],
    reason: REASON,
  };
}
