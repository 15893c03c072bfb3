import type { SignedHeaders } from "../outbound/signature.ts";
import type { Manner } from "./send.ts";
import type { Message, Story } from "./story.ts";

/** One request to the receiver: well signed and sent at once, but for what is said here. */
export type ExamRequest = {
  message: Message;
  /** What it is called where it went wrong; its event's type when left out. */
  about?: string;
  /** How long ago its timestamp lies, in seconds; negative: ahead. */
  age?: number;
  /** Whose secrets sign it, in this order. */
  signers?: readonly ("own" | "stranger")[];
  /** What becomes of the headers once they are signed; the body is the signed one. */
  forge?: (headers: SignedHeaders) => Record<string, string>;
  /** What is sent instead of the signed body. */
  body?: Buffer;
  manner?: Manner;
  /** Nothing can be learned from its answer. */
  ignored?: boolean;
};

export type Check = {
  /** Stable. */
  id: string;
  sent: string;
  /** Any 2xx in time, or any 4xx. */
  expected: "accepted" | "refused";
  /** What to do where it came otherwise. */
  advice: string;
  /** What a 2xx does not show of it: said where it passes, too. */
  unseen?: string;
  /** All requests at the same moment; else one after the other. */
  together?: true;
  requests(story: Story): ExamRequest[];
};
