import type { Translation } from "../translation.ts";

export const checkout = {
  payment: "Paiement",
  changeTo: "Passer à {product}",
  presentPlan: "Forfait actuel : {product}",
  dueToday: "Total dû aujourd’hui",
  dueTodaySaid: "Total dû aujourd’hui : {amount}",
  usableUntil: "Cette page est valable jusqu’au {day}.",
  details: "Vos coordonnées",
  email: "Adresse e-mail",
  name: "Nom complet",
  country: "Pays",
  chooseCountry: "Choisir un pays",
  taxId: "Numéro de TVA",
  taxIdNote: "facultatif, pour les entreprises",
  updateTotal: "Actualiser le total",
  haveCode: "Code promo",
  apply: "Appliquer",
  applyCode: "Appliquer le code promo",
  remove: "Retirer",
  removeCode: "Retirer le code promo {code}",
  withCard: "Avec une carte, sur la page de {provider}. Aucun montant ne sera débité aujourd’hui.",
  withoutCard:
    "{days, plural, one {Sans carte, votre essai gratuit prend fin au bout de # jour et aucun montant n’est " +
    "débité.} other {Sans carte, votre essai gratuit prend fin au bout de # jours et aucun montant n’est " +
    "débité.}}",
  pay: "Commander et payer {amount}",
  payAndChange: "Changer de forfait et payer {amount}",
  saveAndChange: "Enregistrer la carte et changer de forfait avec obligation de paiement",
  changeNow: "Changer maintenant",
  payFromBalance: "Commander et payer avec votre solde",
  getFree: "Obtenir gratuitement",
  saveAndSubscribe: "Enregistrer la carte et commander avec obligation de paiement",
  startTrial: "Commander avec obligation de paiement",
  startOpenTrial: "Commander avec obligation de paiement",
  payHosted: "Commander avec obligation de paiement et continuer",
  saveHosted: "Commander avec obligation de paiement et saisir votre carte",
  busyHosted: "Un instant : redirection vers la page de paiement.",
  busy: "Un instant : votre commande est en cours de traitement.",
  updateFailed: "Le total n’a pas pu être actualisé. Réessayez dans une minute.",
  unsent: "Votre commande n’a pas pu être envoyée. Aucun montant n’a été débité. Réessayez dans une minute.",
} as const satisfies Translation["checkout"];

export const fault = {
  emailMissing: "Saisissez votre adresse e-mail.",
  emailWrong: "Saisissez une adresse e-mail de la forme nom@example.com.",
  nameCard: "Cela ressemble à un numéro de carte. Saisissez votre nom ou laissez le champ vide.",
  nameLong: "Saisissez un nom de 256 caractères au maximum.",
  countryMissing: "Choisissez votre pays.",
  regionMissing: "Saisissez votre État, votre province ou votre région.",
  taxIdLong: "Saisissez un numéro de TVA de 64 caractères au maximum.",
  taxIdWrong: "Ce numéro de TVA n’est pas valide. Saisissez-le sous la forme {example} ou laissez le champ vide.",
  taxIdCard: "Cela ressemble à un numéro de carte. Saisissez votre numéro de TVA ou laissez le champ vide.",
  codeMissing: "Saisissez le code promo.",
  codeGuesses: "Trop de codes ont été essayés. Patientez une minute, puis réessayez.",
  codeUnknown: "Ce code promo n’existe pas. Vérifiez l’orthographe.",
  codeApplied: "Le code promo est appliqué.",
  codeUsedUp: "Le code promo {code} ne peut plus être utilisé.",
  alreadySubscribed: "Un forfait est déjà associé à cette adresse e-mail. Aucun montant n’a été débité.",
  paymentFailed: "Échec du paiement",
  cardUnsaved: "Votre carte n’a pas pu être enregistrée",
  cardUnconfirmed:
    "La carte n’a pas été confirmée auprès de votre banque. Aucun montant n’a été débité. Réessayez ou " +
    "utilisez une autre carte.",
  paymentCanceled: "Paiement annulé",
  amountTitle: "Veuillez vérifier de nouveau le montant",
  amountCard: `Le montant dû aujourd’hui est de {amount}. Aucun montant n’a été débité. Si vous êtes d’accord, saisissez
    de nouveau votre carte et confirmez.`,
  amount: `Le montant dû aujourd’hui est de {amount}. Aucun montant n’a été débité. Si vous êtes d’accord,
    confirmez.`,
  trialUsed:
    "{days, plural, one {L’essai gratuit de # jour a déjà été utilisé avec cette adresse e-mail.} other {L’essai " +
    "gratuit de # jours a déjà été utilisé avec cette adresse e-mail.}}",
} as const satisfies Translation["fault"];
