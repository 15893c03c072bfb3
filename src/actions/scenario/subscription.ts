import { addDays24, formatInstant, instant, type Instant } from "../../domain/calendar.ts";
import type { EventType } from "../../domain/event.ts";
import { RENEWAL_NOTICE_DAYS, RESUME_NOTICE_DAYS, TRIAL_NOTICE_DAYS } from "../../domain/model/subscription.ts";
import { newId } from "../../ids.ts";
import { cancelNow } from "../subscription/cancel-now.ts";
import { pauseSubscription, resumeSubscription } from "../subscription/pause.ts";
import { assign } from "./assign.ts";
import { subscribe } from "./checkout.ts";
import { giveCard } from "./customer.ts";
import { changeSubscription } from "./operations.ts";
import { makeProduct } from "./product.ts";
import { daysBefore, passPeriod, soon } from "./time.ts";
import { own, type Recipe, type World } from "./world.ts";

const change = (world: World, params: Parameters<typeof changeSubscription>[2]) =>
  changeSubscription(world, world.made["subscriptionId"]!, params);

async function upgrade(world: World): Promise<void> {
  const group = newId("prd").toLowerCase();
  await makeProduct(world, { group });
  await subscribe(world);
  delete world.made["productId"];
  await change(world, { productId: await makeProduct(world, { group, prices: [{ currency: "usd", amount: 2000 }] }) });
}

async function renew(world: World): Promise<void> {
  await giveCard(world);
  // A period of 27 days is too short for an e-mail about its end (rule S6). Even shorter periods would make more
  // renewals when the clock is advanced later.
  const days = 27;
  await makeProduct(world, { interval: "day", intervalCount: days });
  const end = await soon(world);
  await assign(world, { startedAt: formatInstant(await daysBefore(world, days, end)) });
  await passPeriod(world, end);
}

/**
 * Makes a Subscription whose pause begins in a moment. With `noticeAfter` milliseconds, the notice of the resume comes
 * that much later. Returns the begin of the pause.
 */
async function pause(world: World, noticeAfter: number | null = null): Promise<Instant> {
  await giveCard(world);
  const days = 27;
  await makeProduct(world, { interval: "day", intervalCount: days });
  const begin = await soon(world);
  const id = await assign(world, { startedAt: formatInstant(await daysBefore(world, days, begin)) });
  const resumesAt = noticeAfter === null ? null : instant(addDays24(begin, RESUME_NOTICE_DAYS) + noticeAfter);
  await pauseSubscription(world.ctx, own(world), id, { resumesAt, access: "revoke" });
  await passPeriod(world, begin);
  return begin;
}

async function resume(world: World): Promise<void> {
  await pause(world);
  await resumeSubscription(world.ctx, own(world), world.made["subscriptionId"]!);
}

async function nearResume(world: World): Promise<void> {
  const noticeAfter = 1000;
  const begin = await pause(world, noticeAfter);
  await passPeriod(world, instant(begin + noticeAfter));
}

async function endTrial(world: World): Promise<void> {
  await giveCard(world);
  const trialEnd = await soon(world);
  await assign(world, { trialEnd: formatInstant(trialEnd) });
  await passPeriod(world, trialEnd);
}

/** Makes a trial whose e-mail about the trial's end is due in a moment. */
async function nearEnd(world: World): Promise<void> {
  const at = await soon(world);
  await assign(world, { trialEnd: formatInstant(addDays24(at, TRIAL_NOTICE_DAYS)) });
  await passPeriod(world, at);
}

async function nearRenewal(world: World): Promise<void> {
  await giveCard(world);
  const days = 30;
  await makeProduct(world, { interval: "day", intervalCount: days });
  const at = await soon(world);
  await assign(world, { startedAt: formatInstant(await daysBefore(world, days, addDays24(at, RENEWAL_NOTICE_DAYS))) });
  await passPeriod(world, at);
}

async function recover(world: World): Promise<void> {
  await assign(world);
  await giveCard(world);
}

export async function cancelAtOnce(world: World): Promise<void> {
  await cancelNow(world.ctx, own(world), world.made["subscriptionId"]!, {});
}

async function scheduleCancellation(world: World): Promise<void> {
  await subscribe(world);
  await change(world, { cancelAtPeriodEnd: true });
}

export const SUBSCRIPTION_EVENTS = {
  "subscription.created": subscribe,
  "subscription.trial_ending": nearEnd,
  "subscription.renewal_upcoming": nearRenewal,
  "subscription.activated": endTrial,
  "subscription.renewed": renew,
  "subscription.updated": upgrade,
  "subscription.paused": async (world) => {
    await pause(world);
  },
  "subscription.resume_upcoming": nearResume,
  "subscription.resumed": resume,
  "subscription.cancellation_scheduled": scheduleCancellation,
  "subscription.cancellation_undone": async (world) => {
    await scheduleCancellation(world);
    await change(world, { cancelAtPeriodEnd: false });
  },
  "subscription.past_due": assign,
  "subscription.recovered": recover,
  "subscription.canceled": async (world) => {
    await subscribe(world);
    await cancelAtOnce(world);
  },
} satisfies Partial<Record<EventType, Recipe>>;
