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

/** `final`: the server will not take it for this recipient, ever. `unreachable`: it was not even asked. */
export type MailOutcome = { sent: true } | { sent: false; error: string; final: boolean; unreachable: boolean };
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

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; permanent?: boolean };

/** A server that refuses us (its login, our address) may be told otherwise; one that refuses the recipient or the message is believed. */
function outcomeOf(error: SmtpError): MailOutcome {
  const { code, command = "", responseCode, permanent, message } = error;
  const isRefused = permanent === true && /^(RCPT TO|DATA)/.test(command);
  const isImpossible = code === "EENVELOPE" && responseCode === undefined;
  return {
    sent: false,
    error: oneLine(message),
    final: isRefused || isImpossible,
    unreachable: responseCode === undefined && !isImpossible,
  };
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
