import type { SignedHeaders } from "../outbound/signature.ts";
import type { Manner } from "./send.ts";
import type { Story, WebhookMessage } from "./story.ts";

/** One request to the receiver. It is signed correctly and sent at once, unless a field says otherwise. */
export type ExamRequest = {
  message: WebhookMessage;
  /** The request's name in a report of its failure; the type of its event if left out. */
  about?: string;
  /** The age of its timestamp in seconds; negative: the timestamp lies in the future. */
  age?: number;
  /** The secrets that sign the request, in this order. */
  signers?: readonly ("own" | "stranger")[];
  /** Changes the headers after they were signed. The body stays as it was signed. */
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
  /** Any 2xx in time, or any 4xx. */
  expected: "accepted" | "refused";
  /** Advice for a receiver that answers otherwise. */
  advice: string;
  /** A fact that a 2xx does not show. The report names it even if the check passes. */
  unseen?: string;
  /** Sends all requests at the same moment instead of one after the other. */
  together?: true;
  requests(story: Story): ExamRequest[];
};
