import { withLatin1TextDecoder } from './latin1-text-decoder.double.js';
import { decodeText } from './decode-text.js';

/** What each character is in an encoding of one or two bytes, found by decoding all of them. */
function encoderOf(encoding: string): (text: string) => Buffer {
  const codes = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  const note = (bytes: number[]): void => {
    const character = decoder.decode(Buffer.from(bytes));
    const isOne = [...character].length === 1 && character !== '\ufffd';
    if (isOne && !codes.has(character)) codes.set(character, bytes);
  };
  for (let first = 0; first < 256; first += 1) note([first]);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) note([first, second]);
  return (text) => {
    const bytes = [...text].map((character) => codes.get(character));
    expect(bytes).not.toContain(undefined);
    return Buffer.from(bytes.flatMap((bytes) => bytes ?? []));
  };
}

const texts = {
  fr: 'Les émissions de gaz à effet de serre ont été réduites de 12 % grâce à l’énergie solaire. Où vont les déchets ?',
  es: 'La compañía reducirá sus emisiones en un año. ¿Qué documentos hacen falta? El informe está en español.',
  de: 'Die Größe der Anlage übersteigt die zulässigen Werte. Änderungen müssen schriftlich erklärt werden.',
  pl: 'Zażółć gęślą jaźń. Sprawozdanie zawiera wskaźniki dotyczące środowiska i społeczeństwa.',
  tr: 'Şirketin çevre raporu, ölçümlerin nasıl yapıldığını açıklar. Değişiklikler için onay gerekir.',
  ru: 'Отчёт об устойчивом развитии содержит показатели по охране окружающей среды.',
  el: 'Η ετήσια έκθεση περιέχει δείκτες για το περιβάλλον και την κοινωνία.',
  he: 'הדוח השנתי כולל מדדים על הסביבה והחברה. החברה הפחיתה את הפליטות.',
  ar: 'يتضمن التقرير السنوي مؤشرات عن البيئة والمجتمع. خفضت الشركة الانبعاثات.',
  hans: '公司今年的碳排放量比去年下降了百分之十二。本报告包括环境、社会和治理三个方面的指标。',
  hant: '公司今年的碳排放量比去年下降了百分之十二。本報告包括環境、社會和治理三個方面的指標。',
  ja: '当社の温室効果ガス排出量は前年より減少しました。この報告書は環境、社会の指標を含みます。',
  ko: '회사의 온실가스 배출량은 지난해보다 감소하였다. 이 보고서는 환경, 사회 지표를 포함한다.',
  th: 'รายงานประจำปีประกอบด้วยตัวชี้วัดด้านสิ่งแวดล้อมและสังคม',
};

it.each([
  ['fr', 'windows-1252'],
  ['fr', 'macintosh'],
  ['es', 'windows-1252'],
  ['es', 'macintosh'],
  ['de', 'windows-1252'],
  ['pl', 'windows-1250'],
  ['pl', 'iso-8859-2'],
  ['tr', 'windows-1254'],
  ['ru', 'windows-1251'],
  ['ru', 'koi8-r'],
  ['ru', 'iso-8859-5'],
  ['ru', 'ibm866'],
  ['el', 'windows-1253'],
  ['he', 'windows-1255'],
  ['ar', 'windows-1256'],
  ['hans', 'gb18030'],
  ['hant', 'big5'],
  ['ja', 'shift_jis'],
  ['ja', 'euc-jp'],
  ['ko', 'euc-kr'],
  ['th', 'windows-874'],
] as const)('reads a text in %s that is encoded as %s, and does not say so', (language, encoding) => {
  const text = texts[language];
  expect(decodeText(encoderOf(encoding)(text)).text).toBe(text);
});

function wide(text: string, unit: 2 | 4, isBig: boolean): Buffer {
  const codes =
    unit === 4
      ? [...text].map((character) => character.codePointAt(0) ?? 0)
      : Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const bytes = Buffer.alloc(codes.length * unit);
  codes.forEach((code, index) => {
    if (isBig) bytes.writeUIntBE(code, index * unit, unit);
    else bytes.writeUIntLE(code, index * unit, unit);
  });
  return bytes;
}

describe.each(Object.entries(texts))('in %s', (_, text) => {
  const lines = `${text}\n${text} 😀\n`;

  it.each([
    ['UTF-16LE', 2, false],
    ['UTF-16BE', 2, true],
    ['UTF-32LE', 4, false],
    ['UTF-32BE', 4, true],
  ] as const)('reads %s with a mark and without', (_, unit, isBig) => {
    expect(decodeText(wide(lines, unit, isBig)).text).toBe(lines);
    expect(decodeText(wide(`\ufeff${lines}`, unit, isBig)).text).toBe(lines);
  });

  it('reads UTF-8 with a mark, without, and with some bytes that are none', () => {
    expect(decodeText(Buffer.from(`\ufeff${lines}`)).text).toBe(lines);
    expect(decodeText(Buffer.from(lines))).toEqual({ text: lines, encoding: 'utf-8', isDoubtful: false });
    expect(decodeText(Buffer.concat([Buffer.from(lines), Buffer.from([0xe9])])).text).toBe(`${lines}\ufffd`);
  });
});

it('believes what a page says of itself, unless that cannot be', () => {
  const encode = encoderOf('windows-1251');
  const page = '<meta charset="windows-1251"><p>Да';
  expect(decodeText(encode(page)).text).toBe(page);
  const wrong = '<meta charset="windows-1251"><p>déjà';
  expect(decodeText(Buffer.from(wrong)).text).toBe(wrong);
  const unknown = encoderOf('windows-1252')('<meta charset="x-unknown"><p>déjà vu');
  expect(decodeText(unknown).text).toBe('<meta charset="x-unknown"><p>déjà vu');
});

it('tells the euro and œ of ISO 8859-15 from what stands in their place elsewhere', () => {
  const text = 'Le coût de la mise en œuvre est de 100 € par an, déjà.';
  expect(decodeText(encoderOf('iso-8859-15')(text)).text).toBe(text);
  expect(decodeText(encoderOf('windows-1252')(text)).text).toBe(text);
});

it('reads Japanese mail, which is ASCII until it switches', () => {
  const bytes = Buffer.from('Subject: \x1b$B4D6-\x1b(B report\n', 'latin1');
  expect(decodeText(bytes).text).toBe('Subject: 環境 report\n');
});

it.each([
  ['fr', texts.fr],
  ['es', 'La compañía —según el informe— redujo sus emisiones: 12 € por tonelada. “¿Qué más?”, preguntó.'],
])('reads windows-1252 in %s with its quotes and its euro on every version of Node', (_language, text) => {
  const file = encoderOf('windows-1252')(text);
  expect(withLatin1TextDecoder(() => decodeText(file))).toEqual({
    text,
    encoding: 'windows-1252',
    isDoubtful: false,
  });
  const declared = Buffer.concat([Buffer.from('<meta charset="latin1">'), file]);
  expect(withLatin1TextDecoder(() => decodeText(declared)).text).toBe(`<meta charset="latin1">${text}`);
});
