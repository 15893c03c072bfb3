import type { Translation } from "../translation.ts";

export const frame = {
  sandbox: "Environnement de test",
  sandboxNote: "Aucun argent réel ne circule ici : n’utilisez jamais une vraie carte.",
  sandboxClock: "L’horloge indique le {day}.",
  sandboxMail: "Ceci est un environnement de test : tous les e-mails se trouvent aussi dans {mailbox}.",
  sandboxMailbox: "la boîte de réception de test",
  optional: "facultatif",
  errorTitle: "Erreur : {title}",
  checkFields: "Veuillez vérifier votre saisie",
  refresh: "Actualiser",
  back: "Retourner chez {seller}",
  onward: "Continuer vers {seller}",
  person: "{name} ({email})",
  oneMoment: "Un instant, s’il vous plaît",
  sentences: "{first} {second}",
} as const satisfies Translation["frame"];

export const problem = {
  incompleteTitle: "Votre saisie est incomplète",
  incomplete: "Votre saisie ne nous est pas parvenue en entier. Revenez en arrière et envoyez-la de nouveau.",
  foreignTitle: "Envoi depuis un autre site",
  foreign:
    "Pour votre sécurité, nous n’acceptons que les formulaires de nos propres pages. Ouvrez de nouveau le lien et " +
    "utilisez le formulaire qui s’y trouve.",
  notFoundTitle: "Page introuvable",
  notFound:
    "Il n’y a aucune page à cette adresse. Vérifiez que vous avez copié le lien en entier, ou demandez-en un nouveau " +
    "à l’expéditeur.",
  methodTitle: "Action impossible ici",
  method: "Cette page ne peut pas être utilisée de cette façon. Revenez en arrière ou ouvrez de nouveau le lien.",
  goneTitle: "Ce lien n’est plus valable",
  gone:
    "Les liens vers les fichiers ne sont valables que peu de temps, et tant que vous y avez accès. Demandez un " +
    "nouveau lien sur la page où vous avez trouvé celui-ci.",
  tooLargeTitle: "Votre texte est trop long",
  tooLarge: "Votre texte dépasse la longueur autorisée. Revenez en arrière et raccourcissez-le.",
  notAFormTitle: "Veuillez utiliser le formulaire",
  notAForm: "Cette page n’accepte que son propre formulaire. Ouvrez le lien et remplissez le formulaire.",
  tooManyTitle: "Trop de tentatives",
  tooMany: "Patientez une minute, puis réessayez. La dernière tentative n’a pas été prise en compte.",
  oursTitle: "Une erreur s’est produite",
  ours:
    "L’erreur vient de nous. Si vous étiez en train de payer, actualisez la page : elle indique le résultat du " +
    "paiement. Vous ne paierez pas deux fois.",
  unavailableTitle: "Momentanément indisponible",
  unavailable:
    "Veuillez réessayer dans un instant. L’erreur vient de nous. Si vous étiez en train de payer, actualisez la page " +
    ": elle indique le résultat du paiement. Vous ne paierez pas deux fois.",
  returnOverTitle: "Cette page de paiement est fermée",
  returnOver: `Cette adresse ne mène à la page de paiement que pendant une durée limitée. Pour connaître le résultat,
    retournez chez {seller} ou ouvrez le lien reçu par e-mail.`,
} as const satisfies Translation["problem"];
