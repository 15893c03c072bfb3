import type { Translation } from "../translation.ts";

export const portalPause = {
  title: "{product}を再開しますか？",
  charge: "新しい期間が今から始まり、{day}まで続きます。{amount}を{card}に請求いたします。",
  free: "新しい期間が今から始まり、{day}まで続きます。料金は請求されません。",
  back: "お支払いが完了すると、再びご利用いただけます。",
  noCard: "新しい期間の料金は{amount}ですが、カードが登録されていません。先にカードを登録してください。",
  submit: "再開して{amount}を支払う",
  submitFree: "今すぐ再開する",
  keep: "一時停止を続ける",
  changed: "金額またはカードが変更されました。もう一度ご確認ください。",
  pauses: "{day}から一時停止されます。",
  pausesUntil: "{day}から{until}まで一時停止されます。",
  pausedUntil: "{until}まで一時停止中です。それまで料金は請求されません。",
  pausedOpen: "一時停止中です。再開されるまで料金は請求されません。",
  undo: "一時停止を取り消す",
  resume: "サブスクリプションを再開する",
  cancelToo: "予定されている一時停止も取り消されます。",
} as const satisfies Translation["portalPause"];
