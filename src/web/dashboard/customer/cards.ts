import { html } from "hono/html";
import { cardName } from "../../../domain/model/card-name.ts";
import { presentPage } from "../../../resources/page.ts";
import { listPaymentMethods, type CardOnFile } from "../../../store/payment-methods.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id as shownId, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { table } from "../table.ts";
import { listOf, type PageRequest, type CustomerPageData } from "./part.ts";

export const expiryOf = ({ expMonth, expYear }: CardOnFile): string =>
  `${String(expMonth).padStart(2, "0")}/${expYear}`;

function row(card: CardOnFile, zone: string): Html {
  const { id, isDefault, isDisputed, createdAt } = card;
  return html`<tr id="${id}">
<th scope="row">${cardName(card)}</th>
<td>${isDefault ? badge("good", "Default") : ""} ${isDisputed ? badge("bad", "Held back by a dispute") : ""}</td>
<td>${expiryOf(card)}</td>
<td class="wide">${time(createdAt, zone)}</td>
<td class="wide">${shownId(id)}</td>
</tr>`;
}

/** The cards that may be charged, newest first. */
export function cardTable(cards: readonly CardOnFile[], zone: string): Html {
  if (cards.length === 0)
    return emptyState("There is no card. A payment saves its card, and the Customer can add cards in the portal.");
  const headings = ["Card", "Use", "Expires", { label: "Added", isWide: true }, { label: "Id", isWide: true }];
  return table(
    "Cards",
    headings,
    cards.map((card) => row(card, zone)),
  );
}

/** The most cards on the Customer's page. */
export const MOST_CARDS = 100;

/** A page of the cards of a Customer. */
export async function readCards({ ctx, request, customer }: CustomerPageData, wanted: PageRequest) {
  const rows = await listPaymentMethods(ctx.db.stale, request.organization.id, customer.id, wanted);
  const { data: cards, nextCursor: next } = presentPage(rows, wanted.limit, (card) => card);
  return { cards, next };
}

/** The cards of a Customer, newest first. */
export const cardList = listOf<CardOnFile[]>({
  name: "cards",
  title: "Cards",
  cursor: "pm",
  few: MOST_CARDS,
  older: "Older cards",
  async read(pageData, wanted) {
    const { cards, next } = await readCards(pageData, wanted);
    return { ids: cards.map(({ id }) => id), next, data: cards };
  },
  draw: ({ zone }, cards) => cardTable(cards, zone),
});
