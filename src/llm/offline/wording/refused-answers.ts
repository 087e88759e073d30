import {
  isAnswerSheet,
  refusedIn,
  type RefusedAnswer,
  type UnreadClause,
  unreadIn,
} from '../arguments/answer-sheet.js';
import { propertiesOf } from '../arguments/values/property.js';
import type { Language } from '../reading/words/language.js';
import type { ToolProfile } from '../tool-profile.js';

interface Words {
  heading: string;
  line: (key: string, given: string, expected: string) => string;
  unclear: (clause: string, key: string) => string;
  unknown: string;
  yesNo: string;
  whole: (least: number, most: number | null) => string;
  number: (least: number, most: number | null) => string;
}

const words: Readonly<Record<Language, Words>> = {
  fr: {
    heading: 'Je n’ai pas pris en compte :',
    line: (key, given, expected) => `- **${key}** : « ${given} » (${expected})`,
    unclear: (clause, key) => `- « ${clause} » (répondez par le code de la question, sans doute **${key}**)`,
    unknown: 'cette question n’existe pas',
    yesNo: 'il faut oui ou non',
    whole: (least, most) =>
      most === null
        ? `il faut un nombre entier à partir de ${least}`
        : `il faut un nombre entier de ${least} à ${most}`,
    number: (least, most) =>
      most === null ? `il faut un nombre à partir de ${least}` : `il faut un nombre de ${least} à ${most}`,
  },
  en: {
    heading: 'I left out:',
    line: (key, given, expected) => `- **${key}**: “${given}” (${expected})`,
    unclear: (clause, key) => `- “${clause}” (answer by the key of the question, probably **${key}**)`,
    unknown: 'there is no such question',
    yesNo: 'it takes yes or no',
    whole: (least, most) =>
      most === null
        ? `it takes a whole number from ${least}`
        : `it takes a whole number from ${least} to ${most}`,
    number: (least, most) =>
      most === null ? `it takes a number from ${least}` : `it takes a number from ${least} to ${most}`,
  },
  es: {
    heading: 'No he tenido en cuenta:',
    line: (key, given, expected) => `- **${key}**: «${given}» (${expected})`,
    unclear: (clause, key) =>
      `- «${clause}» (responda con el código de la pregunta, probablemente **${key}**)`,
    unknown: 'esa pregunta no existe',
    yesNo: 'tiene que ser sí o no',
    whole: (least, most) =>
      most === null
        ? `tiene que ser un número entero a partir de ${least}`
        : `tiene que ser un número entero de ${least} a ${most}`,
    number: (least, most) =>
      most === null
        ? `tiene que ser un número a partir de ${least}`
        : `tiene que ser un número de ${least} a ${most}`,
  },
  'zh-Hant': {
    heading: '以下答覆沒有採用：',
    line: (key, given, expected) => `- **${key}**：「${given}」（${expected}）`,
    unclear: (clause, key) => `- 「${clause}」（請以問題代碼回答，可能是 **${key}**）`,
    unknown: '沒有這個問題',
    yesNo: '請回答是或否',
    whole: (least, most) => (most === null ? `須為 ${least} 以上的整數` : `須為 ${least} 到 ${most} 的整數`),
    number: (least, most) => (most === null ? `須為 ${least} 以上的數字` : `須為 ${least} 到 ${most} 的數字`),
  },
};

function wordExpected({ expected }: RefusedAnswer, own: Words): string {
  if (expected === null) return own.unknown;
  return expected.kind === 'yes-no' ? own.yesNo : own[expected.kind](expected.least, expected.most);
}

/** Which answers of a message the forms of some tools do not take, and why; empty: they take all. */
export function refusedAnswers(
  profiles: readonly ToolProfile[],
  message: string,
  language: Language,
): string {
  const own = words[language];
  const forms = profiles.flatMap(({ tool }) => {
    const all = propertiesOf(tool.parameters);
    return all.filter(isAnswerSheet).map((sheet) => ({ sheet, all }));
  });
  const refused = forms.flatMap(({ sheet, all }) => refusedIn(sheet, message, all));
  const unread: readonly UnreadClause[] = forms.flatMap(({ sheet }) => unreadIn(sheet, message));
  if (refused.length + unread.length === 0) return '';
  const lines = refused.map((each) => own.line(each.key, each.given, wordExpected(each, own)));
  const unclear = unread.map(({ clause, key }) => own.unclear(clause, key));
  return [own.heading, ...lines, ...unclear].join('\n');
}
