/**
 * A card number that was typed into another field, also in the wide digits of a Japanese keyboard. Such a number is
 * neither stored nor shown again.
 */
export const LIKE_A_CARD = /(?:\p{Nd}[\s\p{Pd}]*){12}/u;
/**
 * In the field for a tax ID, only 15 or more digits alone look like a card number. Tax IDs have up to 15 digits, and
 * seldom digits alone.
 */
export const JUST_LIKE_A_CARD = /^(?:\p{Nd}[\s\p{Pd}]*){15,19}$/u;
