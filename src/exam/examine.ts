import { randomBytes } from "node:crypto";
import { realNow } from "../clock.ts";
import { instant } from "../domain/calendar.ts";
import { SENDER_HEADERS, signatureHeaders } from "../outbound/signature.ts";
import { ACCEPTED, FIRST, LAST } from "./acceptance-checks.ts";
import type { Check, ExamRequest } from "./check.ts";
import { judge, judgeTransport, type Finding, type Tried } from "./judge.ts";
import { REFUSED } from "./refusal-checks.ts";
import { send, type Answer, type Pace } from "./send.ts";
import { newStory, type Story } from "./story.ts";

/** Every check, in the order of the exam. */
export const CHECKS: readonly Check[] = [FIRST, ...REFUSED, ...ACCEPTED, LAST];

/** The deadline is that of deliveries, and the pauses are long enough for a receiver to notice. */
export const PACE: Pace = { deadline: 15_000, slow: 5_000, pause: 250 };

/** After this many timeouts the exam stops: this receiver would let all later requests time out, too. */
const MOST_TIMEOUTS = 3;

/** `secret`: base64, without `whsec_`. */
export type Target = { url: string; secret: string };

/**
 * `skipped`: the checks that were not tried, and the reason. `unreachable`: the reason why the first request found no
 * connection.
 */
export type Report = {
  findings: Finding[];
  skipped: { checks: string[]; because: string } | null;
  unreachable: string | null;
};

/** Sends a receiver every request that it has to accept or to refuse, and judges the answers. */
export async function examine(target: Target, pace: Pace = PACE): Promise<Report> {
  const story = newStory(instant(realNow()));
  const stranger = randomBytes(32).toString("base64");
  const findings = [judgeTransport(target.url)];
  let timeouts = 0;
  for (const [n, check] of CHECKS.entries()) {
    const tried = await carryOut(check, story, (request) => post(target, stranger, request, pace));
    const finding = judge(check, tried, pace);
    const answers = tried.map(({ answer }) => answer);
    const gone = answers.find((answer) => "error" in answer && answer.error === "gone") as
      | { reason: string }
      | undefined;
    if (n === 0 && gone) return { findings: [], skipped: null, unreachable: gone.reason };
    findings.push(finding);
    timeouts += answers.filter((answer) => "error" in answer && answer.error === "timeout").length;
    const because = reasonToStop(n === 0 && finding.verdict === "FAIL", gone !== undefined, timeouts);
    const checks = CHECKS.slice(n + 1).map(({ id }) => id);
    if (because !== null && checks.length > 0) return { findings, skipped: { checks, because }, unreachable: null };
  }
  return { findings, skipped: null, unreachable: null };
}

function reasonToStop(firstFailed: boolean, isGone: boolean, timeouts: number): string | null {
  if (firstFailed) return "a receiver that does not accept a simple event can't be examined further";
  if (isGone) return "connections are no longer accepted there";
  return timeouts >= MOST_TIMEOUTS ? `${timeouts} requests were not answered in time` : null;
}

async function carryOut(check: Check, story: Story, ask: (request: ExamRequest) => Promise<Answer>): Promise<Tried[]> {
  const requests = check.requests(story);
  const tried: Tried[] = [];
  const go = async (request: ExamRequest) => tried.push({ request, answer: await ask(request) });
  if (check.together) await Promise.all(requests.map(go));
  else for (const request of requests) await go(request);
  return tried.filter(({ request }) => !request.ignored);
}

/** Signs at the moment of sending, as deliveries do. */
function post({ url, secret }: Target, stranger: string, request: ExamRequest, pace: Pace): Promise<Answer> {
  const { message, age = 0, signers = ["own"], forge, manner = { kind: "whole" } } = request;
  const secrets = signers.map((signer) => (signer === "own" ? secret : stranger));
  const signed = signatureHeaders(secrets, message.id, Math.floor(realNow() / 1000) - age, message.body);
  const headers = { ...SENDER_HEADERS, ...(forge ? forge(signed) : signed) };
  return send(url, { headers, body: request.body ?? message.body, manner }, pace);
}
