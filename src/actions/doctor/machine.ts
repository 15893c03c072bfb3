import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hostOf, isLoopback } from "../../cidr.ts";
import type { Context } from "../../context.ts";
import { fault, ok, warning, type Check } from "./check.ts";
import { judgeOrigin, judgeSpace } from "./findings.ts";
import { reasonOf } from "../../errors.ts";
import { whyNoProvider } from "../../outbound/open-id.ts";
import { whyNotReady } from "../../outbound/smtp.ts";

type Settings = Context["config"];

/** The directory, or the nearest directory above that exists: Billow makes the rest at its first need. */
async function existing(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return existing(dirname(path));
  }
}

/** Space and rights of the data directory, which holds downloads, kept e-mails and the embedded database. */
export async function checkDisk({ dataDir }: Settings): Promise<Check> {
  try {
    const folder = await existing(dataDir);
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no directory`);
    const { bavail, bsize } = await statfs(folder);
    const space = judgeSpace(dataDir, bavail * bsize);
    if (space.status !== "fault") await access(folder, constants.W_OK | constants.X_OK);
    return space;
  } catch (error) {
    return fault(
      "disk",
      `the data directory can't be used: ${reasonOf(error)}`,
      "Set BILLOW_DATA_DIR to a directory that this user may write to.",
    );
  }
}

const READ_BY_OTHERS = constants.S_IRGRP | constants.S_IROTH;

/**
 * The rights of the file with the secret, which signs links and encrypts stored keys. With BILLOW_SECRET there may be
 * no file. A file in a closed directory counts, too: its copies keep their rights.
 */
export async function checkSecretFile({ dataDir }: Settings): Promise<Check> {
  const path = join(dataDir, "secret");
  const found = await stat(path).catch(() => null);
  if (found === null) return ok("secret_file", "the secret is in no file of the data directory");
  if ((found.mode & READ_BY_OTHERS) === 0) return ok("secret_file", `only its owner can read ${path}`);
  return warning(
    "secret_file",
    `other users of this machine can read ${path}, which opens all links and stored keys`,
    `Run chmod 600 ${path}. If others may have read the secret, replace it: see docs/operating/secrets.md.`,
  );
}

const SMTP_ADVICE = {
  us: "Correct user and password in SMTP_URL, or ask the operator of the mail server to let this machine in.",
  others: "Check the host, the port and the TLS parameters of SMTP_URL, and the firewall on the way.",
};

/** Connects and logs in to the server of SMTP_URL. `live`: whether a live Organization writes to real buyers. */
export async function checkSmtp({ smtpUrl }: Settings, live: boolean): Promise<Check> {
  if (smtpUrl === null) {
    const says = "SMTP_URL is not set, so e-mails are only kept";
    return live ? warning("smtp", says, "Set SMTP_URL, so that buyers get receipts and warnings.") : ok("smtp", says);
  }
  const { host } = new URL(smtpUrl);
  const found = await whyNotReady(smtpUrl);
  if (found === null) return ok("smtp", `${host} is ready for e-mails`);
  return fault("smtp", `${host} takes no e-mails: ${found.error}`, SMTP_ADVICE[found.fault === "us" ? "us" : "others"]);
}

/** Asks the provider of OIDC_ISSUER for its description. */
export async function checkOpenId({ openId }: Settings): Promise<Check> {
  if (openId === null) return ok("open_id", "OIDC_ISSUER is not set, so people sign in with a password");
  const { host } = new URL(openId.issuer);
  const found = await whyNoProvider(openId);
  if (found === null) return ok("open_id", `${host} describes itself as an OpenID provider`);
  const advice =
    "Check OIDC_ISSUER: its address with /.well-known/openid-configuration answers JSON with this same issuer.";
  return fault("open_id", `${host} is no OpenID provider: ${found}`, advice);
}

/** The address of the pages. The check sends no request to the address. */
export function checkOrigin({ publicOrigin }: Settings, live: boolean): Check {
  return judgeOrigin(publicOrigin, { live, isLoopback: isLoopback(hostOf(new URL(publicOrigin))) });
}
