import type { Reading } from '../reading/read.js';

const making =
  /\b(?:gener\w+|produi\w+|produ(?:ce|cir|zca)|prepar\w+|redig\w+|ecri(?:s|re|vez)|fai(?:s|re|tes)|cre(?:e[rz]?|ar|a|ate)|haz(?:me)?|hacer|elabor\w+|make|write|build|draw up|export\w*|telecharg\w+|download|descarg\w+|donne\w*|envoie\w*|envoyez|sors|sortir|dame|deme|give|send|veux|voudrais|besoin|souhait\w+|need|want|like|quiero|quisiera|necesito)\b|產生|產出|製作|生成|建立|輸出|匯出|下載|撰寫|寫|做|給我|需要|想要/;
const file =
  /\b(?:rapports?|reports?|informes?|dossiers?|expedientes?|documents?|documentos?|pdf|word|docx)\b|報告|文件|檔案/;

/** Whether a text orders a report or a file in so many words. */
export const asksForFile = ({ folded }: Reading): boolean => making.test(folded) && file.test(folded);

/** The one format that a text names; null: none, or both. */
export function formatIn({ folded }: Reading): 'pdf' | 'docx' | null {
  const [pdf, word] = [/\bpdf\b/.test(folded), /\b(?:word|docx)\b/.test(folded)];
  if (pdf === word) return null;
  return pdf ? 'pdf' : 'docx';
}
