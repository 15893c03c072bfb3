import type { Translation } from "../translation.ts";

export const frame = {
  sandbox: "テスト環境",
  sandboxNote: "実際の請求は発生しません。実在するカードは絶対に入力しないでください。",
  sandboxClock: "テスト用の日付は{day}です。",
  sandboxMail: "これはテスト環境です。送信されたメールは{mailbox}でもご確認いただけます。",
  sandboxMailbox: "テスト用の受信箱",
  optional: "任意",
  errorTitle: "エラー：{title}",
  checkFields: "入力内容をご確認ください",
  refresh: "再読み込み",
  back: "{seller}に戻る",
  onward: "{seller}に進む",
  person: "{name}（{email}）",
  oneMoment: "しばらくお待ちください",
  sentences: "{first}{second}",
} as const satisfies Translation["frame"];

export const problem = {
  incompleteTitle: "入力内容を受信できませんでした",
  incomplete: "入力内容が正しく届きませんでした。前のページに戻り、もう一度送信してください。",
  foreignTitle: "別のサイトから送信されました",
  foreign:
    "安全のため、当サイトのページにあるフォームのみ受け付けています。" +
    "リンクをもう一度開き、そのページのフォームをご利用ください。",
  notFoundTitle: "ページが見つかりません",
  notFound:
    "このアドレスにはページがありません。リンク全体が正しくコピーされているかご確認いただくか、リンクの送信元に新しいリンクをご依頼ください。",
  methodTitle: "この操作はできません",
  method: "このページはその方法ではご利用いただけません。前のページに戻るか、リンクをもう一度開いてください。",
  goneTitle: "このリンクは無効になりました",
  gone: "ファイルへのリンクは、短時間のみ、かつご利用期間中のみ有効です。このリンクがあったページで新しいリンクを取得してください。",
  tooLargeTitle: "入力内容が長すぎます",
  tooLarge: "入力内容が文字数の上限を超えています。前のページに戻り、短くしてください。",
  notAFormTitle: "フォームをご利用ください",
  notAForm: "このページは専用のフォームのみ受け付けています。リンクを開き、フォームにご入力ください。",
  tooManyTitle: "試行回数が多すぎます",
  tooMany: "1分ほど待ってから、もう一度お試しください。直前の操作は実行されていません。",
  oursTitle: "エラーが発生しました",
  ours:
    "当サイトの不具合によるものです。お支払いの途中だった場合は、ページを再読み込みして結果をご確認ください。" +
    "二重に請求されることはありません。",
  unavailableTitle: "現在、利用できません",
  unavailable:
    "しばらくしてからもう一度お試しください。当サイトの不具合によるものです。お支払いの途中だった場合は、ページを再読み込みして" +
    "結果をご確認ください。二重に請求されることはありません。",
  returnOverTitle: "このお支払いページの有効期限が切れました",
  returnOver:
    "このアドレスからお支払いページを開けるのは一定期間のみです。" +
    "結果は、{seller}のページまたはメール内のリンクからご確認ください。",
} as const satisfies Translation["problem"];
