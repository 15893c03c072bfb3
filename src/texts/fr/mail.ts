import type { Translation } from "../translation.ts";

export const mailFrame = {
  sandbox: "Cet e-mail provient d’un environnement de test. Aucun argent réel n’a circulé.",
  reason: "Vous recevez cet e-mail car vous avez un compte client chez {seller}.",
  label: "{name} :",
} as const satisfies Translation["mailFrame"];

export const mailPayment = {
  failedSubject: "Votre paiement de {amount} pour {product} a échoué",
  failedTitle: "Votre paiement n’a pas abouti",
  failed: "Nous n’avons pas pu débiter {amount} sur la carte {card} pour {product}.",
  due: "Le montant de {amount} pour {product} est dû.",
  retry: "Nous réessaierons le {day}, sauf si vous payez d’ici là.",
  noRetry: "Nous ne débiterons plus ce montant automatiquement. Merci de le régler par carte.",
  pay: "Payer {amount}",
  dueTitle: "Un paiement est dû",
  payByCard: "Merci de payer par carte.",
  heldSubject: "Merci de régler {amount} pour {product}",
  heldTitle: "Nous n’avons pas débité votre carte",
  held:
    "Le montant de {amount} pour {product} est dû. Nous n’avons pas débité la carte {card}, car votre banque a " +
    "annulé un paiement antérieur effectué avec cette carte à la suite d’une contestation.",
  heldCards:
    "Vous pouvez payer avec cette carte ou avec une autre. La carte utilisée servira aussi à régler vos " +
    "prochaines échéances.",
  heldRetry: "Si vous ne payez pas avant le {day}, nous débiterons ce jour-là votre carte enregistrée.",
  confirmSubject: "Merci de confirmer votre paiement de {amount}",
  confirmTitle: "Votre banque vous demande de confirmer un paiement",
  confirm:
    "Nous débiterons {amount} sur la carte {card} pour {product} dès que vous aurez confirmé le paiement auprès " +
    "de votre banque.",
  confirmAny:
    "Nous débiterons {amount} sur votre carte pour {product} dès que vous aurez confirmé le paiement auprès de " +
    "votre banque.",
  confirmRetry: "Sans confirmation ni paiement de votre part, nous réessaierons le {day}.",
  confirmOther: "Sur la même page, vous pouvez aussi payer avec une autre carte.",
  toBank: "Confirmer le paiement",
  expiringSubject: "Votre carte se terminant par {last4} expire bientôt",
  expiringTitle: "Votre carte expire bientôt",
  expiring: `Votre carte {brand} se terminant par {last4} expire fin {month}. Mettez-la à jour pour continuer à
    profiter de votre abonnement à {products} sans interruption.`,
  expiringBank: "Si votre banque vous a déjà envoyé une nouvelle carte, il vous suffit de saisir celle-ci.",
  updateCard: "Mettre à jour votre carte",
} as const satisfies Translation["mailPayment"];

export const mailSubscription = {
  forDay: "{count, plural, one {pour le jour suivant} other {pour les # jours suivants}}",
  forWeek: "{count, plural, one {pour la semaine suivante} other {pour les # semaines suivantes}}",
  forMonth: "{count, plural, one {pour le mois suivant} other {pour les # mois suivants}}",
  forYear: "{count, plural, one {pour l’année suivante} other {pour les # années suivantes}}",
  startedSubject: "Votre essai gratuit {product} a commencé",
  startedTitle: "Votre essai gratuit a commencé",
  started: "Votre essai gratuit {product} dure jusqu’au {day}. Aucun montant n’a été débité.",
  longerSubject: "Votre essai gratuit {product} se termine désormais le {day}",
  longerTitle: "Votre essai gratuit se termine désormais le {day}",
  longer: "Votre essai gratuit {product} a été prolongé. Il dure désormais jusqu’au {day}.",
  trialSubject: "Votre essai {product} se termine le {day}",
  trialTitle: "Votre essai se termine le {day}",
  trial: "Votre essai gratuit {product} se termine le {day}.",
  trialCard: "Nous débiterons ensuite {amount} {span} sur la carte {card}. Vous n’avez rien à faire pour continuer.",
  trialBalance: "Nous prélèverons ensuite {amount} {span} sur votre solde. Vous n’avez rien à faire pour continuer.",
  trialHeld: "Vous devrez ensuite régler {amount} {span}.",
  trialNoCard: `Aucune carte n’est enregistrée sur votre compte. Pour continuer au prix de {amount} {span}, ajoutez-en
    une d’ici là. Sinon, votre accès prendra fin ce jour-là et rien ne vous sera débité.`,
  renewalSubject: "Votre abonnement à {product} sera renouvelé le {day}",
  renewalTitle: "Votre abonnement sera renouvelé le {day}",
  renewal: "Votre abonnement à {product} sera renouvelé le {day}.",
  renewalCard: "Nous débiterons {amount} {span} sur la carte {card}.",
  renewalBalance: "Nous prélèverons {amount} {span} sur votre solde.",
  renewalHeld: "Vous devrez alors régler {amount} {span}.",
  renewalNoCard: `Vous devrez alors régler {amount} {span}, mais aucune carte n’est enregistrée sur votre compte.
    Merci d’en ajouter une d’ici là. Sinon, nous vous enverrons par e-mail un lien vers une page de paiement.`,
  held:
    "Votre banque a annulé un paiement antérieur effectué avec la carte {card}. Nous ne débitons donc plus cette " +
    "carte automatiquement. Merci d’ajouter une autre carte d’ici là. Sinon, nous vous enverrons par e-mail un " +
    "lien vers une page de paiement.",
  cancel: "Si vous ne souhaitez pas continuer, connectez-vous à votre compte et résiliez avant le {day}.",
  account: "Accéder à votre compte",
  addCard: "Ajouter une carte",
  endsSubject: "Votre abonnement à {product} prend fin le {day}",
  endsTitle: "Votre abonnement prend fin le {day}",
  endsLost: "Vous perdrez alors",
  endsUndo: "Si vous changez d’avis, connectez-vous à votre compte avant cette date et annulez la résiliation.",
  continuesSubject: "Votre abonnement à {product} se poursuit",
  continuesTitle: "Votre abonnement se poursuit",
  continues: "La résiliation de votre abonnement à {product} a été annulée.",
  droppedSubject: "Votre offre {product} reste inchangée",
  droppedTitle: "Le changement d’offre prévu a été annulé",
  dropped:
    "Le changement d’offre prévu pour le {day} n’est plus possible et a été annulé. Votre offre reste {product}.",
  endedSubject: "Votre abonnement à {product} a pris fin",
  endedTitle: "Votre abonnement a pris fin",
  ended: "Votre abonnement à {product} et votre accès ont pris fin le {day}. L’abonnement ne sera pas renouvelé.",
  unpaid:
    "Votre abonnement à {product} et votre accès ont pris fin le {day}, car le paiement n’a pas abouti. Nous " +
    "n’effectuerons plus aucun débit.",
  again: "Vous pouvez vous réabonner à tout moment chez {seller}.",
  trialEndedSubject: "Votre essai {product} est terminé",
  trialEndedTitle: "Votre essai est terminé",
  trialEnded:
    "Votre essai gratuit {product} s’est terminé le {day}, et votre accès a pris fin. Aucun montant n’a été " +
    "débité.",
  unrecognizedSubject: "{product} a pris fin, car vous n’avez pas reconnu l’achat",
  unrecognizedTitle: "Un achat que vous n’avez pas reconnu a pris fin",
  unrecognized: `{product} a été acheté avec votre adresse e-mail. Vous avez indiqué ne pas reconnaître cet
    achat. L’abonnement a donc pris fin le {day}. Aucun montant ne vous sera débité.`,
  notYou: "Si cette demande ne vient pas de vous, contactez {seller}.",
} as const satisfies Translation["mailSubscription"];

export const mailPause = {
  subject: "Votre abonnement à {product} sera en pause à partir du {day}",
  title: "Votre abonnement sera en pause à partir du {day}",
  until: `Votre abonnement à {product} sera en pause à partir du {day} et reprendra le {until}. Rien ne vous sera
    débité pendant la pause.`,
  open: `Votre abonnement à {product} sera en pause à partir du {day}. Rien ne vous sera débité pendant la pause.
    Votre abonnement reprendra dès que vous le réactiverez dans votre compte.`,
  begunSubject: "Votre abonnement à {product} est en pause",
  begunTitle: "Votre abonnement est en pause",
  begunUntil: `Votre abonnement à {product} est en pause depuis le {day} et reprendra le {until}. Rien ne vous sera
    débité pendant la pause.`,
  begunOpen: `Votre abonnement à {product} est en pause depuis le {day}. Rien ne vous sera débité pendant la pause.
    Votre abonnement reprendra dès que vous le demanderez dans votre compte.`,
  accessOff: `Pendant la pause, vous n’avez pas d’accès. Il sera rétabli lorsque votre abonnement reprendra et que
    le paiement aura abouti.`,
  accessStays: "Vous conservez votre accès pendant la pause.",
  change: `Si vous changez d’avis, connectez-vous à votre compte. Vous pouvez annuler la pause, ou y mettre fin à
    tout moment.`,
  end: "Si vous changez d’avis, connectez-vous à votre compte. Vous pouvez mettre fin à la pause à tout moment.",
  undone: "La pause prévue de votre abonnement à {product} a été annulée.",
  resumeSubject: "Votre abonnement à {product} reprend le {day}",
  resumeTitle: "Votre abonnement reprend le {day}",
  resume: "La pause de votre abonnement à {product} se termine le {day}.",
} as const satisfies Translation["mailPause"];

export const mailReceipt = {
  noted: "{name} ({notes})",
  subject: "Votre reçu {seller} : {total}",
  title: "Merci pour votre paiement",
  orderSubject: "Votre commande chez {seller}",
  orderTitle: "Merci pour votre commande",
  order: "Votre commande est finalisée : {product}. Aucun montant n’a été débité.",
  paid: "Facture {number} jointe à cet e-mail au format PDF. {status}.",
  deliverables: "Votre achat",
  licenseKey: "Clé de licence",
  devices: "{count, plural, one {Pour # appareil} other {Pour # appareils au maximum}}",
  signIn: "Connectez-vous avec votre adresse e-mail pour télécharger vos fichiers.",
  download: "Télécharger vos fichiers",
  included: "Inclus",
  deliverablesInAccount: "Vos clés de licence et vos téléchargements vous attendent dans votre compte.",
  noFurtherCharge: "Votre abonnement à {product} a pris fin. Aucun autre montant ne sera débité.",
  invoice: "Voir la facture",
  pdf: "Facture au format PDF",
  account: "Accéder à votre compte",
  site: "Retourner chez {seller}",
} as const satisfies Translation["mailReceipt"];

export const mailSignIn = {
  subject: "Connexion à votre compte {seller}",
  one: `Connectez-vous avec ce lien pour voir vos abonnements et vos factures. Il est valable {minutes,
    plural, one {# minute} other {# minutes}} et ne fonctionne qu’une fois.`,
  several: `Plusieurs comptes utilisent votre adresse e-mail chez {seller}. Voici un lien pour chacun d’eux. Chaque
    lien est valable {minutes, plural, one {# minute} other {# minutes}} et ne fonctionne qu’une fois.`,
  signIn: "Se connecter",
  signInAs: "Se connecter au compte {account}",
  ignore:
    "Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : sans ce lien, la connexion est " +
    "impossible.",
} as const satisfies Translation["mailSignIn"];
