import type { PauseFacts } from "../../mail/pause.ts";
import { products } from "../../store/products.ts";
import { portalUrl } from "../links.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/** The facts of a pause that is scheduled, or was changed after its begin (rules S8j, E4h). */
export async function loadPause(context: EmailContext): Promise<LoadedFacts<PauseFacts> | Skip> {
  const { ctx, organization, words } = context;
  const { status, pause, productId, currentPeriodEnd } = context.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (pause === null) return { skip: "changed_meanwhile" };
  const product = (await products.find(ctx.db.read, organization.id, productId))?.name ?? "";
  const day = (at: typeof currentPeriodEnd) => words.day(at, organization.timeZone);
  const facts = {
    product,
    day: day(currentPeriodEnd),
    until: pause.resumesAt === null ? null : day(pause.resumesAt),
    access: pause.access,
    portal: portalUrl(ctx, organization.id),
  };
  return { facts };
}
