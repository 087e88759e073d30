import { numeral, type Numerals, numeralsByFormat } from '../../office/markdown/numerals.js';
import { integerOf } from '../../office/xml/xml-element.js';

/** A list of a page, and how far it has counted. */
export class HtmlList {
  private readonly numerals: Numerals | null;
  private readonly step: 1 | -1;
  private next: number;

  constructor(name: string, { start, type = '1', reversed }: Readonly<Record<string, string>>) {
    const first = integerOf(start);
    // Where a list begins that counts down is known at its end only.
    const isCounted = name === 'ol' && (reversed === undefined || first !== null);
    this.numerals = isCounted ? (numeralsByFormat[type] ?? 'decimal') : null;
    this.step = reversed === undefined ? 1 : -1;
    this.next = first ?? 1;
  }

  /** What stands before the next item; `value`: the number that it has by itself. */
  marker(value: string | undefined): string {
    if (this.numerals === null) return '-';
    const count = integerOf(value) ?? this.next;
    this.next = count + this.step;
    return `${numeral(count, this.numerals)}.`;
  }
}
