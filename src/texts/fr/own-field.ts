import type { Translation } from "../translation.ts";

export const ownField = {
  choose: "Choisir",
  missing: "Remplissez le champ « {label} ».",
  unchosen: "Choisissez une option pour « {label} ».",
  unticked: "Cochez la case « {label} ».",
  tooLong: "« {label} » : saisissez au maximum {most, plural, one {# caractère} other {# caractères}}.",
  noNumber: "Saisissez un nombre, par exemple {example}, pour « {label} ».",
  tooSmall: "Saisissez {least} ou plus pour « {label} ».",
  tooLarge: "Saisissez {most} ou moins pour « {label} ».",
  likeCard: "Cela ressemble à un numéro de carte. Saisissez ici « {label} ».",
  yes: "Oui",
  no: "Non",
  line: "{label} : {value}",
} as const satisfies Translation["ownField"];
