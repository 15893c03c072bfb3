import type { Sub } from "./reference-model.ts";

// The due items of a Subscription (docs/rules.md: T4).

export type Kind = "end" | "retry" | "grace" | "renewal" | "pause" | "resume";
export const ORDER: Kind[] = ["end", "retry", "grace", "renewal", "pause", "resume"];

/**
 * The next due item. Items of one instant go in the order end, retry, suspend, renew, pause, resume. The suspension
 * waits for a retry that is under way, and so does a renewal that the suspension would prevent. No period begins during
 * a suspension.
 */
export function nextDue(sub: Sub): { at: number; kind: Kind } {
  if (sub.changing) return { at: Infinity, kind: "end" };
  const { retryAt = null, graceAt = Infinity } = sub.dunning ?? {};
  const isRetried = sub.dunning !== null && retryAt === null;
  const { pause } = sub;
  const isPaused = sub.status === "paused";
  const isBarred = sub.suspended || pause !== null || sub.cancelAt !== null || (isRetried && graceAt <= sub.to);
  const due: { at: number; kind: Kind }[] = [
    { at: sub.cancelAt ?? Infinity, kind: "end" },
    { at: retryAt ?? Infinity, kind: "retry" },
    { at: sub.suspended || retryAt === null ? Infinity : graceAt, kind: "grace" },
    { at: isBarred ? Infinity : sub.to, kind: "renewal" },
    { at: pause && !isPaused ? sub.to : Infinity, kind: "pause" },
    { at: (isPaused ? pause!.until : null) ?? Infinity, kind: "resume" },
  ];
  return due.reduce((one, other) => (other.at < one.at ? other : one));
}
