import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A received message, parsed by a library that is independent of the sender. */
export type ReceivedMail = Email & { raw: string };
/** The server's answer to a sender, a recipient or a message. 250 accepts it, and `hang` gives no answer. */
export type MailReaction = { code: number; text?: string } | "hang";

/** A real SMTP server that keeps incoming messages and answers as a test tells it. */
export type MailServer = {
  /** The value for `SMTP_URL`. */
  url: string;
  received: ReceivedMail[];
  /** Each login: the method, the user, and the name in the client's greeting. */
  logins: string[];
  /** True if this user may log in. */
  knows(user: string): boolean;
  toSender(address: string): MailReaction;
  toRecipient(address: string): MailReaction;
  toMessage(): MailReaction | Promise<MailReaction>;
  /** Addresses of all recipients that were asked for, accepted or not. */
  asked: string[];
  close(): Promise<void>;
};

const TAKEN: MailReaction = { code: 250 };

function answer(reaction: MailReaction, callback: (error?: Error | null) => void): void {
  if (reaction === "hang") return;
  if (reaction.code < 300) callback();
  else callback(Object.assign(new Error(reaction.text ?? "No"), { responseCode: reaction.code }));
}

/** `port` 0: any free port. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: MailServer = {
    url: "",
    received: [],
    logins: [],
    asked: [],
    knows: () => true,
    toSender: () => TAKEN,
    toRecipient: () => TAKEN,
    toMessage: () => TAKEN,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth({ method, username = "" }, { hostNameAppearsAs }, callback) {
      mails.logins.push(`${method} ${username} ${hostNameAppearsAs}`);
      if (mails.knows(username)) callback(null, { user: username });
      else callback(Object.assign(new Error("5.7.8 Authentication failed"), { responseCode: 535 }));
    },
    onMailFrom({ address }, _session, callback) {
      answer(mails.toSender(address), callback);
    },
    onRcptTo({ address }, _session, callback) {
      mails.asked.push(address);
      answer(mails.toRecipient(address), callback);
    },
    async onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const raw = Buffer.concat(chunks);
      const reaction = await mails.toMessage();
      if (reaction !== "hang" && reaction.code < 300)
        mails.received.push({ ...(await PostalMime.parse(raw)), raw: raw.toString() });
      answer(reaction, callback);
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  mails.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return mails;
}
