import type { Translation } from "../translation.ts";

export const ownField = {
  choose: "Auswählen",
  missing: "Füllen Sie „{label}“ aus.",
  unchosen: "Wählen Sie bei „{label}“ etwas aus.",
  unticked: "Setzen Sie das Häkchen bei „{label}“.",
  tooLong: "„{label}“: Geben Sie höchstens {most, plural, one {# Zeichen} other {# Zeichen}} ein.",
  noNumber: "Geben Sie bei „{label}“ eine Zahl wie {example} ein.",
  tooSmall: "Geben Sie bei „{label}“ mindestens {least} ein.",
  tooLarge: "Geben Sie bei „{label}“ höchstens {most} ein.",
  likeCard: "Das sieht nach einer Kartennummer aus. Geben Sie hier „{label}“ ein.",
  yes: "Ja",
  no: "Nein",
  line: "{label}: {value}",
} as const satisfies Translation["ownField"];
