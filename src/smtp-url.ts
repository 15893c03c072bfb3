import { isIP } from "node:net";

/** A wrong SMTP_URL. The message is one line for the operator, without user and password. */
export class SmtpUrlError extends Error {}

const isHostName = (text: string) => /^[\w.-]+$/.test(text);

/** An address in the form of an SMTP greeting (RFC 5321, 4.1.3): `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
function isAddressLiteral(text: string): boolean {
  const [, v6, literal = ""] = /^\[(IPv6:)?([^%]*)\]$/i.exec(text) ?? [];
  return isIP(literal) === (v6 ? 6 : 4);
}

type Parameter = { takes: string; fits(value: string): boolean };
const YES_OR_NO: Parameter = { takes: "true or false", fits: (value) => /^(true|false)$/.test(value) };
const MILLISECONDS: Parameter = {
  takes: "a whole number of milliseconds",
  fits: (value) => /^[1-9]\d{0,8}$/.test(value),
};
/**
 * The parameters that SMTP_URL may have. The mail library knows others, but they would override the named server, or
 * their mistakes could not be detected here.
 */
const SMTP_PARAMETERS: Record<string, Parameter> = {
  requireTLS: YES_OR_NO,
  "tls.rejectUnauthorized": YES_OR_NO,
  "tls.servername": {
    takes: "the host name in the server's certificate",
    // The library turns a text that looks like a number into a number.
    fits: (value) => isHostName(value) && isIP(value) === 0 && Number.isNaN(Number(value)),
  },
  name: {
    takes: "the host name that this machine says it has, or its address as [192.0.2.1]",
    fits: (value) => isHostName(value) || isAddressLiteral(value),
  },
  authMethod: { takes: "LOGIN, PLAIN or CRAM-MD5", fits: (value) => /^(LOGIN|PLAIN|CRAM-MD5)$/.test(value) },
  connectionTimeout: MILLISECONDS,
  greetingTimeout: MILLISECONDS,
  socketTimeout: MILLISECONDS,
};

/** Whether each % has two hexadecimal digits of UTF-8 after it. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The address of an SMTP server, as it was given; undefined: the text has another form.
 * @throws SmtpUrlError that shows neither user nor password
 */
export function readSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
  const { username, password, hostname, port, pathname, search, hash } = url;
  // The message does not show the rest of the text: it may belong to a password.
  if (!/^\/?$/.test(pathname) || hash !== "")
    throw new SmtpUrlError(
      "In SMTP_URL only ?parameters may follow the host and port. In user and password, / is %2F and # is %23.",
    );
  if (port === "0") throw new SmtpUrlError("SMTP_URL must have a port from 1 to 65535, or none.");
  if ((username === "") !== (password === ""))
    throw new SmtpUrlError(
      `SMTP_URL has a ${username === "" ? "password without a user" : "user without a password"}.`,
    );
  if (![username, password, hostname, search].every(isPercentEncoded))
    throw new SmtpUrlError(
      "SMTP_URL has a % without two hexadecimal digits of UTF-8 after it: the character % itself is written %25.",
    );
  const seen = new Set<string>();
  for (const [name, value] of url.searchParams) {
    const known = Object.hasOwn(SMTP_PARAMETERS, name) ? SMTP_PARAMETERS[name] : undefined;
    if (!known)
      throw new SmtpUrlError(
        `SMTP_URL has ${JSON.stringify(name)}, but takes ${Object.keys(SMTP_PARAMETERS).join(", ")} only.`,
      );
    if (!known.fits(value)) throw new SmtpUrlError(`${name} in SMTP_URL must be ${known.takes}.`);
    if (seen.size === seen.add(name).size) throw new SmtpUrlError(`SMTP_URL has ${name} twice.`);
  }
  return text;
}
