import type { Translation } from "../translation.ts";

const SELLER_UNABLE =
  "El vendedor no puede aceptar pagos en este momento. No se le ha cobrado nada. Vuelva a intentarlo más tarde.";
const OTHER_CARD = "La tarjeta ha sido rechazada. Pruebe con otra tarjeta.";

export const card = {
  legend: "Tarjeta",
  number: "Número de tarjeta",
  expiry: "Fecha de caducidad",
  expiryForm: "MM / AA",
  cvc: "Código de seguridad",
  cvcForm: "CVC",
  numberMissing: "Introduzca el número de su tarjeta.",
  numberIncomplete: "Introduzca el número de tarjeta completo (de 12 a 19 cifras).",
  numberWrong: "Este número de tarjeta no es válido. Compruebe las cifras.",
  expiryIncomplete: "Introduzca el mes y el año que figuran en la tarjeta, por ejemplo, 04\u00a0/\u00a029.",
  expiryPast: "Esta fecha ya ha pasado. Compruébela o use otra tarjeta.",
  cvcIncomplete: "Introduzca el código de seguridad (3 o 4 cifras).",
  cvcThree: "Introduzca las 3 cifras del reverso de su tarjeta.",
  cvcFour: "Introduzca las 4 cifras del anverso de su tarjeta.",
  emptied: "Vuelva a introducir el número de su tarjeta: por seguridad, esta página no lo conserva.",
  emptiedToo: "Vuelva a introducir también este dato.",
  testCards: "Tarjetas de prueba",
  testCardsNote: "Use cualquier fecha de caducidad futura y cualquier código de seguridad.",
  toPayment: "Continuar al pago",
  toCard: "Continuar a los datos de la tarjeta",
  paidAt: "El pago se realiza en la página de {provider}.",
  savedAt: "Introducirá los datos de su tarjeta en la página de {provider}. Hoy no se le cobrará nada.",
  enteredAt: "Introducirá los datos de su tarjeta en la página de {provider}.",
  theProvider: "nuestro proveedor de pagos",
} as const satisfies Translation["card"];

export const refusedCode = {
  unknown_discount: "Este código de descuento no existe. Compruebe que lo ha escrito bien.",
  discount_not_active: "Este código de descuento no es válido en este momento.",
  discount_exhausted: "Este código de descuento se ha agotado.",
  discount_not_for_product: "Este código de descuento no es válido para este producto.",
  discount_other_currency: "Este código de descuento es para otra moneda.",
  discount_below_minimum: "Con este código de descuento, el importe sería demasiado bajo para cobrarlo.",
} as const satisfies Translation["refusedCode"];

export const decline = {
  card_declined: "La tarjeta ha sido rechazada. Pruebe con otra tarjeta o consulte a su banco.",
  insufficient_funds: "La tarjeta no tiene fondos suficientes. Pruebe con otra tarjeta.",
  card_expired: "La tarjeta ha caducado. Pruebe con otra tarjeta.",
  processing_error:
    "El banco no ha podido procesar el pago en este momento. No se le ha cobrado nada. Vuelva a intentarlo.",
  authentication_failed:
    "La verificación del pago no se ha completado. No se le ha cobrado nada. Vuelva a intentarlo o use otra tarjeta.",
  canceled: "El pago se ha cancelado. No se le ha cobrado nada.",
  card_lost: OTHER_CARD,
  card_stolen: OTHER_CARD,
  card_gone: "La tarjeta ya no está guardada. Use otra tarjeta.",
  account_closed: OTHER_CARD,
  do_not_retry: OTHER_CARD,
  card_disputed: `El banco devolvió un pago anterior hecho con esta tarjeta, por lo que solo se cobrará en ella
    cuando usted la use para pagar.`,
  provider_refused: SELLER_UNABLE,
  amount_too_small: SELLER_UNABLE,
  amount_too_large: SELLER_UNABLE,
  currency_unsupported: SELLER_UNABLE,
  request_invalid: SELLER_UNABLE,
} as const satisfies Translation["decline"];

export const cardFault = {
  card_number_invalid: "Este número de tarjeta no es válido. Compruebe el número que figura en su tarjeta.",
  sandboxNumber: `El entorno de pruebas solo acepta tarjetas de prueba, por ejemplo, 4242 4242 4242 4242. No
    introduzca nunca una tarjeta real.`,
  card_expired: "Este mes ya ha pasado. Compruebe la fecha que figura en su tarjeta o use otra tarjeta.",
  cvc_invalid: "Este código de seguridad no es válido. Compruebe sus 3 o 4 cifras.",
} as const satisfies Translation["cardFault"];
