import { type Glossary, glossaryOf } from '../values/enum-glossary.js';
import { childrenOf, elementOf, enumOf, isCountry, isUnit, type Property } from '../values/property.js';

/** How an array's objects are built: what is counted, how much of it, in which unit, where. */
export interface ItemShape {
  kind: Property;
  glossary: Glossary;
  amount: Property;
  unit: Property | null;
  country: Property | null;
  /** How many the array may hold. */
  most: number;
}

/** Large schemas are asked for again with every sentence. */
const known = new WeakMap<object, ItemShape | null>();

/** Null when the elements of an array are not of the form {kind, amount, unit}. */
export function itemShape(array: Property): ItemShape | null {
  const remembered = known.get(array.schema);
  if (remembered !== undefined) return remembered;
  const shape = shapeOf(array);
  known.set(array.schema, shape);
  return shape;
}

function shapeOf(array: Property): ItemShape | null {
  const element = elementOf(array);
  if (element.type !== 'object') return null;
  const children = childrenOf(element);
  const unit = children.find(isUnit) ?? null;
  const kind = children.find((child) => child !== unit && child.required && enumOf(child).length > 0);
  const amount = children.find((child) => child.type === 'number' || child.type === 'integer');
  if (!kind || !amount) return null;
  const { maxItems } = array.schema;
  return {
    kind,
    glossary: glossaryOf(enumOf(kind), kind.description),
    amount,
    unit,
    country: children.find(isCountry) ?? null,
    most: typeof maxItems === 'number' ? maxItems : 1000,
  };
}
