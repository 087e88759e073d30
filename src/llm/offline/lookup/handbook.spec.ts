import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

const pages = [
  `文庫科技員工手冊

第一章 休假
第一條 特別休假：員工在本公司滿半年給三日，滿一年給七日，滿二年給十日。
第二條 婚假：員工結婚可請婚假八日，工資照給。
第三條 事假：一年內合計不得超過十四日，不給工資。`,
  `第二章 差旅
第四條 國內出差住宿費每晚上限 3,500 元，膳雜費每日 500 元。
第五條 國外出差：日本每晚上限 6,000 元，美國每晚上限 9,000 元。
第六條 搭乘高鐵以標準車廂為限，不得搭乘商務車廂。`,
  `第三章 遠距工作
第八條 員工每週得申請遠距工作二日，須經主管核准。
第九條 遠距工作者應使用公司配發之筆記型電腦。
第十條 遠距工作期間須於上午九時前連線，並補助網路費每月 600 元。
第十一條 加班須事前申請，加班費依勞動基準法計算。
第十二條 客戶資料應保存七年，期滿銷毀。`,
];
const passages = pages.map((text, at) => ({ marker: at + 1, document: '員工手冊.pdf', page: at + 1, text }));

const toolOf = (name: string, description: string, properties: JsonObject): JsonObject => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties } },
});
const tools = [
  toolOf('retrieve_documents', 'Searches the documents.', { query: { type: 'string' } }),
  toolOf('get_company_profile', 'Gives what is known of the company (公司簡介).', {}),
];

/** The first two lines of what is answered from the handbook, or what is called besides. */
function answerTo(question: string, ...before: string[]): string {
  const call = { name: 'retrieve_documents', arguments: '{"query":"x"}' };
  const messages = [
    { role: 'system', content: '語言：zh-Hant' },
    ...before.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: '好的。' },
    ]),
    { role: 'user', content: question },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] },
    { role: 'tool', tool_call_id: 'c', content: JSON.stringify({ summary: '', passages }) },
  ];
  const reply = think(completionRequest.parse({ model: 'x', messages, tools }));
  return 'text' in reply ? reply.text.split('\n').slice(0, 2).join('\n') : JSON.stringify(reply);
}

describe('a handbook', () => {
  it.each([
    ['婚假有幾天？', '第二條'],
    ['婚假有幾天？有薪水嗎？', '第二條'],
    ['婚假可以請幾天？', '第二條'],
    ['結婚可以放幾天假？', '第二條'],
    ['事假最多幾天？', '第三條'],
    ['高鐵可以坐商務艙嗎？', '第六條'],
    ['员工可以每周远程工作几天？', '第八條'],
    ['員工每週可以遠距工作幾天？', '第八條'],
    ['滿一年有幾天特別休假？', '第一條'],
    ['到日本出差住宿費上限是多少？', '第五條'],
    ['遠距工作要幾點連線？', '第十條'],
    ['加班要事先申請嗎？', '第十一條'],
    ['客戶資料保存多久？', '第十二條'],
    ['網路費補助多少？', '第十條'],
    ['住宿費一晚多少錢？', '第四條'],
  ])('answers «%s» by its %s', (question, article) => {
    expect(answerTo(question)).toContain(`- ${article} `);
  });

  it.each([
    '公司的董事長是誰？',
    '有沒有補助午餐？',
    '員工餐廳在哪裡？',
    '產假有幾天？',
    '病假可以請幾天？',
    '年終獎金怎麼算？',
  ])('does not answer «%s» by what it says of something else', (question) => {
    expect(answerTo(question)).toContain('公司的文件裡沒有提到這個問題的答案');
  });

  it('tells of another country only what it says of that one', () => {
    const question = '到日本出差住宿費上限是多少？';
    expect(answerTo('去美國呢？', question)).toContain('美國每晚上限 9,000 元');
    expect(answerTo('去法國呢？', question)).toContain('沒有提到');
  });

  it('is not answered by the staff of a company, where their leave is asked for', () => {
    expect(answerTo('How many days of marriage leave do employees get?')).toContain('do not answer');
  });

  it('answers by itself what the profile of the company does not know', () => {
    const text = '第十三條 職員津貼為每月 3,000 元。';
    const results: JsonObject[] = [
      { summary: '', passages: [{ marker: 1, document: '員工手冊.pdf', page: 3, text }] },
      { name: '文庫科技', notKnown: ['headcount'] },
    ];
    const calls = ['retrieve_documents', 'get_company_profile'].map((name, at) => ({
      id: `call-${at}`,
      type: 'function',
      function: { name, arguments: '{}' },
    }));
    const messages = [
      { role: 'system', content: '語言：zh-Hant' },
      { role: 'user', content: '職員津貼多少？' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...results.map((result, at) => ({
        role: 'tool',
        tool_call_id: `call-${at}`,
        content: JSON.stringify(result),
      })),
    ];
    const reply = think(completionRequest.parse({ model: 'x', messages, tools }));
    expect(reply).toMatchObject({ text: expect.stringContaining('3,000 元') });
    expect(reply).toMatchObject({ text: expect.not.stringContaining('員工人數') });
  });
});
