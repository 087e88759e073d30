import { LanguageDetector } from './language-detector.js';

describe('the language of a text', () => {
  it.each([
    ['Le secrétariat est ouvert du lundi au vendredi de huit heures à treize heures.', 'fr'],
    ['Las citas con especialista se piden por teléfono o en el mostrador de admisión.', 'es'],
    ['Keep the receipts: claims that are older than ninety days are not paid.', 'en'],
    ['## Réponse\n\n| Délai | Montant |\n| --- | --- |\n| sous dix jours ouvrés | par virement |', 'fr'],
    ['每家企業最高可貸三千萬元，首次往來者以一千萬元為限。', 'zh-Hant'],
    ['每家企业最高可贷三千万元，首次往来者以一千万元为限。', 'zh-Hans'],
    ['山水', 'zh'],
    ['台灣的公司只有一千里面', 'zh-Hant'],
    ['谁签署报价单', 'zh-Hans'],
    ['グリーンローンの申請には財務諸表が必要です。', 'ja'],
    ['대출 신청에는 재무제표가 필요합니다.', 'ko'],
    ['| 2023 | 2024 |', null],
    ['CO2', null],
    ['', null],
  ])('of %j is %s', async (text, language) => {
    expect((await LanguageDetector.load()).detect(text)).toBe(language);
  });
});
