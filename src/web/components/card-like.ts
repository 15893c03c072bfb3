/** A card number that was typed into another field. Such a number is neither stored nor shown again. */
export const LIKE_A_CARD = /(?:\d[\s-]*){12}/;
/**
 * In the field for a tax ID, only 15 or more digits alone look like a card number. Tax IDs have up to 15 digits, and
 * seldom digits alone.
 */
export const JUST_LIKE_A_CARD = /^(?:\d[\s-]*){15,19}$/;
