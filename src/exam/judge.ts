import { hostOf, isLoopback } from "../cidr.ts";
import { firstLine } from "../outbound/answer-text.ts";
import type { Check, ExamRequest } from "./check.ts";
import type { Answer, Pace } from "./send.ts";

export type Verdict = "PASS" | "WARN" | "FAIL";
export type Tried = { request: ExamRequest; answer: Answer };

/** The result of a check, in words. `advice` is null if all is well. */
export type Finding = {
  id: string;
  verdict: Verdict;
  sent: string;
  expected: string;
  came: string;
  advice: string | null;
};

/** The judgement of one answer. The `advice`, if present, is more exact than the check's and replaces it. */
type Opinion = { verdict: Verdict; advice?: string };

const REDIRECT =
  "Billow follows no redirects: give it the URL that they lead to, often one with https or a slash at the end.";
const BROKEN = "Catch the error and answer 400: with a 5xx, a forged request looks like a fault of your application.";
const TIMEOUT = "Answer 2xx within 15 seconds, and leave longer work to a queue.";
const SLOW = "Answer within 5 seconds, and leave longer work to a queue: Billow gives up after 15 seconds.";
const FOREIGN = "Check the port of the URL: a port for https does not understand http.";
const GONE = "An answer of 410 disables the endpoint: answer it only if no more events are to be sent.";

/** Judges the URL by itself: live endpoints are https only. */
export function judgeTransport(url: string): Finding {
  const { protocol } = new URL(url);
  const host = hostOf(new URL(url));
  const isPlain = protocol === "http:" && !isLoopback(host);
  return {
    id: "https",
    verdict: isPlain ? "WARN" : "PASS",
    sent: "no request: the URL itself",
    expected: "https, or a host of this machine",
    came: protocol === "http:" ? `http to ${host}` : "https",
    advice: isPlain ? "Use https in production: a live Organization sends no webhooks to http." : null,
  };
}

/** Judges a check by the worst of its answers. */
export function judge(check: Check, tried: readonly Tried[], pace: Pace): Finding {
  const opinions = tried.map(({ answer, request }) => ({ request, answer, opinion: opinionOf(check, answer, pace) }));
  const verdict =
    (["FAIL", "WARN"] as const).find((each) => opinions.some(({ opinion }) => opinion.verdict === each)) ?? "PASS";
  const telling = verdict === "PASS" ? opinions : opinions.filter(({ opinion }) => opinion.verdict === verdict);
  return {
    id: check.id,
    verdict,
    sent: check.sent,
    expected: check.expected === "accepted" ? `2xx within ${pace.deadline / 1000} s` : "4xx",
    came:
      verdict === "PASS"
        ? passedBy(check, telling)
        : telling.length === tried.length
          ? wholeOf(telling)
          : listOf(telling),
    advice: verdict === "PASS" ? null : (telling.find(({ opinion }) => opinion.advice)?.opinion.advice ?? check.advice),
  };
}

function opinionOf({ expected }: Check, answer: Answer, { slow }: Pace): Opinion {
  if ("error" in answer) {
    const advice = answer.error === "timeout" ? TIMEOUT : answer.error === "foreign" ? FOREIGN : null;
    return { verdict: "FAIL", ...(advice !== null && { advice }) };
  }
  const { status, durationMs } = answer;
  if (status >= 300 && status < 400) return { verdict: "FAIL", advice: REDIRECT };
  if (expected === "refused") {
    if (status >= 500) return { verdict: "WARN", advice: BROKEN };
    return { verdict: status >= 400 ? "PASS" : "FAIL" };
  }
  if (status === 410) return { verdict: "FAIL", advice: GONE };
  if (status < 200 || status > 299) return { verdict: "FAIL" };
  return durationMs > slow ? { verdict: "WARN", advice: SLOW } : { verdict: "PASS" };
}

const wordsOf = (answer: Answer) => ("error" in answer ? answer.reason : String(answer.status));

/** Each kind of answer with its count, and the time of the slowest. */
function summaryOf(tried: readonly Tried[]): string {
  const counts = new Map<string, number>();
  for (const { answer } of tried) counts.set(wordsOf(answer), (counts.get(wordsOf(answer)) ?? 0) + 1);
  const kinds = [...counts].map(([words, count]) => (count === 1 ? words : `${count} × ${words}`));
  const slowest = Math.max(...tried.map(({ answer }) => answer.durationMs));
  return `${kinds.join(", ")} in ${tried.length === 1 ? "" : "at most "}${slowest} ms`;
}

function passedBy({ unseen }: Check, tried: readonly Tried[]): string {
  return `${summaryOf(tried)}${unseen === undefined ? "" : `; ${unseen} can't be seen from outside`}`;
}

/** The answers to all requests of the check, and the first text in an answer. */
function wholeOf(tried: readonly Tried[]): string {
  return `${summaryOf(tried)}${saidBy(tried)}`;
}

/** The requests of the check by the kind of their answers, and the first text among these answers. */
function listOf(tried: readonly Tried[]): string {
  const kinds = Map.groupBy(tried, ({ answer }) => wordsOf(answer));
  const list = [...kinds].map(
    ([words, those]) => `${words} to ${[...new Set(those.map(({ request }) => nameOf(request)))].join(", ")}`,
  );
  return `${list.join("; ")}${saidBy(tried)}`;
}

const nameOf = ({ about, message }: ExamRequest) => about ?? message.type;

function saidBy(tried: readonly Tried[]): string {
  const texts = tried.map(({ answer }) => ("error" in answer ? "" : firstLine(answer.text)));
  const text = texts.find((each) => each !== "");
  return text === undefined ? "" : `, saying: ${text}`;
}
