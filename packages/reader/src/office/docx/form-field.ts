import { childAt, childrenOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';

/** The checkbox of a form field (w:fldChar), ticked or not. Empty: the field is something else. */
export function boxOf(field: XmlElement): string {
  const box = childAt(field, 'w:ffData', 'w:checkBox');
  if (!box) return '';
  return isOn(childAt(box, 'w:checked') ?? childAt(box, 'w:default'), 'w:val') ? '☒' : '☐';
}

/** The selected entry of a drop-down field (w:fldChar). Programs may also write it as text behind the field. */
export function choiceOf(field: XmlElement): string {
  const list = childAt(field, 'w:ffData', 'w:ddList');
  const chosen = childAt(list, 'w:result') ?? childAt(list, 'w:default');
  return (
    childrenOf(list, 'w:listEntry')[integerOf(chosen?.attributes['w:val']) ?? 0]?.attributes['w:val'] ?? ''
  );
}
