import type { Translation } from "../translation.ts";

export const ownField = {
  choose: "Elegir",
  missing: "Rellene el campo «{label}».",
  unchosen: "Elija una opción en «{label}».",
  unticked: "Marque la casilla «{label}».",
  tooLong: "«{label}»: introduzca como máximo {most, plural, one {# carácter} other {# caracteres}}.",
  noNumber: "Introduzca un número como {example} en «{label}».",
  tooSmall: "Introduzca {least} o más en «{label}».",
  tooLarge: "Introduzca {most} o menos en «{label}».",
  likeCard: "Parece un número de tarjeta. Introduzca aquí «{label}».",
  yes: "Sí",
  no: "No",
  line: "{label}: {value}",
} as const satisfies Translation["ownField"];
