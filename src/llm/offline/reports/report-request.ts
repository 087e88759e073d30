import type { Reading } from '../reading/read.js';

const making =
  /\b(?:gener\w+|produi\w+|produ(?:ce|cir|zca)|prepar\w+|redig\w+|ecri(?:s|re|vez)|fai(?:s|re|tes)|cre(?:e[rz]?|ar|a|ate)|haz(?:me)?|hacer|elabor\w+|re(?:fai(?:s|re|tes)|gener\w+|cree[rz]?|do|make|create|hac(?:er|e)|haz)|actualis\w+|actualiz\w+|update|met(?:s|tre|tez) a jour|make|write|build|draw up|export\w*|telecharg\w+|download|descarg\w+|donne\w*|envoie\w*|envoyez|sors|sortir|dame|deme|give|send|veux|voudrais|besoin|souhait\w+|need|want|like|quiero|quisiera|necesito)\b|產生|產出|製作|重做|更新|生成|建立|輸出|匯出|下載|撰寫|寫|做|給我|需要|想要/;
const file =
  /\b(?:rapports?|reports?|informes?|dossiers?|expedientes?|documents?|documentos?|pdf|word|docx)\b|報告|文件|檔案/;

/** «Rapport de financement au Mali en PDF»: what is headed by a report and names its format needs no verb. */
const headed =
  /^\W{0,5}(?:(?:et|puis|ensuite|and|then|y|alors)\s)?(?:(?:un|le|mon|notre|a|an|the|my|our|el|mi|nuestro)\s)?(?:(?:esg|csr|carbon|footprint|climate|financing|funding|finance|green|pdf|word)\s){0,3}(?:rapport|report|informe|dossier|expediente|報告)(?![\p{L}.])/u;
const inFormat =
  /(?:^|\s)(?:(?:en|in|au format|format|as|a|formato|to)\s(?:a\s)?)?(?:pdf|word|docx)(?![\p{L}.])/u;

/** Whether a text orders a report or a file in so many words. */
export const asksForFile = ({ folded }: Reading): boolean =>
  file.test(folded) && (making.test(folded) || (headed.test(folded) && inFormat.test(folded)));

const repeating =
  /\b(?:re(?:fai(?:s|re|tes)|gener\w+|cree[rz]?|do|make|create|hac(?:er|e)|haz)|again|encore une fois|a nouveau|de nouveau|de nuevo|otra vez|actualis\w+|actualiz\w+|update|met(?:s|tre|tez) a jour)\b|重做|更新|重新|再/;

/** Whether a text orders a report anew that was made before. */
export const asksAgain = (reading: Reading): boolean =>
  asksForFile(reading) && repeating.test(reading.folded);

/** The one format that a text names; null: none, or both. */
export function formatIn({ folded }: Reading): 'pdf' | 'docx' | null {
  const [pdf, word] = [/\bpdf\b/.test(folded), /\b(?:word|docx)\b/.test(folded)];
  if (pdf === word) return null;
  return pdf ? 'pdf' : 'docx';
}
