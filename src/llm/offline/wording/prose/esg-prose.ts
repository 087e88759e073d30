import type { JsonObject, JsonValue } from '../../../../common/json.js';
import { asArray, asObject, asText, strings } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';
import { phrases } from '../languages/phrases.js';
import { shortened } from '../shortened.js';

const mostQuestions = 5;
const mostNamed = 3;
const longestExpected = 240;

interface Words {
  strengths: string;
  weaknesses: string;
  next: string;
  howToAnswer: string;
}

const words: Readonly<Record<Language, Words>> = {
  fr: {
    strengths: 'Points forts',
    weaknesses: 'À améliorer d’abord',
    next: 'Les questions qui comptent le plus maintenant',
    howToAnswer: 'Pouvez-vous y répondre ? La clé suffit, par exemple « E01 : 2 ».',
  },
  en: {
    strengths: 'Strengths',
    weaknesses: 'To improve first',
    next: 'The questions that matter most now',
    howToAnswer: 'Can you answer them? The key is enough, for example “E01: 2”.',
  },
  es: {
    strengths: 'Puntos fuertes',
    weaknesses: 'Lo primero que mejorar',
    next: 'Las preguntas que más pesan ahora',
    howToAnswer: '¿Puede responderlas? Basta la clave, por ejemplo «E01: 2».',
  },
  'zh-Hant': {
    strengths: '優勢',
    weaknesses: '優先改善',
    next: '目前最重要的問題',
    howToAnswer: '可以請您回答嗎？用代號即可，例如「E01：2」。',
  },
};

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`**${title}**`, ...lines.map((line) => `- ${line}`)].join('\n');

/** An ESG score: its summary, what stands out, and what to ask next. */
export function describeScore(value: JsonObject, language: Language): string {
  const own = words[language];
  const { colon, caveats } = phrases[language];
  const list = (key: string, most: number): JsonObject[] => asArray(value[key]).slice(0, most).map(asObject);
  const titled = (title: JsonValue | undefined, more: string): string =>
    more === '' ? asText(title) : `${asText(title)}${colon}${more}`;
  const next = list('nextQuestions', mostQuestions).map(({ id, question, expected }) => {
    const told = asText(expected) === '' ? '' : ` (${shortened(asText(expected), longestExpected)})`;
    return `**${asText(id)}** ${asText(question)}${told}`;
  });
  return [
    asText(value['summary']),
    section(
      own.strengths,
      list('strengths', mostNamed).map(({ title, codes }) => titled(title, asText(codes))),
    ),
    section(
      own.weaknesses,
      list('weaknesses', mostNamed).map(({ title, nextAction }) => titled(title, asText(nextAction))),
    ),
    section(own.next, next),
    section(caveats, strings(value['notes'])),
    next.length > 0 ? own.howToAnswer : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
