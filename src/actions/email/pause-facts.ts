import type { ContinuedFacts } from "../../mail/cancellation.ts";
import type { PauseFacts } from "../../mail/pause.ts";
import { products } from "../../store/products.ts";
import { portalUrl } from "../links.ts";
import { loadUndone } from "./cancellation-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/** The facts of a pause that is scheduled or has begun (rules S8j, E4h). */
export async function loadPause(context: EmailContext): Promise<LoadedFacts<PauseFacts> | Skip> {
  const { ctx, email, organization, words } = context;
  const { status, pause, productId, currentPeriodEnd } = context.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  const hasBegun = status === "paused";
  const isOther = email.kind === "pause_begun" && (!hasBegun || currentPeriodEnd !== email.announcedAt);
  if (pause === null || isOther) return { skip: "changed_meanwhile" };
  const product = (await products.find(ctx.db.read, organization.id, productId))?.name ?? "";
  const day = (at: typeof currentPeriodEnd) => words.day(at, organization.timeZone);
  const facts = {
    product,
    hasBegun,
    day: day(currentPeriodEnd),
    until: pause.resumesAt === null ? null : day(pause.resumesAt),
    access: pause.access,
    portal: portalUrl(ctx, organization.id),
  };
  return { facts };
}

/** The facts of a pause that was undone before its begin (rules S8j, E4h). */
export async function loadPauseUndone(context: EmailContext): Promise<LoadedFacts<ContinuedFacts> | Skip> {
  if (context.subscription!.pause !== null) return { skip: "changed_meanwhile" };
  return loadUndone(context);
}
