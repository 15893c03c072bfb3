import type { Translation } from "../translation.ts";

export const portalEmail = {
  section: "Adresse e-mail",
  change: "Modifier l’adresse e-mail",
  confirmAwaited: "Pour utiliser {email}, ouvrez le lien que nous avons envoyé à cette adresse.",
  withdraw: "Garder l’adresse actuelle",
  // In headings, U+2011 keeps the word on one line.
  title: "Modifier votre adresse e\u2011mail",
  current: "Votre adresse actuelle est {email}.",
  label: "Nouvelle adresse e-mail",
  same: "Votre compte utilise déjà cette adresse.",
  send: "Envoyer un lien de confirmation",
  sentTitle: "Consultez votre messagerie",
  sent:
    "Nous envoyons un lien à {email}. Ouvrez-le {hours, plural, one {dans l’heure} other {dans les # heures}} " +
    "pour confirmer l’adresse. D’ici là, votre adresse actuelle est conservée.",
  noMail: "Aucun e-mail au bout de quelques minutes ? Regardez dans vos courriers indésirables ou {again}.",
  again: "réessayez",
  tooManyTitle: "Trop de demandes",
  tooMany: "Vous avez demandé plusieurs liens. Patientez une heure, puis réessayez.",
  confirmTitle: "Confirmez votre adresse e\u2011mail",
  confirm:
    "Votre compte chez {seller} utilisera {email} pour la connexion, les reçus et les autres messages. Vous vous " +
    "reconnecterez ensuite avec cette adresse.",
  confirmSubmit: "Confirmer cette adresse",
  changedTitle: "Votre adresse e\u2011mail a été modifiée",
  changed:
    "Connectez-vous désormais avec votre nouvelle adresse. Nous avons informé votre ancienne adresse du changement.",
  signIn: "Se connecter",
  takenTitle: "Cette adresse ne peut pas être utilisée",
  taken:
    "Cette adresse ne peut pas être utilisée pour le compte, qui conserve son adresse actuelle. Si vous avez un " +
    "autre compte avec cette adresse, connectez-vous à celui-ci.",
  goneTitle: "Ce lien n’est plus valable",
  gone:
    "Un lien de confirmation est valable {hours, plural, one {une heure} other {# heures}}, ne fonctionne qu’une " +
    "fois et expire dès que vous demandez une autre adresse. Vous pouvez obtenir un nouveau lien dans votre compte.",
  undoTitle: "Annuler le changement d’adresse e\u2011mail ?",
  undo:
    "Votre compte chez {seller} retrouvera l’adresse {email}. Toutes les sessions seront fermées et les liens " +
    "déjà envoyés ne fonctionneront plus.",
  undoSubmit: "Annuler le changement",
  undoneTitle: "Votre ancienne adresse e\u2011mail est rétablie",
  undone:
    "Le changement a été annulé et toutes les sessions ont été fermées. Connectez-vous avec votre ancienne adresse " +
    "pour vérifier votre compte.",
  undoGone:
    "Le changement a déjà été annulé ou date de plus {days, plural, one {d’un jour} other {de # jours}}. Si vous " +
    "avez besoin d’aide, contactez {seller}.",
} as const satisfies Translation["portalEmail"];
