/** A provider's limits for one process: concurrent calls, and calls begun per second. */
export type ProviderLimits = { inFlight: number; perSecond: number };

/** A provider's 429: the call was not carried out. `milliseconds`: how long to wait before the next call. */
export class ProviderBusy extends Error {
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super("the payment provider asks for fewer calls");
    this.milliseconds = milliseconds;
  }
}
