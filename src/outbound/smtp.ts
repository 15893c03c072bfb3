type Mailbox = { name: string; address: string };
/**
 * The Message-ID contains `id`, so that a mail program recognizes a second copy. Texts may be in any script, and
 * `language` is their language tag.
 */
export type OutgoingEmail = {
  id: string;
  from: Mailbox;
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  language: string;
  attachments: { filename: string; content: Uint8Array; contentType: string }[];
};

/**
 * Why the server did not accept an e-mail. `recipient`: the server will never accept it for this recipient; `us`: the
 * server refuses our login or our sender address for every e-mail; `unreachable`: no answer came, and the server may
 * even have accepted the e-mail; `other`: any other reason, which may pass.
 */
export type MailFault = "recipient" | "us" | "unreachable" | "other";
type NotSent = { sent: false; error: string; fault: MailFault };
export type MailOutcome = { sent: true } | NotSent;
export type Mailer = { send(email: OutgoingEmail): Promise<MailOutcome>; close(): void };

/** Loaded on demand, to save memory in a process that sends no e-mail. */
const library = () => import("nodemailer");

/** Connections to the server at once. More connections would only wait for each other at the server. */
export const CONNECTIONS = 5;
/** In milliseconds. SMTP_URL may set others. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 };
/** The time limit for one e-mail, however slow the server is. After the limit the e-mail is tried again. */
const LONGEST_MILLISECONDS = 90_000;
const MOST_ERROR = 500;

/** One line of text that can't break a header or a log. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, MOST_ERROR);

function mailOf({ id, from, to, subject, text, html, language, attachments }: OutgoingEmail) {
  const box = ({ name, address }: Mailbox) => ({ name: oneLine(name), address });
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    from: box(from),
    to: box(to),
    subject: oneLine(subject),
    text,
    html,
    attachments: attachments.map(({ filename, content, contentType }) => ({
      filename,
      content: Buffer.from(content),
      contentType,
    })),
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
    // Contents also come from strangers, so nodemailer must not read files or URLs that they name.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** The enhanced code of an answer (RFC 3463): after the plain code, or, as some servers do, `(#5.7.1)` at the end. */
const enhancedCodeOf = (response: string) =>
  /^\d{3}[ -](?:[^]*\(#)?(\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null;
/** There is no such mailbox or domain. The other codes of 5.1 are about the sender, or say too little. */
const NO_SUCH_RECIPIENT = /^5\.1\.(1|2|3|4|6|10)$/;
const NO_SUCH_MAILBOX = new Set([550, 551, 553]);
/** The codes for a message that is too large. MAIL FROM already announces the size. */
const TOO_LARGE = new Set([452, 552]);

/**
 * A 5xx need not be the recipient's fault: a relay that does not know us, a blocklist or a quota can be fixed by a
 * person.
 */
function faultOf({ code, command = "", response = "", responseCode }: SmtpError): MailFault {
  if (code === "EAUTH") return "us";
  if (responseCode === undefined)
    return code === "EENVELOPE" ? "recipient" : code === "EMESSAGE" ? "other" : "unreachable";
  if (command === "RCPT TO" || command === "DATA") {
    const enhanced = enhancedCodeOf(response);
    const isPlain = enhanced === null && command === "RCPT TO" && NO_SUCH_MAILBOX.has(responseCode);
    return isPlain || (enhanced !== null && NO_SUCH_RECIPIENT.test(enhanced)) ? "recipient" : "other";
  }
  return command === "MAIL FROM" && TOO_LARGE.has(responseCode) ? "other" : "us";
}

function outcomeOf(error: SmtpError): NotSent {
  return { sent: false, error: oneLine(error.message), fault: faultOf(error) };
}

function timeoutsOf(smtpUrl: string): Partial<typeof TIMEOUTS> {
  const given = new URL(smtpUrl).searchParams;
  return Object.fromEntries(Object.entries(TIMEOUTS).filter(([name]) => !given.has(name)));
}

/** Connects, greets and logs in as for an e-mail, and sends no e-mail. Null: the server is ready for e-mails. */
export async function whyNotReady(smtpUrl: string): Promise<Pick<NotSent, "error" | "fault"> | null> {
  const transport = (await library()).createTransport({ ...timeoutsOf(smtpUrl), url: smtpUrl });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return outcomeOf(error as SmtpError);
  } finally {
    transport.close();
  }
}

/** Connections to the server of SMTP_URL, opened on demand and kept for a while. */
export function openMailer(smtpUrl: string): Mailer {
  const timeouts = timeoutsOf(smtpUrl);
  const open = async () =>
    (await library()).createTransport({ pool: true, maxConnections: CONNECTIONS, ...timeouts, url: smtpUrl });
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
  const { message } = await (
    await library()
  )
    .createTransport({ streamTransport: true, buffer: true })
    .sendMail(mailOf(email));
  return message as Buffer;
}
