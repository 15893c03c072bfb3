import type { Translation } from "../translation.ts";

export const signIn = {
  title: "Se connecter",
  intro: "Consultez vos abonnements et vos factures. Nous vous envoyons un lien : aucun mot de passe n’est nécessaire.",
  send: "Recevoir un lien",
  sentTitle: "Consultez votre messagerie",
  sent:
    "Si {seller} connaît cette adresse, vous recevrez un e\u2011mail contenant un lien. Ce lien est valable " +
    "{minutes, plural, one {# minute} other {# minutes}} et ne fonctionne qu’une fois.",
  missing: "Aucun e-mail au bout de quelques minutes ? Regardez dans vos courriers indésirables ou {another}.",
  another: "essayez une autre adresse",
  as: "Vous vous connectez en tant que {person}.",
  signedInAs: "Compte actuellement utilisé : {person}.",
  insteadAs: "Ce lien vous connecte plutôt en tant que {person}.",
  stay: "Garder le compte actuel",
  goneTitle: "Ce lien n’est plus valable",
  gone:
    "Un lien n’est valable que peu de temps et ne fonctionne qu’une fois. Revenez en arrière et ouvrez de nouveau " +
    "votre compte, ou demandez ici un nouveau lien.",
} as const satisfies Translation["signIn"];
