import fc from 'fast-check';

import {
  checkTemplate,
  maxTemplateLength,
  renderTemplate,
  templateVariables,
  type TemplateValues,
  type TemplateVariable,
} from './prompt-template.js';

const complete = templateVariables.map((variable) => `{${variable}}`).join('\n');

function valuesOf(value: (variable: TemplateVariable) => string): TemplateValues {
  return Object.fromEntries(
    templateVariables.map((variable) => [variable, value(variable)]),
  ) as TemplateValues;
}

const variable = fc.constantFrom(...templateVariables);
/** Text that cannot make up a placeholder by itself or with its neighbours. */
const plain = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[{}]/g, ''));
const anyValues = fc
  .array(fc.oneof(fc.string(), fc.constantFrom('{date}', '$&', '$1', '{skill}')), {
    minLength: 7,
    maxLength: 7,
  })
  .map((texts) => valuesOf((name) => texts[templateVariables.indexOf(name)] ?? ''));

describe('checkTemplate', () => {
  it('accepts a template with each variable, in any order and number', () => {
    const order = fc.shuffledSubarray([...templateVariables], { minLength: templateVariables.length });
    fc.assert(
      fc.property(order, fc.array(variable), plain, (all, more, text) => {
        const template = [...all, ...more].map((name) => `${text}{${name}}`).join('\n');
        fc.pre(template.length <= maxTemplateLength);
        expect(checkTemplate(template)).toEqual([]);
      }),
    );
  });

  it('names every missing variable, once', () => {
    fc.assert(
      fc.property(fc.subarray([...templateVariables]), (present) => {
        const missing = checkTemplate(present.map((name) => `{${name}}`).join(' '));
        const expected = templateVariables.filter((name) => !present.includes(name));
        expect(missing).toEqual(
          expected.map((name) => expect.objectContaining({ kind: 'MISSING_VARIABLE', variable: name })),
        );
      }),
    );
  });

  it('says where an unknown variable stands, whatever the line breaks are', () => {
    const lines = fc.array(plain.map((text) => text.replaceAll(/[\r\n]/g, '')));
    fc.assert(
      fc.property(lines, plain, fc.constantFrom('\n', '\r\n', '\r'), (before, text, lineBreak) => {
        const indent = text.replaceAll(/[\r\n]/g, '');
        const template = [...before, `${indent}{company} and`, complete].join(lineBreak);
        fc.pre(template.length <= maxTemplateLength);
        expect(checkTemplate(template)).toEqual([
          expect.objectContaining({
            kind: 'UNKNOWN_VARIABLE',
            variable: 'company',
            line: before.length + 1,
            column: indent.length + 1,
          }),
        ]);
      }),
    );
  });

  it.each(['Date', 'nom', 'compañía', '名稱', 'constructor', '__proto__', 'toString', '_'])(
    'refuses {%s}',
    (name) => {
      expect(checkTemplate(`${complete}\n{${name}} {${name}}`)).toMatchObject([
        { kind: 'UNKNOWN_VARIABLE', variable: name, line: 8, column: 1 },
        { kind: 'UNKNOWN_VARIABLE', variable: name, line: 8, column: name.length + 4 },
      ]);
    },
  );

  it.each(['{}', '{ date }', '{"date": 1}', '{0}', '{a b}', '{a-b}', '{', '}{', '{a\n}'])(
    'takes %j for what it is: text',
    (text) => {
      expect(checkTemplate(`${text}\n${complete}`)).toEqual([]);
      expect(
        renderTemplate(
          text,
          valuesOf(() => 'x'),
        ),
      ).toBe(text);
    },
  );

  it('counts the length to the character', () => {
    const fitting = complete.padEnd(maxTemplateLength, '.');
    expect(checkTemplate(fitting)).toEqual([]);
    expect(checkTemplate(`${fitting}.`)).toMatchObject([{ kind: 'TOO_LONG', length: maxTemplateLength + 1 }]);
  });
});

describe('renderTemplate', () => {
  it('puts each value where its variable stood and touches nothing else', () => {
    const parts = fc.array(
      fc.oneof(
        variable.map((name) => ({ name })),
        plain,
      ),
    );
    fc.assert(
      fc.property(parts, anyValues, (pieces, values) => {
        const template = pieces
          .map((piece) => (typeof piece === 'string' ? piece : `{${piece.name}}`))
          .join('');
        const filled = pieces
          .map((piece) => (typeof piece === 'string' ? piece : values[piece.name]))
          .join('');
        expect(renderTemplate(template, values)).toBe(filled);
      }),
    );
  });

  it('never fills a value again', () => {
    const values = valuesOf((name) => (name === 'name' ? '{date} $& {skill}' : `<${name}>`));
    expect(renderTemplate('{name}|{date}', values)).toBe('{date} $& {skill}|<date>');
  });

  it('leaves JSON and unknown names as they are', () => {
    const text = '{"language": "{language}", "toString": {toString}, "nested": {"a": {}}}';
    expect(
      renderTemplate(
        text,
        valuesOf(() => 'fr'),
      ),
    ).toBe('{"language": "fr", "toString": {toString}, "nested": {"a": {}}}');
  });
});
