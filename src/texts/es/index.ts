import type { Translation } from "../translation.ts";
import { card, decline, refusedCode } from "./card.ts";
import { checkout, fault } from "./checkout.ts";
import { frame, problem } from "./frame.ts";
import { goods } from "./goods.ts";
import { obstacle, outcome } from "./outcome.ts";
import { terms } from "./terms.ts";

export const es: Translation = {
  frame,
  problem,
  card,
  decline,
  refusedCode,
  terms,
  checkout,
  fault,
  outcome,
  obstacle,
  goods,
};
