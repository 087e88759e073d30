import { numeral, type Numerals, numeralsByFormat } from '../../office/markdown/numerals.js';
import { integerOf } from '../../office/xml/xml-element.js';

/** An HTML list and its counter. */
export class HtmlList {
  private readonly numerals: Numerals | null;
  private readonly step: 1 | -1;
  private next: number;

  constructor(name: string, { start, type = '1', reversed }: Readonly<Record<string, string>>) {
    const first = integerOf(start);
    // The start of a reversed list is known only at its end, so it is not counted.
    const isCounted = name === 'ol' && (reversed === undefined || first !== null);
    this.numerals = isCounted ? (numeralsByFormat[type] ?? 'decimal') : null;
    this.step = reversed === undefined ? 1 : -1;
    this.next = first ?? 1;
  }

  /** The label of the next item; `value`: its explicit number. */
  marker(value: string | undefined): string {
    if (this.numerals === null) return '-';
    const count = integerOf(value) ?? this.next;
    this.next = count + this.step;
    return `${numeral(count, this.numerals)}.`;
  }
}
