const JITTER = 0.2;

/**
 * A delay before the next attempt, longer or shorter by up to a fifth. Many receivers or e-mails fail at one moment for
 * one cause, and the jitter spreads their next attempts. `random`: in [0, 1).
 */
export function jittered(delay: number, random: number): number {
  return Math.round(delay * (1 + JITTER * (2 * random - 1)));
}
