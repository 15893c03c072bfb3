import type { Translation } from "../translation.ts";

export const mailEmailChange = {
  confirmSubject: "Confirmez votre adresse e-mail pour {seller}",
  // In headings, U+2011 keeps the word on one line.
  confirmTitle: "Confirmez votre adresse e\u2011mail",
  confirm:
    "Vous avez demandé à utiliser cette adresse pour votre compte chez {seller}. Confirmez qu’elle vous appartient.",
  confirmLink: "Confirmer cette adresse",
  confirmOnce:
    "{hours, plural, one {Le lien est valable une heure et ne fonctionne qu’une fois.} other {Le lien est valable " +
    "# heures et ne fonctionne qu’une fois.}}",
  confirmIgnore:
    "Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Sans votre confirmation, l’adresse ne " +
    "sera pas utilisée.",
  confirmReason: "Vous recevez cet e-mail car cette adresse a été saisie pour un compte chez {seller}.",
  changedSubject: "Votre adresse e-mail chez {seller} a été modifiée",
  changedTitle: "Votre adresse e\u2011mail a été modifiée",
  changed:
    "Votre compte chez {seller} utilise désormais l’adresse {address}. Vous ne recevrez plus ici les e-mails qui " +
    "le concernent.",
  changedIgnore: "Si vous avez effectué ce changement, vous n’avez rien à faire.",
  changedUndo:
    "Si ce n’était pas vous, annulez le changement dans un délai {days, plural, one {d’un jour} other {de # jours}}. " +
    "Votre compte retrouvera cette adresse et toutes les sessions seront fermées.",
  undoLink: "Annuler le changement",
} as const satisfies Translation["mailEmailChange"];
