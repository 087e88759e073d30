import { DocumentRefused } from '../../parsed-document.js';
import { WORD } from '../fixtures.double.js';
import { textOf } from './xml-element.js';
import { elementOf, elementsOf } from './xml-reader.js';

function bytesOf(xml: string): Uint8Array {
  return new TextEncoder().encode(xml);
}
function refusalOf(xml: string): unknown {
  try {
    return elementOf(bytesOf(xml));
  } catch (error) {
    return error;
  }
}

describe('elementsOf', () => {
  it('gives whole elements by the names of their namespaces, and no more than is asked for', () => {
    const xml = `<d xmlns="${WORD}"><p a="1"><t>un</t><p>dedans</p></p><q xmlns="urn:other"><p>autre</p></q><x:p xmlns:x="${WORD}"><![CDATA[<deux>]]></x:p></d>`;
    const found = [...elementsOf(bytesOf(xml), { whole: ['w:p'], opened: ['w:d'] })];
    expect(found.map(({ element, parent }) => [element.name, parent, textOf(element)])).toEqual([
      ['w:d', '', ''],
      ['w:p', 'w:d', 'undedans'],
      ['w:p', 'w:d', '<deux>'],
    ]);
  });

  it('reads characters that lie across the slices it reads', () => {
    const text = '能源é😀'.repeat(30_000);
    expect(textOf(elementOf(bytesOf(`<a>${text}</a>`)))).toBe(text);
  });

  it('knows the encoding that the declaration says', () => {
    const xml = '<?xml version="1.0" encoding="windows-1252"?><a>été</a>';
    expect(textOf(elementOf(Buffer.from(xml, 'latin1')))).toBe('été');
  });

  it('reads elements and attributes whose prefix is declared nowhere', () => {
    const { name, attributes, children } = elementOf(bytesOf('<w:a x:b="1"><c>d</c></w:a>'));
    expect([name, attributes, children]).toEqual([
      'w:a',
      { 'x:b': '1' },
      [{ name: 'c', attributes: {}, children: ['d'] }],
    ]);
  });

  it('takes control characters for blanks', () => {
    expect(textOf(elementOf(bytesOf('<a>x\u0001y\u000bz</a>')))).toBe('x y z');
  });

  it.each([
    ['entities', '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'],
    ['external entities', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['deep nesting', '<a>'.repeat(100_000)],
  ])('refuses %s', (_, xml) => {
    expect(refusalOf(xml)).toBeInstanceOf(DocumentRefused);
  });

  it('follows no definition by its address', () => {
    expect(textOf(elementOf(bytesOf('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a>x</a>')))).toBe('x');
    expect(refusalOf('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a>&unknown;</a>')).toBeInstanceOf(Error);
  });
});
