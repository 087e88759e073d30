import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

const tool = (name: string, parameter: string) => ({
  type: 'function',
  function: {
    name,
    description: `Does ${name}.`,
    parameters: {
      type: 'object',
      properties: { [parameter]: { type: 'string' } },
      required: [parameter],
      additionalProperties: false,
    },
  },
});
const search = tool('search_web', 'query');
const read = tool('read_webpage', 'url');
const retrieve = tool('retrieve_documents', 'query');
const synthesize = tool('synthesize_answer', 'reason');
const background = tool('continue_in_background', 'reason');

type Message = JsonObject;
const user = (content: string): Message => ({ role: 'user', content });
let calls = 0;
/** A call that was made, and its result. */
const called = (name: string, input: JsonObject, result: JsonObject): Message[] => {
  calls += 1;
  const id = `call-${calls}`;
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify(result) },
  ];
};

const ask = (messages: Message[], more: JsonObject, language = 'fr') =>
  think(
    completionRequest.parse({
      model: 'x',
      messages: [{ role: 'system', content: `Langue : ${language}` }, ...messages],
      ...more,
    }),
  );
const callsOf = (...given: Parameters<typeof ask>): [string, JsonObject][] => {
  const reply = ask(...given);
  return 'text' in reply
    ? []
    : reply.toolCalls.map((call) => [call.name, JSON.parse(call.arguments) as JsonObject]);
};
const textOf = (...given: Parameters<typeof ask>): string => {
  const reply = ask(...given);
  return 'text' in reply ? reply.text : JSON.stringify(reply);
};

const planning = { tools: [search, read, synthesize, background], tool_choice: 'required' };
const page = (url: string, title: string, snippet = ''): JsonObject => ({
  url,
  title,
  snippet,
  published: null,
});
const kwh = 'Quel est le prix du kWh à Dakar ?';
const found = called(
  'search_web',
  { query: 'prix kWh Dakar' },
  {
    summary: '4 résultats',
    results: [
      page('https://a.sn/x', 'Accueil'),
      page('https://b.sn/tarif.pdf', 'Prix du kWh à Dakar'),
      page('https://c.sn/tarif', 'Prix du kWh à Dakar'),
      page('https://d.sn/', 'Électricité à Dakar'),
    ],
  },
);
const readFrom = (url: string, content: string, more: JsonObject = {}): Message[] =>
  called('read_webpage', { url }, { summary: 'Lu', url, title: 'Tarifs', published: null, content, ...more });

describe('what to look up on the web', () => {
  it.each([
    [kwh, 'prix kWh Dakar'],
    ['Cherche sur internet les tarifs du solaire au Mali', 'tarifs solaire Mali'],
    ['How much do solar pumps cost in Kenya?', 'solar pumps cost Kenya'],
    ['Nous sommes 52, et cherche sur le web le prix du kWh à Dakar', 'prix kWh Dakar'],
    ['¿Qué subvenciones hay para eficiencia en Madrid?', 'subvenciones eficiencia Madrid'],
    ['台北的電價是多少？', '台北 電價'],
  ])('«%s»: «%s»', (question, query) => {
    expect(callsOf([user(question)], planning)).toEqual([['search_web', { query }]]);
    expect(callsOf([user(question)], { tools: [search, read] })).toEqual([['search_web', { query }]]);
  });

  it.each([
    [kwh, 'Et à Abidjan ?', 'prix kWh Abidjan'],
    ['How much do solar pumps cost in Kenya?', 'What about Ghana?', 'solar pumps cost Ghana'],
    ['台北的電價是多少？', '那在高雄呢？', '台北 電價 高雄'],
    [kwh, 'Quelle est la population de Kaolack ?', 'population Kaolack'],
    ['How much do solar pumps cost in Kenya?', '¿Y en Madrid qué ayudas hay?', 'Madrid ayudas'],
    [kwh, 'In Kenya, what do solar pumps cost?', 'Kenya solar pumps cost'],
  ])('after «%s», «%s»: «%s»', (before, question, query) => {
    const said = [user(before), { role: 'assistant', content: 'Voilà.' }, user(question)];
    expect(callsOf(said, planning)).toEqual([['search_web', { query }]]);
  });

  it('reads the two pages closest to the question, no PDF, and then has the answer written', () => {
    const first = callsOf([user(kwh), ...found], planning);
    expect(first.map(([name, { url }]) => [name, url])).toEqual([
      ['read_webpage', 'https://c.sn/tarif'],
      ['read_webpage', 'https://d.sn/'],
    ]);
    const both = [...readFrom('https://c.sn/tarif', 'x'), ...readFrom('https://d.sn/', 'y')];
    expect(callsOf([user(kwh), ...found, ...both], planning)).toEqual([
      ['synthesize_answer', { reason: 'Les résultats obtenus permettent de répondre.' }],
    ]);
  });

  it('reads another page for one that could not be read, three at most', () => {
    const failed = (url: string) => called('read_webpage', { url }, { error: 'Le site est injoignable.' });
    const two = [user(kwh), ...found, ...failed('https://c.sn/tarif'), ...failed('https://d.sn/')];
    expect(callsOf(two, planning).map(([, { url }]) => url)).toEqual(['https://a.sn/x']);
    expect(callsOf([...two, ...failed('https://a.sn/x')], planning).map(([name]) => name)).toEqual([
      'synthesize_answer',
    ]);
  });

  it('reads an address that the question names, and searches nothing', () => {
    const question = user('Que dit https://c.sn/tarif, sur les entreprises ?');
    const expected = ['read_webpage', { url: 'https://c.sn/tarif', find: 'entreprises' }];
    expect(callsOf([question], planning)).toEqual([expected]);
    const after = callsOf([question, ...readFrom('https://c.sn/tarif', 'x')], planning);
    expect(after.map(([name]) => name)).toEqual(['synthesize_answer']);
  });

  it.each(['Bonjour', 'Merci !', 'Qui es-tu ?', 'Comment vas-tu ?', 'Raconte-moi une blague'])(
    'nothing for «%s»',
    (message) => {
      expect(callsOf([user(message)], planning).map(([name]) => name)).toEqual(['synthesize_answer']);
    },
  );
});

describe('the background', () => {
  it.each([
    'Fais une recherche approfondie sur les tarifs à Dakar',
    'Compare toutes les offres de panneaux solaires au Mali',
    'Give me an in-depth comparison of solar pumps',
    'Haz un estudio exhaustivo de las ayudas',
    '請深入研究台北的電價',
  ])('is chosen for «%s», once', (question) => {
    expect(callsOf([user(question)], planning).map(([name]) => name)).toEqual(['continue_in_background']);
    const moved = { ...planning, tools: [search, read, synthesize] };
    expect(callsOf([user(question)], moved).map(([name]) => name)).toEqual(['search_web']);
  });

  it('is not chosen for an ordinary question', () => {
    expect(callsOf([user(kwh)], planning).map(([name]) => name)).not.toContain('continue_in_background');
  });
});

describe('an answer from the web', () => {
  const content = `# Tarifs

Bienvenue sur notre site, le meilleur de tous.

À Dakar, le [prix](https://c.sn/p) du **kWh** est de 91,17 FCFA. Abonnez-vous !`;
  const answer = (messages: Message[], language = 'fr') =>
    textOf([user(asking[language] ?? kwh), ...messages], {}, language);
  // Asked in French, it would be answered in French.
  const asking: Readonly<Record<string, string>> = {
    en: 'What is the prix of the kWh in Dakar?',
    es: '¿Cuál es el prix del kWh en Dakar?',
    'zh-Hant': 'Dakar 的 kWh 價格是多少？現在是什麼？',
  };

  it('tells what the pages say to the question, without the rest, and names title, address and day', () => {
    const text = answer([...found, ...readFrom('https://c.sn/tarif', content, { published: '2026-03-12' })]);
    expect(text).toContain('Selon « Tarifs » (c.sn) : À Dakar, le prix du kWh est de 91,17 FCFA.');
    expect(text).toContain('**Sources**\n- Tarifs, https://c.sn/tarif (12 mars 2026)');
    expect(text).not.toMatch(/Bienvenue|Abonnez|4 résultats|d\.sn/);
  });

  it.each([
    ['en', 'According to “Tarifs” (c.sn): À Dakar', '(12 March 2026)'],
    ['es', 'Según «Tarifs» (c.sn): À Dakar', '(12 de marzo de 2026)'],
    ['zh-Hant', '根據「Tarifs」（c.sn）：À Dakar', '（2026年3月12日）'],
  ])('in %s', (language, opening, day) => {
    const read = readFrom('https://c.sn/tarif', content, { published: '2026-03-12T08:00:00Z' });
    const text = answer([...found, ...read], language);
    expect(text).toContain(opening);
    expect(text).toContain(day);
  });

  it('answers a question that goes on from another', () => {
    const content = 'Abidjan est une grande ville. À Abidjan, le prix du kWh est de 80 FCFA. On y danse.';
    const said = [user(kwh), { role: 'assistant', content: 'Voilà.' }, user('Et à Abidjan ?')];
    const text = textOf([...said, ...readFrom('https://c.sn/', content)], {});
    expect(text).toContain('À Abidjan, le prix du kWh est de 80 FCFA.');
    expect(text).not.toMatch(/grande ville|danse/);
  });

  it('tells what is left of a page that was cut short for lack of room', () => {
    const [call, result] = readFrom('https://c.sn/tarif', content);
    const whole = String(result?.['content']);
    const cut = `${whole.slice(0, whole.indexOf('Abonnez'))}\n[… environ 40 jetons sur 90 omis, faute de place]`;
    const text = answer([call ?? {}, { ...result, content: cut }]);
    expect(text).toContain('Selon « Tarifs » (c.sn) : À Dakar, le prix du kWh est de 91,17 FCFA.');
    expect(text).not.toMatch(/jetons|[{}]/);
  });

  it('says so when no page answers, and still shows what comes closest', () => {
    const text = answer([
      ...found,
      ...readFrom('https://c.sn/tarif', 'Nous vendons des chaussures en cuir.'),
    ]);
    expect(text).toContain("Je n'ai pas trouvé de réponse directe");
    expect(text).toContain('chaussures');
  });

  it('says so when the pages were not opened', () => {
    const text = answer(
      called('search_web', {}, { results: [page('https://c.sn/', 'Tarifs', 'Le kWh à 91 FCFA.')] }),
    );
    expect(text).toContain("Je n'ai pas ouvert ces pages");
    expect(text).toContain('Le kWh à 91 FCFA.');
    expect(text).toContain('- Tarifs, https://c.sn/');
  });

  it('says so when nothing was found, or a page could not be read', () => {
    expect(answer(called('search_web', {}, { summary: 'Aucun', results: [] }))).toContain(
      "La recherche sur le web n'a rien donné",
    );
    const failed = called('read_webpage', { url: 'https://c.sn/' }, { error: 'Le site est injoignable.' });
    expect(answer(failed)).toContain("Je n'ai pas pu lire https://c.sn/. Le site est injoignable.");
  });

  it('does not pass on what a result tells the model to do', () => {
    const error = "Cet appel n'a pas été autorisé et n'a pas eu lieu. Ne le redemande pas tel quel.";
    const text = answer(called('update_x', {}, { error }));
    expect(text).toContain("n'a pas été autorisé");
    expect(text).not.toContain('redemande');
  });
});

describe('the company’s documents', () => {
  const forced = {
    tools: [retrieve],
    tool_choice: { type: 'function', function: { name: 'retrieve_documents' } },
  };
  const passage = (marker: number, text: string, document = '差旅規定.pdf'): JsonObject => ({
    marker,
    document,
    documentId: `d${marker}`,
    page: 3,
    score: 0.5,
    text,
  });
  const answered = (question: string, passages: JsonObject[], language = 'fr') =>
    textOf(
      [user(question), ...called('retrieve_documents', { query: 'x' }, { passages, note: 'Dis-le.' })],
      { tools: [retrieve] },
      language,
    );

  it.each([
    ['Quel est le délai de remboursement des frais de mission ?', 'délai remboursement frais mission'],
    ['差旅費怎麼報支？', '差旅費 報支'],
    ['Bonjour', 'Bonjour'],
  ])('are searched for «%s» with «%s»', (question, query) => {
    expect(callsOf([user(question)], forced)).toEqual([['retrieve_documents', { query }]]);
  });

  it('are searched with what the question goes on from', () => {
    const said = [user('Quel est le tarif des nuitées à Dakar ?'), { role: 'assistant', content: 'Voilà.' }];
    expect(callsOf([...said, user('Et à Thiès ?')], forced)).toEqual([
      ['retrieve_documents', { query: 'tarif nuitées Thiès' }],
    ]);
  });

  it('are cited by the numbers of their passages, the sentences that answer alone', () => {
    const text = answered('Quel est le délai de remboursement des frais de mission ?', [
      passage(
        4,
        'Le siège est à Thiès. Les frais de mission sont remboursés sous un délai de 30 jours.',
        'RH.pdf',
      ),
      passage(5, 'Le stationnement est gratuit.', 'RH.pdf'),
    ]);
    expect(text).toContain(
      '- Les frais de mission sont remboursés sous un délai de 30 jours [4]. (RH.pdf, p. 3)',
    );
    expect(text).not.toMatch(/\[5\]|Thiès|Dis-le/);
  });

  it('are no answer to a greeting, nor to a question that lacks a detail', () => {
    const passages = [passage(1, 'Le stationnement est gratuit.', 'RH.pdf')];
    expect(answered('Bonjour', passages)).toMatch(/^Bonjour !/);
    const footprint = tool('calculate_carbon_footprint', 'items');
    const searched = called('retrieve_documents', { query: 'x' }, { passages });
    const text = textOf([user('Quelle est mon empreinte carbone ?'), ...searched], {
      tools: [retrieve, footprint],
    });
    expect(text).toContain('il me manque');
  });

  it('are cited in Chinese', () => {
    const text = answered(
      '差旅費怎麼報支？',
      [passage(1, '同仁報支差旅費，應於返回後十日內檢附單據。')],
      'zh-Hant',
    );
    expect(text).toContain('- 同仁報支差旅費，應於返回後十日內檢附單據 [1]。');
    expect(text).toContain('差旅規定.pdf 第 3 頁');
  });

  it.each([
    ['nothing', []],
    ['nothing close', [passage(1, 'Le stationnement est gratuit.', 'RH.pdf')]],
  ])('are said not to answer when they hold %s', (_, passages) => {
    const text = answered('Quel est le délai de remboursement des frais de mission ?', passages);
    expect(text).toContain("Les documents de l'entreprise ne répondent pas à cette question.");
    expect(text.includes('RH.pdf, p. 3')).toBe(passages.length > 0);
    expect(text).not.toMatch(/\[\d\]|Dis-le/);
  });
});

describe('documents that are named, or asked for as a whole', () => {
  const document = '差旅管理辦法.md';
  const passages = [
    { marker: 1, document, page: null, text: '## 第一條\n為規範因公出差之交通報支，特訂定本辦法。' },
    { marker: 2, document, page: null, text: '## 第二條\n搭乘高鐵以標準車廂為限。' },
  ];
  const answerTo = (question: string): string =>
    textOf(
      [user(question), ...called('retrieve_documents', { query: 'x' }, { summary: '', passages })],
      { tools: [retrieve] },
      'zh-Hant',
    );

  it.each(['我們公司的差旅規定是什麼？', '幫我整理重點'])(
    'are quoted from their beginnings: %s',
    (question) => {
      expect(answerTo(question)).toContain(
        `- 為規範因公出差之交通報支，特訂定本辦法 [1]。 （${document}）\n- 搭乘高鐵以標準車廂為限 [2]。 （${document}）`,
      );
    },
  );

  it('answer a question in other words than theirs', () => {
    const text = answerTo('搭高鐵可以坐商務車廂嗎？');
    expect(text).toContain('搭乘高鐵以標準車廂為限 [2]');
    expect(text).not.toContain('特訂定本辦法');
  });

  it('answer nothing that is in none of them', () => {
    expect(answerTo('年終獎金怎麼算？')).toContain('公司的文件裡沒有提到這個問題的答案');
  });
});
