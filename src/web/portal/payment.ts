import { html } from "hono/html";
import { unbrokenCardName } from "../../domain/model/card-name.ts";
import type { Words } from "../../texts/words.ts";
import { cardBrand } from "../components/card-brand.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { cardUseOf, type CardUse } from "./card-use.ts";
import { section } from "./section.ts";
import type { Visit } from "./request.ts";

/** Whether a Subscription is charged to another card than the default card (rule C12f). */
const paysElsewhere = (onFile: Account["card"], { plans }: CardUse): boolean =>
  plans.some(({ outlook }) => outlook?.card && outlook.card.id !== onFile?.id);

function cardInWords({ portal }: Words, onFile: Account["card"], use: CardUse): string {
  const isOther = paysElsewhere(onFile, use);
  if (!onFile) return isOther ? portal.noDefaultCard : portal.noCard;
  const card = unbrokenCardName(onFile);
  if (onFile.dead) return portal.cardEnded({ card });
  if (!use.isPlanned) return portal.cardUnused({ card });
  if (isOther && !onFile.isDisputed) return portal.defaultCard({ card });
  return (onFile.isDisputed ? portal.cardHeldBack : portal.chargedTo)({ card });
}

/** The card on file and the balance, and the way to another card. */
export function paymentSection({ self, words }: Visit, account: Account): Html {
  const { card, balances } = account;
  const { portal, money } = words;
  const figures = balances.map(({ amount, currency }) =>
    amount > 0
      ? portal.balance({ amount: money(amount, currency) })
      : portal.debt({ amount: money(-amount, currency) }),
  );
  const more = html`${figures.map((sentence) => html`<p>${sentence}</p>`)}
<p class="aside"><a href="${self}/card">${card ? portal.useOther : portal.addCard}</a></p>`;
  const said = cardInWords(words, card, cardUseOf(account));
  return section("card", portal.payment, [], card ? html`${cardBrand(card.brand)} ${said}` : said, more);
}
