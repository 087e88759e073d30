import { faultOfFlatSchema } from './flat-schema.js';

describe('a flat schema', () => {
  const properties = { city: { type: 'string' }, unit: { enum: ['kWh', 'l'] } };

  it('asks for what a form has fields for', () => {
    expect(faultOfFlatSchema({ type: 'object', properties, required: ['city'] })).toBeNull();
    expect(faultOfFlatSchema({ type: 'object', properties: { at: { type: 'object' } } })).toContain('at');
  });

  it('does not require what no field of the form gives', () => {
    expect(faultOfFlatSchema({ type: 'object', properties, required: ['city', 'year'] })).toContain('year');
    expect(faultOfFlatSchema({ type: 'object', properties, required: ['constructor'] })).not.toBeNull();
  });
});
