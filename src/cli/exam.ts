import { counted } from "../domain/words.ts";
import { examine, type Report } from "../exam/examine.ts";
import type { Finding } from "../exam/judge.ts";
import {
  httpUrl,
  CommandError,
  optional,
  UsageError,
  type Command,
  type Output,
  type Values,
  type Wiring,
} from "./command.ts";

const FAILED = 1;
const UNREACHABLE = 2;
/** The Standard Webhooks specification allows secrets of 24 to 64 bytes. */
const SECRET_BYTES = { least: 24, most: 64 };

/** Properties that an exam can't check, since a receiver shows them only to its owner. */
const UNSEEN = [
  "whether a duplicate, or an older event, changed anything once it was answered with 2xx",
  "whether an event that was answered with 2xx is kept, even if the process dies right after",
  "whether secrets are compared in constant time",
];

/** The secret without its prefix. @throws UsageError, which does not repeat the secret. */
function readSecret(wiring: Wiring, values: Values): string {
  const text = optional(values, "secret") ?? wiring.webhookSecret();
  if (text === null)
    throw new UsageError(
      "There is no secret: give --secret, or set BILLOW_WEBHOOK_SECRET. node bin/billow.mjs listen prints the secret.",
    );
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, "base64");
  if (length >= SECRET_BYTES.least && length <= SECRET_BYTES.most) return base64;
  throw new UsageError(
    "A secret is whsec_ and base64, as it was shown when the endpoint was made, or by node bin/billow.mjs listen.",
  );
}

const WIDTH = 24;

function describe({ id, verdict, sent, expected, came, advice }: Finding): string {
  const line = `${verdict}  ${id.padEnd(WIDTH)}${sent}`;
  if (advice === null) return `${line}: ${came}`;
  const more = [`expected: ${expected}`, `came:     ${came}`, `to do:    ${advice}`];
  return [line, ...more.map((each) => `${" ".repeat(WIDTH + 6)}${each}`)].join("\n");
}

function present(url: string, { findings, skipped }: Report): Output {
  const count = (verdict: Finding["verdict"]) => findings.filter((finding) => finding.verdict === verdict).length;
  const counts = { passed: count("PASS"), warnings: count("WARN"), failed: count("FAIL") };
  const missed = skipped === null ? [] : [`Not tried, since ${skipped.because}: ${skipped.checks.join(", ")}.`];
  const verdicts = `${counts.passed} passed, ${counted(counts.warnings, "warning")}, ${counts.failed} failed`;
  const sum = `${counted(findings.length, "check")}: ${verdicts}.`;
  const unseen = ["Not visible from outside:", ...UNSEEN.map((each) => `- ${each}`)];
  const text = [...findings.map(describe), "", ...missed, sum, ...unseen].join("\n");
  return { text, json: { url, ...counts, checks: findings, skipped, unseen: UNSEEN } };
}

export const exam: Command = {
  usage: "exam URL [--secret whsec_…]",
  summary: "sends webhooks that your receiver must accept or refuse, and reports its faults",
  group: "Sell and test",
  options: {
    secret: { type: "string", value: "whsec_…", says: "the signing secret (default: BILLOW_WEBHOOK_SECRET)" },
  },
  example: "exam http://localhost:3000/hook --secret whsec_…",
  exits: { 0: "the receiver has no fault", 1: "the receiver has faults", 2: "no receiver answers, or a wrong call" },
  words: 1,
  failure: UNREACHABLE,
  async run(wiring, values, [word = ""]) {
    const url = httpUrl("The receiver", word);
    const report = await examine({ url, secret: readSecret(wiring, values) });
    if (report.unreachable !== null)
      throw new CommandError(
        `${new URL(url).host} can't be reached: ${report.unreachable}. Start your application, and give the URL at ` +
          "which it takes webhooks. The exam sends its requests there.",
      );
    wiring.print(present(url, report));
    return report.findings.some(({ verdict }) => verdict === "FAIL") ? FAILED : 0;
  },
};
