import type { Translation } from "../translation.ts";

export const outcome = {
  thanks: "Merci",
  changed: "Votre abonnement a été modifié.",
  complete: "Votre commande est finalisée.",
  takenBack: "Redirection en cours.",
  trialBegan: "Votre essai gratuit a commencé.",
  changedTo: "Votre nouveau forfait est {product}.",
  changesOn: "Vous passerez à {product} le {day}.",
  received: "Votre paiement a bien été reçu.",
  alreadyPaid: "Déjà payé",
  alreadyDone: "Déjà effectué",
  noAction: "Vous n’avez rien d’autre à faire sur cette page.",
  newPlan: "Nouveau forfait",
  purchase: "Votre achat",
  paid: "Payé",
  hostedPay: "Payez {amount} sur la page de {provider}. Vous reviendrez ensuite sur cette page.",
  hostedSave: "Saisissez votre carte sur la page de {provider}. Vous reviendrez ensuite sur cette page.",
  cardAwaited: "Saisissez votre carte pour continuer",
  paymentAwaited: "Finalisez votre paiement",
  cancel: "Annuler",
  otherWay: "Payer autrement",
  otherCard: "Payer avec une autre carte",
  preparing: "La page de saisie de votre carte est en préparation. Aucun montant n’a été débité.",
  confirmTitle: "Confirmez ce paiement auprès de votre banque",
  confirmCardTitle: "Confirmez votre carte auprès de votre banque",
  confirmPay: "Confirmez le paiement de {amount} sur la page de votre banque. Vous reviendrez ensuite sur cette page.",
  confirmCard:
    "Confirmez l’utilisation de votre carte sur la page de votre banque. Vous reviendrez ensuite sur cette page.",
  toBank: "Continuer vers votre banque",
  processingPay: "Le paiement de {amount} est en cours de traitement. Cela peut prendre un moment.",
  processingCard: "Votre carte est en cours de traitement. Cela peut prendre un moment.",
  waiting: "Nous attendons la réponse de votre banque.",
  mayClose: "Vous pouvez fermer cette page : vous ne paierez pas deux fois.",
  expiredTitle: "Cette page a expiré",
  expired: `Cette page n’était valable que pendant une durée limitée. Aucun montant n’a été débité. Retournez chez
    {seller} et recommencez.`,
} as const satisfies Translation["outcome"];

export const obstacle = {
  product_archivedTitle: "Ce produit n’est plus en vente",
  product_archived: "Il a été retiré de la vente entre-temps. Aucun montant n’a été débité.",
  too_many_attemptsTitle: "Trop de tentatives infructueuses",
  too_many_attempts:
    "Aucune autre tentative n’est possible. Aucun montant n’a été débité. Si votre carte a été refusée, contactez " +
    "votre banque. Revenez ensuite en arrière et recommencez.",
  no_providerTitle: "Les paiements ne sont pas encore configurés",
  no_provider:
    "Le vendeur ne peut pas accepter de paiement pour le moment. Aucun montant n’a été débité. Veuillez en informer " +
    "le vendeur.",
  payments_pausedTitle: "Les paiements sont suspendus",
  payments_paused:
    "Le vendeur ne peut pas accepter de paiement pour le moment. Aucun montant n’a été débité. Laissez cette page " +
    "ouverte ou revenez plus tard.",
  already_subscribedTitle: "Vous avez déjà un forfait",
  already_subscribed: "Aucun montant n’a été débité. Modifiez votre forfait actuel au lieu d’en acheter un autre.",
  payFirstTitle: "Un paiement reste à effectuer",
  payFirst: "Aucun montant n’a été débité. Réglez d’abord le montant dû, puis actualisez cette page.",
  subscription_canceledTitle: "Votre abonnement a pris fin",
  subscription_canceled: "Il ne peut plus être modifié. Aucun montant n’a été débité.",
  subscription_cancellation_scheduledTitle: "Votre abonnement va prendre fin",
  subscription_cancellation_scheduled:
    "Aucun montant n’a été débité. Annulez d’abord la résiliation, puis actualisez cette page.",
  refund_in_progressTitle: "Un remboursement est en cours",
  refund_in_progress: "Aucun montant n’a été débité. Attendez la fin du remboursement, puis actualisez cette page.",
  payment_disputedTitle: "Un paiement est contesté",
  payment_disputed:
    "Aucun montant n’a été débité. Votre banque doit encore se prononcer sur un paiement antérieur de cet abonnement.",
  change_in_progressTitle: "Un autre changement est en cours",
  change_in_progress:
    "Aucun montant n’a été débité ici. Attendez la fin de l’autre changement, puis actualisez cette page.",
  unfinishedTitle: "Votre commande précédente n’est pas terminée",
  unfinished: "Aucun montant n’a été débité ici. Reprenez cette commande ou utilisez une autre carte pour la régler.",
  impossibleTitle: "Ce changement n’est pas possible actuellement",
  impossible: "Aucun montant n’a été débité et votre abonnement reste inchangé. Revenez en arrière et recommencez.",
  otherPlanTitle: "Vous avez déjà un forfait de ce type",
  otherPlan: "Aucun montant n’a été débité. Modifiez plutôt ce forfait.",
  noChangeTitle: "Aucun changement à effectuer",
  noChange: "Votre forfait est déjà {product}. Aucun montant n’a été débité.",
} as const satisfies Translation["obstacle"];
