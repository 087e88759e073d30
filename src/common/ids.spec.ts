import { isId, newId, parseId } from './ids.js';

describe('an id', () => {
  it('is one text, whatever case it is given in', () => {
    const id = newId();
    expect(parseId(id.toUpperCase())).toBe(id);
    expect(parseId(id)).toBe(id);
    expect([isId(id), isId(id.toUpperCase())]).toEqual([true, false]);
  });

  it.each(['', 'nonsense', '0198a5c27d3e7abc8def0123456789ab', '{0198a5c2-7d3e-7abc-8def-0123456789ab}'])(
    'is not %j',
    (text) => expect([parseId(text), isId(text)]).toEqual([null, false]),
  );
});
