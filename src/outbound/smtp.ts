type Mailbox = { name: string; address: string };
/** `id` makes the Message-ID, so that whoever is sent it twice can tell. Texts may be in any script. */
export type OutgoingEmail = {
  id: string;
  from: Mailbox;
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; content: Uint8Array; contentType: string }[];
};

/**
 * Why an e-mail was not taken. `recipient`: it never will be; `us`: the server refuses our login or our address, whatever we send;
 * `unreachable`: it did not answer, and may even have taken it; `other`: anything else, which may pass.
 */
export type MailFault = "recipient" | "us" | "unreachable" | "other";
export type MailOutcome = { sent: true } | { sent: false; error: string; fault: MailFault };
export type Mailer = { send(email: OutgoingEmail): Promise<MailOutcome>; close(): void };

/** It takes memory that a process which sends nothing has better uses for. */
const library = () => import("nodemailer");

/** At once to the server; more only wait for each other there. */
export const CONNECTIONS = 5;
/** Milliseconds; SMTP_URL may set others. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 };
/** However slowly a server answers: then it is tried again. */
const LONGEST_MILLISECONDS = 90_000;
const MOST_ERROR = 500;

/** One line that no header and no log can be broken with. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, MOST_ERROR);

function mailOf({ id, from, to, subject, text, html, attachments }: OutgoingEmail) {
  const box = ({ name, address }: Mailbox) => ({ name: oneLine(name), address });
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    from: box(from),
    to: box(to),
    subject: oneLine(subject),
    text,
    html,
    attachments: attachments.map(({ filename, content, contentType }) => ({ filename, content: Buffer.from(content), contentType })),
    headers: { "Auto-Submitted": "auto-generated" },
    // What it is made of comes from strangers, too: it names no files and no addresses to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** The enhanced code of an answer (RFC 3463): behind the plain one, or `(#5.7.1)` at its end, as some servers write it. */
const enhancedCodeOf = (response: string) => /^\d{3}[ -](?:[^]*\(#)?(\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null;
/** There is no such mailbox or domain; the others of 5.1 are of the sender, or of nobody. */
const NO_SUCH_RECIPIENT = /^5\.1\.(1|2|3|4|6|10)$/;
const NO_SUCH_MAILBOX = new Set([550, 551, 553]);
/** The size is told with the sender already. */
const TOO_LARGE = new Set([452, 552]);

/** A 5xx may as well be a relay that has not been told of us, a blocklist or a quota: all of which somebody mends. */
function faultOf({ code, command = "", response = "", responseCode }: SmtpError): MailFault {
  if (code === "EAUTH") return "us";
  if (responseCode === undefined) return code === "EENVELOPE" ? "recipient" : code === "EMESSAGE" ? "other" : "unreachable";
  if (command === "RCPT TO" || command === "DATA") {
    const enhanced = enhancedCodeOf(response);
    const isPlain = enhanced === null && command === "RCPT TO" && NO_SUCH_MAILBOX.has(responseCode);
    return isPlain || (enhanced !== null && NO_SUCH_RECIPIENT.test(enhanced)) ? "recipient" : "other";
  }
  return command === "MAIL FROM" && TOO_LARGE.has(responseCode) ? "other" : "us";
}

function outcomeOf(error: SmtpError): MailOutcome {
  return { sent: false, error: oneLine(error.message), fault: faultOf(error) };
}

/** Connections to the server that SMTP_URL names, opened when they are needed and kept for a while. */
export function openMailer(smtpUrl: string): Mailer {
  const given = new URL(smtpUrl).searchParams;
  const timeouts = Object.fromEntries(Object.entries(TIMEOUTS).filter(([name]) => !given.has(name)));
  const open = async () => (await library()).createTransport({ pool: true, maxConnections: CONNECTIONS, ...timeouts, url: smtpUrl });
  let transport: ReturnType<typeof open> | null = null;
  return {
    async send(email) {
      try {
        transport ??= open();
        await (await transport).sendMail({ ...mailOf(email), signal: AbortSignal.timeout(LONGEST_MILLISECONDS) });
        return { sent: true };
      } catch (error) {
        return outcomeOf(error as SmtpError);
      }
    },
    close: () => void transport?.then((opened) => opened.close()),
  };
}

/** The message as a file (RFC 5322) that mail programs open. */
export async function asFile(email: OutgoingEmail): Promise<Buffer> {
  const { message } = await (await library()).createTransport({ streamTransport: true, buffer: true }).sendMail(mailOf(email));
  return message as Buffer;
}
