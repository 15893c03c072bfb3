import type { Translation } from "../translation.ts";

export const signIn = {
  title: "Se connecter",
  intro: "Consultez vos abonnements et vos factures. Nous vous envoyons un lien : aucun mot de passe n’est nécessaire.",
  send: "Recevoir un lien",
  sentTitle: "Consultez votre messagerie",
  sent: `Si {seller} connaît cette adresse, un message contenant un lien vous parviendra. Le lien est valable une fois,
    pendant {minutes, plural, one {# minute} other {# minutes}}.`,
  missing: "Aucun message après quelques minutes ? Vérifiez vos courriers indésirables ou {another}.",
  another: "essayez une autre adresse",
  as: "Vous vous connectez en tant que {person}.",
  signedInAs: "Vous êtes connecté en tant que {person}.",
  insteadAs: "Ce lien vous connecte en tant que {person}.",
  stay: "Rester connecté",
  goneTitle: "Ce lien n’est plus valable",
  gone: `Un lien ne sert qu’une fois et pendant peu de temps. Revenez en arrière et ouvrez de nouveau votre compte, ou
    demandez ici un nouveau lien.`,
} as const satisfies Translation["signIn"];
