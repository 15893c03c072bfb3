import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { AppError } from "../../errors.ts";

/**
 * The seconds after which the caller sends the request again. If the advance still runs, the caller gets the same
 * answer.
 */
const RETRY_SECONDS = "5";

/** 409: an advance to another instant is under way. */
export function advancing(clockTarget: Instant): AppError {
  const target = formatInstant(clockTarget);
  const advice = "Wait until the clock has reached this time, or stop the advance.";
  const detail = `An advance to ${target} is under way. ${advice}`;
  return new AppError("clock_advancing", { detail, extra: { target }, headers: { "Retry-After": RETRY_SECONDS } });
}

/** 409: the advance was stopped at the present instant of the clock. */
export function stopped(at: Instant, clockTarget: Instant): AppError {
  const [now, target] = [formatInstant(at), formatInstant(clockTarget)];
  const detail = `The clock stands at ${now}. Advance the clock again to continue from there.`;
  return new AppError("clock_stopped", { detail, extra: { now, target } });
}
