import type { Translation } from "../translation.ts";

export const deliverables = {
  title: "Su compra incluye",
  paidWith: "Ha pagado {amount} con {card}.",
  paid: "Ha pagado {amount}.",
  cardSaved: "Su tarjeta se ha guardado: {card}.",
  cardName: "{brand} terminada en {last4}",
  valued: "{benefit}: {value}",
  preparing: "Lo estamos preparando y aparecerá aquí en cuanto esté listo.",
  invoice: "Factura {number}",
  pdf: "PDF",
  pdfOf: "Factura {number} en PDF",
  account: "Su cuenta de {seller}",
  keySent: "Su clave de licencia se ha enviado por correo electrónico a {email}.",
  receiptSent: "Su recibo se ha enviado por correo electrónico a {email}.",
  signInFor: "Para ver su compra, inicie sesión con {email}.",
  signIn: "Iniciar sesión para ver su compra",
  managePlan: "Gestionar su plan",
} as const satisfies Translation["deliverables"];
