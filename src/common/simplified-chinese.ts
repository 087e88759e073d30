/** Common characters that were simplified, each followed by what became of it. */
const table =
  '這这個个們们來来時时說说會会對对過过國国學学為为於于後后發发經经當当還还麼么與与從从現现開开關关進进種种樣样實实點点電电話话間间問问題题應应該该長长產产業业務务區区員员場场車车東东馬马' +
  '門门見见書书報报費费資资貸贷綠绿環环險险權权證证請请認认識识計计劃划設设備备達达運运輸输錢钱銀银營营驗验測测評评級级結结構构標标準准統统據据數数組组織织總总額额單单價价買买賣卖稅税財财' +
  '償偿擔担節节減减廢废氣气溫温熱热處处幾几無无萬万億亿兩两內内帶带幫帮讓让給给條条約约歲岁難难機机體体聲声圖图歷历動动勞劳護护衛卫醫医療疗藥药師师導导領领選选舉举黨党軍军農农礦矿廠厂術术' +
  '網网絡络線线連连續续轉转換换變变檔档獲获獎奖樂乐愛爱頭头臉脸飛飞鳥鸟魚鱼龍龙風风雲云紅红黃黄藍蓝質质類类顯显調调協协議议遠远週周離离職职試试滿满喪丧補补貼贴獨独須须採采購购審审簽签憑凭' +
  '銷销繳缴罰罚懲惩負负責责傷伤殘残養养齡龄項项範范圍围優优適适確确檢检視视訓训練练習习課课鐵铁艙舱廂厢飯饭館馆層层樓楼號号碼码灣湾歐欧軟软專专戶户冊册賬账帳帐異异遲迟遞递願愿讀读寫写幣币' +
  '隨随滯滞辭辞聯联籌筹縮缩賠赔闊阔雙双臨临錄录';

/** Each as it is written traditionally, and as it is written simplified. */
export const simplifiedPairs: readonly (readonly [traditional: string, simplified: string])[] = Array.from(
  table.matchAll(/(.)(.)/gu),
  ([, traditional = '', simplified = '']) => [traditional, simplified] as const,
);
