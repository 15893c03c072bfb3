import { advanceClock } from "../../src/actions/sandbox/advance-clock.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { pauseSubscription } from "../../src/actions/subscription/pause.ts";
import { readResumeQuote, resumeInPortal } from "../../src/actions/subscription/portal-resume.ts";
import type { Context } from "../../src/context.ts";
import { DAY, parseInstant } from "../../src/domain/calendar.ts";
import type { Pause } from "../../src/domain/model/subscription.ts";
import { figuresOfResume } from "../../src/domain/subscription/portal-resume.ts";
import type { Answer } from "../../src/http/answer.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { boughtAt } from "../support/downtime.ts";
import { operate } from "../support/operate.ts";
import { CARDS } from "../support/story.ts";
import { sendAgain, subscribe, type Sale, type Source } from "./sources.ts";

const RESUMES = parseInstant("2025-04-15T00:00:00Z")!;

const read = async ({ db }: Context, { organizationId, subscriptionId }: Sale) =>
  (await subscriptions.find(db.read, organizationId, subscriptionId))!;

export async function lookAtPause(ctx: Context, sale: Sale) {
  const { status, periodNumber, pause, grantsSuspended } = await read(ctx, sale);
  return { status, periodNumber, pause, grantsSuspended };
}

/** Schedules a pause, with the access that `pause` says. */
export async function schedulePause(ctx: Context, sale: Sale, pause: Pause): Promise<void> {
  await subscribe(ctx, sale);
  await pauseSubscription(ctx, ownOrigin(sale.organizationId), sale.subscriptionId, pause);
}

/** As `schedulePause`, so long ago that the pause is due to begin. */
export async function pauseLongAgo(ctx: Context, sale: Sale): Promise<void> {
  await schedulePause(ctx, sale, { resumesAt: null, access: "revoke" });
  await boughtAt(ctx, sale.organizationId, sale.subscriptionId, Date.now() - 32 * DAY);
}

async function begun(ctx: Context, sale: Sale): Promise<void> {
  await pauseLongAgo(ctx, sale);
  await runOnce(ctx);
}

const resume = (ctx: Context, { organizationId, subscriptionId }: Sale): Promise<Answer> =>
  operate(ctx, organizationId, "resumeSubscription", {
    params: { subscriptionId },
    key: `resume ${subscriptionId}`,
  });

/** The worker makes the charge. */
async function request(ctx: Context, sale: Sale): Promise<void> {
  await resume(ctx, sale);
  await runOnce(ctx);
}

/** The click on the page of a resume, with the figures of the page. */
async function click(ctx: Context, sale: Sale): Promise<unknown> {
  const subscription = await read(ctx, sale);
  const quote = await readResumeQuote(ctx, subscription);
  return quote && resumeInPortal(ctx, subscription, { figures: figuresOfResume(quote), shownAt: null });
}

const aResume: Source = {
  sells: "starter",
  money: "charge",
  trigger: "renewal",
  refusing: CARDS.failsLater,
  prepare: begun,
  act: request,
  look: lookAtPause,
  paid: {
    tally: ["checkout paid", "renewal paid"],
    seen: { status: "active", periodNumber: 2, pause: null, grantsSuspended: false },
  },
  declined: {
    tally: ["checkout paid", "renewal open"],
    seen: { status: "past_due", periodNumber: 2, pause: null, grantsSuspended: true },
  },
};

/** Further columns of the table: the charges of a resume (rules S8g, S8k). */
export const RESUMES_OF_PAUSES: Record<string, Source> = {
  "a resume in the portal": { ...aResume, refusing: null, act: click },
  "a resume by a request": {
    ...aResume,
    look: async (ctx, sale) => ({
      answer: await sendAgain(() => resume(ctx, sale)),
      ...(await lookAtPause(ctx, sale)),
    }),
    paid: { ...aResume.paid, seen: { ...aResume.paid.seen, answer: { status: 200, replayed: true } } },
    declined: { ...aResume.declined, seen: { ...aResume.declined.seen, answer: { status: 200, replayed: true } } },
  },
  "the begin of a pause and its planned resume": {
    ...aResume,
    simulated: true,
    prepare: (ctx, sale) => schedulePause(ctx, sale, { resumesAt: RESUMES, access: "revoke" }),
    act: (ctx, { organizationId }) => advanceClock(ctx, organizationId, { to: RESUMES }),
  },
};
