import type { Translation } from "../translation.ts";
import { brand } from "./brand.ts";
import { card, decline, refusedCode } from "./card.ts";
import { checkout, fault } from "./checkout.ts";
import { frame, problem } from "./frame.ts";
import { goods } from "./goods.ts";
import { obstacle, outcome } from "./outcome.ts";
import { seller } from "./seller.ts";
import { portalLimit } from "./portal-limit.ts";
import { terms } from "./terms.ts";

export const ja: Translation = {
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
  seller,
  brand,
  portalLimit,
};
