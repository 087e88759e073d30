import type { Phrases } from './phrase-book.js';
import { settings } from '../settings.js';

export const traditionalChinese: Phrases = {
  locale: 'zh-Hant-TW',
  gap: '',
  colon: '：',
  separator: '、',
  yes: '是',
  no: '否',
  quoted: (words) => `「${words}」`,
  units: {
    litre: '公升',
    m3: '立方公尺',
    kg: '公斤',
    tonne: '公噸',
    km: '公里',
    passenger_km: '延人公里',
    tonne_km: '延噸公里',
    night: '晚',
  },

  noModel: `提醒：目前尚未設定語言模型，這則回覆來自內建的離線模型，只依固定規則作答。若要連接語言模型，請設定下列環境變數後重新啟動：${settings}。`,
  greeting: '您好！',
  thanks: '不客氣。',
  nothingUnderWay: '這個對話目前沒有其他進行中的工作。',
  identity: (name) => `我是${name ?? '您的助理'}。`,
  limits: '沒有語言模型時，我無法自由對話，只能辨識工具做得到的事，並把結果告訴您。',
  wordless: '我在您的訊息中沒有找到任何文字。',
  cannot: (subject) => `我無法回答「${subject}」：沒有語言模型時，我只能做工具做得到的事。`,
  heard: '知道了。如果要我記住，請說「請記住……」。',
  cannotAdvise:
    '沒有語言模型時，我無法自由提供建議，但可以逐項計算您的排放量，讓您看出哪一項最大，從那裡著手最有效。請提供數量與單位，例如「在塞內加爾用電 12,000 度、柴油 3,500 公升」。',
  canDo: '我可以為您做的事：',
  noTools: '這個助理目前沒有啟用任何工具。',
  example: '請告訴我您的需求，並附上數字與單位。',

  missing: '要繼續的話，還需要：',
  askMissing: '可以請您補充這些資料嗎？',
  quantities: (units) => `大於零的數量與單位（${units}），例如「12,000 kWh 電力」`,
  noDetails: '需要納入的資料（我在您的訊息中沒有辨識到）',
  unread: (quoted) => `我無法辨識${quoted}指的是什麼，可以請您說明嗎？`,
  leftOut: (quoted) => `我無法辨識${quoted}指的是什麼，因此沒有計入。`,
  setAside: (quoted) => `依您的訊息，未計入${quoted}；若應計入，請告訴我。`,
  range: (quoted) => `我無法計算範圍（${quoted}）。請問應採用哪個數量？`,
  unapplied: (quoted) => `我沒有套用${quoted}，結果未計入。`,
  otherCountries: (names) => `未計算：${names}。每個數量只計算一次；如要比較，請分別詢問各國。`,
  differingPeriods: (said) => `各數量的期間不同（${said}），總量只是相加。請提供同一期間的數量，或逐項閱讀。`,
  tooLarge: (quoted, most) => `無法計算${quoted}：單一數量最多為 ${most}。可以請您確認嗎？`,
  tooMany: (most) => `一次太多了：每則訊息最多處理 ${most} 個數量。可以請您分次提供嗎？`,

  failed: (reason) => `這次沒有完成：${reason}`,
  askToMend: '要修正或補充您的需求嗎？',
  result: '查到的結果如下：',
  empty: '已完成，工具沒有傳回可顯示的內容。',
  stored: '已記下：',
  notKnown: (fields) => `尚未填寫：${fields}。`,
  factNotKnown: (fields) => `目前還沒有這項資料：${fields}。`,
  details: '明細',
  refused: '未計入',
  sources: '資料來源',
  caveats: '請注意',
  citation: ({ publisher, title, year, url }) =>
    [publisher, `《${title}》${year === '' ? '' : `（${year}）`}`, url]
      .filter((part) => part !== '')
      .join('，'),
  more: (count) => `另外還有 ${count} 項`,

  summary: '摘要：',
  nothingToSummarise: '目前還沒有可以摘要的內容。',
  nothingToAdd: '我的上一則回覆已是全部內容。請提出新的問題，或提供其他數字。',
};
