import type { Translation } from "../translation.ts";

export const mailFrame = {
  sandbox: "Este correo procede de un entorno de pruebas. No se ha cobrado dinero real.",
  reason: "Ha recibido este correo porque es cliente de {seller}.",
  label: "{name}:",
} as const satisfies Translation["mailFrame"];

export const mailPayment = {
  failedSubject: "Su pago de {amount} por {product} ha fallado",
  failedTitle: "No hemos podido realizar su pago",
  failed: "No hemos podido cobrar {amount} por {product} en {card}.",
  due: "Tiene pendiente el pago de {amount} por {product}.",
  retry: "Volveremos a intentarlo el {day} si no paga antes.",
  noRetry: "No volveremos a intentar el cobro automáticamente. Pague con una tarjeta, por favor.",
  pay: "Pagar {amount}",
  dueTitle: "Tiene un pago pendiente",
  payByCard: "Pague con una tarjeta, por favor.",
  heldSubject: "Pago pendiente de {amount} por {product}",
  heldTitle: "No hemos realizado ningún cargo en su tarjeta",
  held: `Tiene pendiente el pago de {amount} por {product}. No lo hemos cobrado en {card} porque su banco devolvió un
    pago anterior hecho con esta tarjeta tras una reclamación.`,
  heldCards: `Puede pagar con esta tarjeta o con otra. Los próximos pagos también se cobrarán en la tarjeta que
    utilice.`,
  heldRetry: "Si no paga antes, el {day} cobraremos el importe en su tarjeta guardada.",
  confirmSubject: "Confirme su pago de {amount}",
  confirmTitle: "Su banco le pide que confirme un pago",
  confirm: "Cobraremos {amount} por {product} en {card} en cuanto confirme el pago con su banco.",
  confirmAny: "Cobraremos {amount} por {product} en su tarjeta en cuanto confirme el pago con su banco.",
  confirmRetry: "Si no confirma ni paga antes, volveremos a intentarlo el {day}.",
  confirmOther: "En la misma página también puede pagar con otra tarjeta.",
  toBank: "Confirmar el pago",
  expiringSubject: "Su tarjeta terminada en {last4} caduca pronto",
  expiringTitle: "Su tarjeta caduca pronto",
  expiring: `Su tarjeta {brand} terminada en {last4} caduca al final de {month}. Actualícela para que su suscripción
    a {products} continúe sin interrupciones.`,
  expiringBank: "Si su banco ya le ha enviado una tarjeta nueva, solo tiene que introducir sus datos.",
  updateCard: "Actualizar la tarjeta",
} as const satisfies Translation["mailPayment"];

export const mailSubscription = {
  forDay: "{count, plural, one {por el próximo día} other {por los próximos # días}}",
  forWeek: "{count, plural, one {por la próxima semana} other {por las próximas # semanas}}",
  forMonth: "{count, plural, one {por el próximo mes} other {por los próximos # meses}}",
  forYear: "{count, plural, one {por el próximo año} other {por los próximos # años}}",
  startedSubject: "Su prueba gratuita de {product} ha comenzado",
  startedTitle: "Su prueba gratuita ha comenzado",
  started: "Su prueba gratuita de {product} dura hasta el {day}. No se le ha cobrado nada.",
  longerSubject: "Su prueba gratuita de {product} termina ahora el {day}",
  longerTitle: "Su prueba gratuita termina ahora el {day}",
  longer: "Su prueba gratuita de {product} se ha ampliado y dura ahora hasta el {day}.",
  trialSubject: "Su prueba gratuita de {product} termina el {day}",
  trialTitle: "Su prueba gratuita termina el {day}",
  trial: "Su prueba gratuita de {product} termina el {day}.",
  trialCard: "Después, cobraremos {amount} {span} en {card}. No tiene que hacer nada para continuar.",
  trialBalance: "Después, {amount} {span} se descontarán de su saldo. No tiene que hacer nada para continuar.",
  trialHeld: "Después, deberá pagar {amount} {span}.",
  trialNoCard: `No tenemos ninguna tarjeta suya guardada. Para continuar por {amount} {span}, añada una antes de ese
    día. De lo contrario, su acceso terminará entonces y no se le cobrará nada.`,
  renewalSubject: "{product} se renueva el {day}",
  renewalTitle: "Su suscripción se renueva el {day}",
  renewal: "Su suscripción a {product} se renueva el {day}.",
  renewalCard: "Cobraremos {amount} {span} en {card}.",
  renewalBalance: "Ese día, {amount} {span} se descontarán de su saldo.",
  renewalHeld: "Ese día deberá pagar {amount} {span}.",
  renewalNoCard: `Ese día deberá pagar {amount} {span}, pero no tenemos ninguna tarjeta suya guardada. Añada una antes
    de esa fecha, por favor. De lo contrario, le enviaremos por correo un enlace a una página de pago.`,
  held: `Su banco devolvió un pago anterior hecho con {card}, por lo que no realizamos cobros automáticos en esa
    tarjeta. Añada antes otra tarjeta, por favor. De lo contrario, le enviaremos por correo un enlace a una página de
    pago.`,
  cancel: "Si prefiere no continuar, inicie sesión en su cuenta y cancele antes del {day}.",
  account: "Ir a su cuenta",
  addCard: "Añadir una tarjeta",
  endsSubject: "Su suscripción a {product} termina el {day}",
  endsTitle: "Su suscripción termina el {day}",
  endsLost: "Después perderá",
  endsUndo: "Si cambia de opinión, inicie sesión en su cuenta antes de ese día y anule la cancelación.",
  continuesSubject: "Su suscripción a {product} continúa",
  continuesTitle: "Su suscripción continúa",
  continues: "Se ha anulado la cancelación de su suscripción a {product}.",
  droppedSubject: "Su plan {product} se mantiene",
  droppedTitle: "Se ha anulado el cambio de plan previsto",
  dropped: `El cambio de plan previsto para el {day} ya no es posible y se ha anulado. Su plan sigue siendo
    {product}.`,
  endedSubject: "Su suscripción a {product} ha finalizado",
  endedTitle: "Su suscripción ha finalizado",
  ended: "Su suscripción a {product} finalizó el {day} y, con ella, su acceso. No se renovará.",
  unpaid: `Su suscripción a {product} finalizó el {day} porque no pudimos realizar el cobro. También ha finalizado su
    acceso. No intentaremos ningún otro cobro.`,
  again: "Puede volver a contratar una suscripción con {seller} cuando lo desee.",
  trialEndedSubject: "Su prueba gratuita de {product} ha terminado",
  trialEndedTitle: "Su prueba gratuita ha terminado",
  trialEnded: "Su prueba gratuita de {product} terminó el {day} y, con ella, su acceso. No se le ha cobrado nada.",
  unrecognizedSubject: "{product} ha finalizado porque usted no reconoció la compra",
  unrecognizedTitle: "Ha finalizado una compra que usted no reconoció",
  unrecognized: `{product} se compró con su dirección de correo electrónico. Usted indicó que no reconoce la
    compra, así que la suscripción finalizó el {day}. No se le cobrará nada por ella.`,
  notYou: "Si no fue usted, póngase en contacto con {seller}.",
} as const satisfies Translation["mailSubscription"];

export const mailPause = {
  subject: "Su suscripción a {product} se pausa el {day}",
  title: "Su suscripción se pausa el {day}",
  until: "Su suscripción a {product} se pausa el {day} y continúa el {until}. Durante la pausa no se le cobrará nada.",
  open: `Su suscripción a {product} se pausa el {day}. Durante la pausa no se le cobrará nada. La suscripción
    continuará en cuanto usted la reanude en su cuenta.`,
  begunSubject: "Su suscripción a {product} está en pausa",
  begunTitle: "Su suscripción está en pausa",
  begunUntil: `Su suscripción a {product} está en pausa desde el {day} y continúa el {until}. Durante la pausa no se le
    cobrará nada.`,
  begunOpen: `Su suscripción a {product} está en pausa desde el {day}. Durante la pausa no se le cobrará nada. La
    suscripción continuará en cuanto usted la reanude en su cuenta.`,
  accessOff: `Durante la pausa no tendrá acceso. Lo recuperará cuando la suscripción continúe y el pago se haya
    realizado.`,
  accessStays: "Durante la pausa conserva su acceso.",
  change: "Si cambia de opinión, inicie sesión en su cuenta. Puede anular la pausa o terminarla en cualquier momento.",
  end: "Si cambia de opinión, inicie sesión en su cuenta. Puede terminar la pausa en cualquier momento.",
  undone: "Se ha anulado la pausa prevista de su suscripción a {product}.",
  resumeSubject: "Su suscripción a {product} continúa el {day}",
  resumeTitle: "Su suscripción continúa el {day}",
  resume: "La pausa de su suscripción a {product} termina el {day}.",
} as const satisfies Translation["mailPause"];

export const mailReceipt = {
  noted: "{name} ({notes})",
  subject: "Su recibo de {seller}: {total}",
  title: "Gracias por su pago",
  orderSubject: "Su pedido en {seller}",
  orderTitle: "Gracias por su pedido",
  order: "Su pedido de {product} se ha completado. No se le ha cobrado nada.",
  paid: "Adjuntamos la factura {number} en PDF. {status}.",
  deliverables: "Su compra",
  licenseKey: "Clave de licencia",
  devices: "{count, plural, one {Para # dispositivo} other {Para un máximo de # dispositivos}}",
  signIn: "Inicie sesión con su dirección de correo electrónico para descargar sus archivos.",
  download: "Descargar sus archivos",
  included: "Incluye",
  deliverablesInAccount: "Encontrará sus claves de licencia y sus descargas en su cuenta.",
  noFurtherCharge: "Su suscripción a {product} ha finalizado. No se le volverá a cobrar.",
  invoice: "Ver la factura",
  pdf: "Factura en PDF",
  account: "Ir a su cuenta",
  site: "Volver a {seller}",
} as const satisfies Translation["mailReceipt"];

export const mailSignIn = {
  subject: "Iniciar sesión en {seller}",
  one: `Inicie sesión con este enlace para ver sus suscripciones y facturas. Es válido durante {minutes,
    plural, one {# minuto} other {# minutos}} y funciona una sola vez.`,
  several: `{seller} tiene varias cuentas con su dirección de correo electrónico. Aquí tiene un enlace para cada una.
    Cada enlace es válido durante {minutes, plural, one {# minuto} other {# minutos}} y funciona una sola vez.`,
  signIn: "Iniciar sesión",
  signInAs: "Iniciar sesión como {account}",
  ignore: "Si no ha solicitado este correo, puede ignorarlo. Sin él no es posible iniciar sesión.",
} as const satisfies Translation["mailSignIn"];
