import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

/** A task of the product's own, with the one function that it forces. */
function done(name: string, content: string): JsonObject {
  const tool = { name, description: '', parameters: { type: 'object', properties: {} } };
  const reply = think(
    completionRequest.parse({
      model: 'x',
      messages: [
        { role: 'system', content: 'Tu tiens à jour le résumé, dans la langue de la personne.' },
        { role: 'user', content },
      ],
      tools: [{ type: 'function', function: tool }],
      tool_choice: { type: 'function', function: { name } },
    }),
  );
  const [call] = 'text' in reply ? [] : reply.toolCalls;
  expect(call?.name).toBe(name);
  return JSON.parse(call?.arguments ?? '{}') as JsonObject;
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
const said = (...texts: string[]): string =>
  texts.map((text, index) => `${index % 2 === 0 ? 'Membre' : 'Assistant'}:\n${quoted(text)}`).join('\n\n');

describe('a title', () => {
  it.each([
    ['Quel est le prix du kWh à Dakar ?', 'Prix du kWh à Dakar'],
    [
      "Quelle est l'empreinte de 12 000 kWh d'électricité au Sénégal et 3 500 litres de gazole ?",
      "Empreinte de 12\u00a0000 kWh d'électricité au Sénégal",
    ],
    ['Bonjour, comment réduire notre facture d’électricité ?', "Réduire notre facture d'électricité"],
    ['Combien de salariés avons-nous ?', 'Question posée : salariés'],
    ['Bonjour', 'Premiers échanges et présentation'],
    ['Merci', 'Premiers échanges et présentation'],
    ['What is the carbon footprint of my company in Senegal?', 'Carbon footprint of my company in Senegal'],
    ['¿Qué subvenciones hay para pymes en Madrid?', 'Subvenciones para pymes en Madrid'],
    ['我們公司每年用電 12,000 度電，柴油 3,500 公升，碳足跡是多少？', '每年用電、柴油、碳足跡'],
    ['差旅費怎麼報支？', '差旅費報支'],
  ])('of «%s»: «%s»', (question, title) => {
    expect(done('name_conversation', said(question, 'Voici.'))).toEqual({ title });
  });

  it('has a few words, whatever is asked', () => {
    const { title } = done('name_conversation', said('Le prix de '.repeat(300), 'Voici.'));
    expect(String(title).split(/\s+/).length).toBeLessThanOrEqual(8);
    expect(done('name_conversation', said('?!', '…')).title).toBe('Premiers échanges et présentation');
  });
});

describe('a summary', () => {
  const points = (before: string[], ...texts: string[]): string[] => {
    const summary =
      before.length > 0 ? `# Résumé actuel\n${before.map((each) => `- ${each}`).join('\n')}\n\n` : '';
    return done('keep_summary', `${summary}# Nouveaux messages\n${said(...texts)}`).points as string[];
  };
  const notice = 'Remarque : renseignez ces variables : LLM_BASE_URL, LLM_API_KEY, LLM_MODEL.';

  it('keeps facts, decisions and preferences, questions with their answers, and what is open', () => {
    expect(
      points(
        ['Le siège est à Thiès.'],
        'Nous avons décidé d’installer 20 kWc en 2027. Nous préférons des réponses courtes.',
        "C'est noté.",
        'Quel est le prix du kWh à Dakar ?',
        `Voici :\n\n- À Dakar, le kWh coûte 91,17 FCFA. [1]\n\n${notice}`,
        'Merci !',
        'Avec plaisir.',
        'Quelle est la capitale du Mali ?',
        'Je ne sais pas répondre à « Quelle est la capitale du Mali » : sans modèle de langage, je ne traite que ce que mes outils savent faire.',
      ),
    ).toEqual([
      'Le siège est à Thiès.',
      'La personne a indiqué : « Nous avons décidé d’installer 20 kWc en 2027. »',
      'La personne a indiqué : « Nous préférons des réponses courtes. »',
      'À la question « Quel est le prix du kWh à Dakar ? », il a été répondu : À Dakar, le kWh coûte 91,17 FCFA.',
      'Reste sans réponse : « Quelle est la capitale du Mali ? »',
    ]);
  });

  it('corrects a figure that is given anew, but not that of another year', () => {
    const before = [
      'La personne a indiqué : « Nous avons 45 salariés. »',
      'Bilan 2023 : 5 tonnes',
      'Budget connu',
    ];
    expect(points(before, 'Nous avons maintenant 52 salariés.', 'Noté.')).toEqual([
      'La personne a indiqué : « Nous avons maintenant 52 salariés. »',
      'Bilan 2023 : 5 tonnes',
      'Budget connu',
    ]);
    expect(
      points(['Bilan 2023 : 5 tonnes', 'Bilan 2024 : 6 tonnes', 'Budget connu'], 'Merci', 'Oui'),
    ).toEqual(['Bilan 2023 : 5 tonnes', 'Bilan 2024 : 6 tonnes', 'Budget connu']);
  });

  it('leaves out what was taken back, and has what failed as open', () => {
    const kept = points(
      ['Budget connu', 'Siège à Thiès'],
      'Retiens que Marc Diop est mon comptable.',
      "Vous avez annulé cette demande avant que j'y réponde : je n'y donne pas suite.",
      'Quel est le prix du riz ?',
      "Cette demande n'a pas pu aboutir et reste sans réponse. Je n'y reviens que si vous me le redemandez.",
    );
    expect(kept).toEqual([
      'Budget connu',
      'Siège à Thiès',
      'Reste sans réponse : « Quel est le prix du riz ? »',
    ]);
  });

  it('has ten points at most, and loses none of the earlier ones that fit', () => {
    const topics = 'riz coton cacao karité mangue sésame mil sorgho fonio arachide maïs manioc'.split(' ');
    const texts = topics.flatMap((topic) => [
      `Quel est le prix du ${topic} ?`,
      `Le ${topic} coûte 300 FCFA.`,
    ]);
    const kept = points(['Le siège est à Thiès.', 'Le budget est de 2 millions.'], ...texts);
    expect(kept.length).toBe(10);
    expect(kept.slice(0, 1).join()).toContain('Le siège est à Thiès');
    for (const topic of topics) expect(kept.join('\n')).toContain(topic);
  });

  it('has three points of a short conversation, in its language', () => {
    expect(
      points(
        [],
        'What do solar pumps cost in Kenya?',
        'They cost about 500 dollars.',
        'We have 12 employees.',
        'Noted.',
      ),
    ).toEqual([
      'The person asked: “What do solar pumps cost in Kenya?”',
      'The answer was: They cost about 500 dollars.',
      'The person stated: “We have 12 employees.”',
      'The answer was: Noted.',
    ]);
  });
});
