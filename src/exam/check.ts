import type { SignedHeaders } from "../outbound/signature.ts";
import type { Manner } from "./send.ts";
import type { Story, WebhookMessage } from "./story.ts";

/** One request to the receiver. It is signed correctly and sent at once, unless a field says otherwise. */
export type ExamRequest = {
  message: WebhookMessage;
  /** The request's name in a report of its failure. Default: the type of the request's event. */
  about?: string;
  /** The age of the request's timestamp in seconds; negative: a timestamp in the future. */
  age?: number;
  /** The secrets that sign the request, in this order. */
  signers?: readonly ("own" | "stranger")[];
  /** Changes the headers after signing. The body stays as signed. */
  forge?: (headers: SignedHeaders) => Record<string, string>;
  /** Sent instead of the signed body. */
  body?: Buffer;
  manner?: Manner;
  /** The answer is not judged. */
  ignored?: boolean;
};

export type Check = {
  /** Stable. */
  id: string;
  sent: string;
  /** `accepted`: any 2xx in time; `refused`: any 4xx. */
  expected: "accepted" | "refused";
  /** Advice for a receiver that does not answer as expected. */
  advice: string;
  /** A fact that a 2xx does not show. The report names it even if the check passes. */
  unseen?: string;
  /** Sends all requests at the same moment instead of one after the other. */
  together?: true;
  requests(story: Story): ExamRequest[];
};
