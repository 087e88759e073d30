import { childAt, childrenOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';

/** A box of a form (w:fldChar), ticked or not; empty: it is something else. */
export function boxOf(field: XmlElement): string {
  const box = childAt(field, 'w:ffData', 'w:checkBox');
  if (!box) return '';
  return isOn(childAt(box, 'w:checked') ?? childAt(box, 'w:default'), 'w:val') ? '☒' : '☐';
}

/** What is chosen of the list of a form (w:fldChar), which programs may write behind it or leave to be shown. */
export function choiceOf(field: XmlElement): string {
  const list = childAt(field, 'w:ffData', 'w:ddList');
  const chosen = childAt(list, 'w:result') ?? childAt(list, 'w:default');
  return (
    childrenOf(list, 'w:listEntry')[integerOf(chosen?.attributes['w:val']) ?? 0]?.attributes['w:val'] ?? ''
  );
}
