/** Common characters that were simplified, each followed by what became of it. */
const PAIRS =
  '這这個个們们來来時时說说會会對对過过國国學学為为於于後后發发經经當当還还麼么與与從从現现開开關关進进種种樣样實实點点電电話话間间問问題题應应該该長长產产業业務务區区員员場场車车東东馬马門门見见書书報报費费資资貸贷綠绿環环險险權权證证請请認认識识計计劃划設设備备達达運运輸输錢钱銀银營营驗验測测評评級级結结構构標标準准統统據据數数組织織织總总額额單单價价買买賣卖稅税財财償偿擔担節节減减廢废氣气溫温熱热處处幾几無无萬万億亿兩两內内帶带幫帮讓让給给條条約约歲岁難难機机體体聲声圖图歷历動动勞劳護护衛卫醫医療疗藥药師师導导領领選选舉举黨党軍军農农礦矿廠厂術术網网絡络線线連连續续轉转換换變变檔档獲获獎奖樂乐愛爱頭头臉脸飛飞鳥鸟魚鱼龍龙風风雲云紅红黃黄藍蓝質质類类顯显調调協协議议';

const traditional = new Set<string>();
const simplified = new Set<string>();
const characters = [...PAIRS];
for (let at = 0; at + 1 < characters.length; at += 2) {
  const [before, after] = [characters[at] ?? '', characters[at + 1] ?? ''];
  if (before === after) continue;
  traditional.add(before);
  simplified.add(after);
}

/** In which of the two ways a Chinese text is written; `zh` when nothing tells. */
export const chineseOf = (text: string): 'zh' | 'zh-Hans' | 'zh-Hant' => {
  let balance = 0;
  for (const character of text) {
    if (traditional.has(character)) balance += 1;
    else if (simplified.has(character)) balance -= 1;
  }
  if (balance === 0) return 'zh';
  return balance > 0 ? 'zh-Hant' : 'zh-Hans';
};
