import type { Translation } from "../translation.ts";

export const ownField = {
  choose: "選択してください",
  missing: "「{label}」を入力してください。",
  unchosen: "「{label}」を選択してください。",
  unticked: "「{label}」にチェックを入れてください。",
  tooLong: "「{label}」は{most, plural, other {#文字}}以内で入力してください。",
  noNumber: "「{label}」には{example}のような数値を入力してください。",
  tooSmall: "「{label}」には{least}以上の数値を入力してください。",
  tooLarge: "「{label}」には{most}以下の数値を入力してください。",
  likeCard: "カード番号が入力されているようです。「{label}」を入力してください。",
  yes: "はい",
  no: "いいえ",
  line: "{label}：{value}",
} as const satisfies Translation["ownField"];
